// Exit codes, and the options that change them. They mean what they do in Ruff,
// so that hooks and CI jobs need no wrapper script.
#include "ExitCode.h"
#include "BaselineOptions.h"
#include "CommonOptions.h"
#include "SearchLimits.h"

using namespace llvm;

namespace clrewrite::cli {

static cl::opt<bool>
    ExitZero("exit-zero",
             cl::desc("Exit with 0 although edits that pay are left; failures "
                      "still give 2"),
             cl::cat(Modes));
static cl::opt<bool> ExitNonZeroOnFix(
    "exit-non-zero-on-fix",
    cl::desc("With --fix: exit with 1 where a file was changed, though nothing "
             "is left"),
    cl::cat(Modes));

int exitCode(const report::Report &R) {
  if (int Signal = interruptedBy())
    return 128 + Signal; // as a shell reports it
  bool AnyLeft = false, AnyWritten = false;
  for (const report::FileReport &F : R.Files) {
    if (!F.Problem.empty())
      return Failed;
    AnyLeft |= F.Result.changed() && !F.Written;
    AnyWritten |= F.Written;
  }
  bool Found = AnyLeft || (AnyWritten && ExitNonZeroOnFix);
  return (Found && !ExitZero) || failsOnRegression(R) ? FindingsLeft : Clean;
}

} // namespace clrewrite::cli
