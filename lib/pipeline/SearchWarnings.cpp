// Warnings that follow from figures and from the budget.
#include "pipeline/SearchWarnings.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::pipeline {

std::vector<rewrite::Warning>
vanishedKernels(const report::FileReport &R,
                ArrayRef<measure::Target> Targets) {
  constexpr unsigned NothingBut = 2; // the end of the program, and a wait
  std::vector<rewrite::Warning> Out;
  for (const rewrite::KernelInfo &K : R.Kernels)
    for (size_t T = 0; T < R.Result.Before.size(); ++T) {
      const measure::KernelUsage *U = R.Result.Before[T].find(K.Name);
      if (!U || !U->measured() || !K.Dimensions || !U->Stored.empty() ||
          !K.UninitialisedLines.empty() ||
          U->Figures.Instructions.value_or(NothingBut + 1) > NothingBut)
        continue;
      Out.push_back({K.Line, K.Name,
                     "nothing is left of kernel " + K.Name +
                         " in the optimised code for " + Targets[T].Name +
                         ": it has no effect, or an undefined one, so its "
                         "figures mean nothing"});
      break;
    }
  return Out;
}

std::vector<rewrite::Warning>
leftUntried(const select::Selection &Chosen,
            const select::SelectOptions &Options) {
  if (!Chosen.NotTried)
    return {};
  bool Stopped = Options.Stop && Options.Stop();
  const char *Why = Stopped
                        ? "{0} alternatives were not tried, because the search "
                          "was stopped"
                        : "{0} alternatives were not tried, because the budget "
                          "of {1} a kernel is spent; --budget=0 tries all";
  return {{0, "", formatv(false, Why, Chosen.NotTried, Options.Budget).str()}};
}

} // namespace clrewrite::pipeline
