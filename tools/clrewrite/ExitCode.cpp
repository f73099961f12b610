// Exit codes, and the options that change them. They mean what they do in Ruff,
// so that hooks and CI jobs need no wrapper script.
#include "ExitCode.h"
#include "SearchLimits.h"

using namespace llvm;

namespace clrewrite::cli {

int exitCode(const report::Report &R, const config::Options &O) {
  if (int Signal = interruptedBy())
    return 128 + Signal; // as a shell reports it
  bool AnyLeft = false, AnyWritten = false;
  for (const report::FileReport &F : R.Files) {
    if (!F.Problem.empty())
      return Failed;
    AnyLeft |= F.Result.changed() && !F.Written;
    AnyWritten |= F.Written;
  }
  bool Found = AnyLeft || (AnyWritten && O.ExitNonZeroOnFix);
  bool Worse = O.FailOnRegression && R.Against && R.Against->regressed();
  return (Found && !O.ExitZero) || Worse ? FindingsLeft : Clean;
}

} // namespace clrewrite::cli
