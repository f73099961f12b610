// The final check measures the result as a whole, and takes back the edits by
// which a kernel gets worse there.
#include "select/FinalCheck.h"
#include "select/Record.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::select {
namespace {

/// How an edit set does when the whole file is compiled.
struct Held {
  bool Pays = false;
  std::string Kernel; ///< the first that speaks against it; empty: none
  std::string Reason; ///< why it does
};

Held held(const Variant &V, const FiguresByTarget &Before,
          const FiguresByTarget &Now, ArrayRef<std::string> Kernels,
          const Evaluator &Eval) {
  Held Out;
  bool Told = any_of(
      V.Steps, [](const Step &S) { return estimateTells(S.What.Rewrite); });
  for (const std::string &K : Kernels) {
    Criterion By =
        Told ? Eval.Judge.estimatedToo({K}) : Eval.Judge.criterionFor({K});
    Verdict Each = judge(Eval.deltas(Before, Now, {K}), By);
    Eval.Judge.askOthers(Pending{Each, {*V.Given}, V.version(), {K}});
    if (Each.Refused)
      return {false, K,
              "in the whole file kernel " + K +
                  " gets worse: " + std::move(Each.Reason)};
    // It may pay only beside other kernels.
    bool Touched = any_of(V.Steps, [&](const Step &S) {
      return is_contained(S.What.Kernels, K);
    });
    if (Touched && Eval.Options.WhyDoubted)
      if (std::string Why = Eval.Options.WhyDoubted(V.version(), {K});
          !Why.empty())
        return {false, K, "beside the other edits it " + Why};
    Out.Pays |= Each.Pays || By.Goal == Objective::Time;
  }
  return Out;
}

void takeAllBack(Variant &V, const std::string &Why,
                 std::vector<Outcome> &Rejected) {
  for (Step &S : V.Steps)
    takeBack(std::move(S.What), Why, Rejected);
  V.Steps.clear();
  V.Text = *V.Given;
}

/// The last step that reaches \p Kernel, else the last. Where the rest can't
/// be made without it, all go.
void takeLastBack(Variant &V, const std::string &Kernel, const std::string &Why,
                  std::vector<Outcome> &Rejected) {
  size_t Last = V.Steps.size() - 1;
  for (size_t I = 0; I < V.Steps.size(); ++I)
    if (is_contained(V.Steps[I].What.Kernels, Kernel))
      Last = I;
  std::optional<std::vector<Step>> Rest = V.stepsWithout(Last);
  if (!Rest)
    return takeAllBack(V, Why, Rejected);
  takeBack(std::move(V.Steps[Last].What), Why, Rejected);
  V.leave(std::move(*Rest));
}

} // namespace

FiguresByTarget keepWhatHolds(Variant &V, const FiguresByTarget &Before,
                              ArrayRef<std::string> Kernels,
                              const Evaluator &Eval,
                              std::vector<Outcome> &Rejected) {
  while (!V.Steps.empty()) {
    FiguresByTarget Now = Eval.figures(V.Text, Kernels);
    Held Whole = held(V, Before, Now, Kernels, Eval);
    if (Whole.Pays)
      return Now;
    if (Whole.Kernel.empty())
      takeAllBack(V,
                  "pays where only its kernels are measured, but not in the "
                  "whole file",
                  Rejected);
    else
      takeLastBack(V, Whole.Kernel, Whole.Reason, Rejected);
  }
  return Before;
}

} // namespace clrewrite::select
