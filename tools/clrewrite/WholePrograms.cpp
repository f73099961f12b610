// --program and --fix-headers.
#include "WholePrograms.h"
#include "CommonOptions.h"
#include "pipeline/Headers.h"
#include "pipeline/Program.h"

using namespace llvm;

namespace clrewrite {

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

Expected<std::vector<Unit>> givenUnits(ArrayRef<std::string> Files,
                                       const Build &How,
                                       std::vector<std::string> &Notes,
                                       const std::optional<StdinText> &Stdin) {
  if (OneProgram)
    return programUnits(Files, How);
  return inputUnits(Files, How, Notes, Stdin);
}

Report runGiven(std::vector<Unit> &Units, Meter &M,
                const PipelineOptions &Options) {
  bool Several = Units.size() > 1 && !OneProgram;
  bool Plain = none_of(Units, [](const Unit &U) {
    return U.Text || U.HostMade || U.Builds.front().Recorded;
  });
  if (Plain && Options.Lines.empty() && (FixHeaders || Several))
    return runWithHeaders(Units, M, Options, FixHeaders);
  return run(Units, M, Options);
}

} // namespace clrewrite
