// --program and --fix-headers.
#include "WholePrograms.h"
#include "CommonOptions.h"
#include "pipeline/Headers.h"
#include "pipeline/Program.h"

using namespace llvm;

namespace clrewrite::cli {

static cl::opt<bool>
    OneProgram("program",
               cl::desc("The files, in this order, are one program: the host "
                        "puts them together"),
               cl::cat(Building));
static cl::opt<bool>
    FixHeaders("fix-headers",
               cl::desc("Rewrite the included files, too, where it pays and "
                        "is legal in every given file that includes them"),
               cl::cat(Choice));

std::string badProgramOptions(bool NotFiles) {
  if (NotFiles && OneProgram)
    return "--program goes with files, and without --lines";
  if (NotFiles && FixHeaders)
    return "--fix-headers goes with files and folders, and without --lines";
  return "";
}

Expected<std::vector<pipeline::Unit>>
givenUnits(ArrayRef<std::string> Files, std::vector<std::string> &Notes,
           const std::optional<pipeline::StdinText> &Stdin,
           const std::function<bool(const std::string &)> &Excluded) {
  if (OneProgram)
    return pipeline::programUnits(Files);
  return pipeline::inputUnits(Files, Notes, Stdin, Excluded);
}

const std::string &settingsFile(const pipeline::Unit &U,
                                ArrayRef<std::string> Files) {
  return OneProgram ? Files.front() : U.Path;
}

report::Report runGiven(std::vector<pipeline::Unit> &Units,
                        std::vector<const pipeline::Setup *> Setups) {
  bool Several = Units.size() > 1 && !OneProgram;
  bool Plain = none_of(Units, [](const pipeline::Unit &U) {
    return U.Text || U.HostMade || U.Builds.front().Recorded;
  });
  bool Whole = all_of(Setups, [](const pipeline::Setup *S) {
    return S->Options.Lines.empty();
  });
  if (Plain && Whole && (FixHeaders || Several))
    return pipeline::runWithHeaders(Units, std::move(Setups), FixHeaders);
  return pipeline::run(Units, Setups);
}

} // namespace clrewrite::cli
