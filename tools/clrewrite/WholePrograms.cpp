// --program and --fix-headers.
#include "WholePrograms.h"
#include "pipeline/Headers.h"
#include "pipeline/Program.h"

using namespace llvm;

namespace clrewrite::cli {

std::string badProgramOptions(const config::Options &O, bool NotFiles) {
  if (NotFiles && O.OneProgram)
    return "--program goes with files, and without --lines";
  if (NotFiles && O.FixHeaders)
    return "--fix-headers goes with files and folders, and without --lines";
  return "";
}

Expected<std::vector<pipeline::Unit>>
givenUnits(const config::Options &O, std::vector<std::string> &Notes,
           const std::optional<pipeline::StdinText> &Stdin,
           const std::function<bool(const std::string &)> &Excluded) {
  if (O.OneProgram)
    return pipeline::programUnits(O.Files);
  return pipeline::inputUnits(O.Files, Notes, Stdin, Excluded);
}

const std::string &settingsFile(const pipeline::Unit &U,
                                const config::Options &O) {
  return O.OneProgram ? O.Files.front() : U.Path;
}

report::Report runGiven(const config::Options &O,
                        std::vector<pipeline::Unit> &Units,
                        std::vector<const pipeline::Setup *> Setups) {
  bool Several = Units.size() > 1 && !O.OneProgram;
  bool Plain = none_of(Units, [](const pipeline::Unit &U) {
    return U.Text || U.HostMade || U.Builds.front().Recorded;
  });
  bool Whole = all_of(Setups, [](const pipeline::Setup *S) {
    return S->Options.Lines.empty();
  });
  if (Plain && Whole && (O.FixHeaders || Several))
    return pipeline::runWithHeaders(Units, std::move(Setups), O.FixHeaders);
  return pipeline::run(Units, Setups);
}

} // namespace clrewrite::cli
