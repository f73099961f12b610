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

/// A step that must go.
struct Against {
  size_t Step;
  std::string Reason;
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

/// The last step by which, in \p List, a kernel that a clock decides on is
/// slower than the original's, or none of them is faster: what was faster on
/// the way, twice, may still have been lucky.
std::optional<Against> lucky(const Variant &V, ArrayRef<Delta> List,
                             const Evaluator &Eval) {
  for (size_t I = V.Steps.size(); I-- > 0;) {
    bool Faster = false;
    std::string Why;
    for (const std::string &K : V.Steps[I].What.Kernels) {
      Criterion By = Eval.Judge.criterionFor({K});
      if (By.Goal != Objective::Time)
        continue;
      std::vector<Delta> Own;
      copy_if(List, std::back_inserter(Own),
              [&](const Delta &D) { return D.Kernel == K; });
      Verdict Each = judge(Own, By);
      if (Each.Refused)
        return Against{I, Each.Reason};
      Faster |= Each.Pays;
      if (!Each.Pays)
        Why = Each.Reason;
    }
    if (!Faster && !Why.empty())
      return Against{I, Why};
  }
  return std::nullopt;
}

/// By target, then kernel, the times that \p List has.
TimesByTarget timesIn(ArrayRef<Delta> List, ArrayRef<measure::Target> Targets) {
  TimesByTarget Times;
  for (const measure::Target &T : Targets) {
    Times.emplace_back();
    for (const Delta &D : List)
      if (D.Target == T.Name && (D.Time || !D.TimeProblem.empty()))
        Times.back()[D.Kernel] = {D.Time, D.TimeProblem, D.Ran};
  }
  return Times;
}

void takeAllBack(Variant &V, const std::string &Why,
                 std::vector<Outcome> &Rejected) {
  for (Step &S : V.Steps)
    takeBack(std::move(S.What), Why, Rejected);
  V.Steps.clear();
  V.Text = *V.Given;
}

/// The last step that reaches \p Kernel, else the last.
size_t lastReaching(const Variant &V, const std::string &Kernel) {
  size_t Last = V.Steps.size() - 1;
  for (size_t I = 0; I < V.Steps.size(); ++I)
    if (is_contained(V.Steps[I].What.Kernels, Kernel))
      Last = I;
  return Last;
}

/// Where the rest can't be made without the step, all go.
void takeStepBack(Variant &V, const Against &That,
                  std::vector<Outcome> &Rejected) {
  std::optional<std::vector<Step>> Rest = V.stepsWithout(That.Step);
  if (!Rest)
    return takeAllBack(V, That.Reason, Rejected);
  takeBack(std::move(V.Steps[That.Step].What), That.Reason, Rejected);
  V.leave(std::move(*Rest));
}

} // namespace

TimesByTarget finalTimes(const Evaluator &Eval, const FiguresByTarget &Before,
                         const FiguresByTarget &After,
                         ArrayRef<std::string> Kernels, const Source &Given,
                         const Version &Result) {
  std::vector<Delta> List = Eval.deltas(Before, After, Kernels);
  Eval.Judge.addTimes(List, {Given}, Result);
  return timesIn(List, Eval.Options.Targets);
}

WholeResult keepWhatHolds(Variant &V, const FiguresByTarget &Before,
                          ArrayRef<std::string> Kernels, const Evaluator &Eval,
                          std::vector<Outcome> &Rejected) {
  while (!V.Steps.empty()) {
    FiguresByTarget Now = Eval.figures(V.Text, Kernels);
    Held Whole = held(V, Before, Now, Kernels, Eval);
    if (Whole.Pays) {
      std::vector<Delta> List = Eval.deltas(Before, Now, Kernels);
      Eval.Judge.addTimes(List, {*V.Given}, V.version());
      std::optional<Against> Lucky = lucky(V, List, Eval);
      if (!Lucky)
        return {std::move(Now), timesIn(List, Eval.Options.Targets)};
      Lucky->Reason = "against the original, in the end: " + Lucky->Reason;
      takeStepBack(V, *Lucky, Rejected);
    } else if (Whole.Kernel.empty()) {
      takeAllBack(V,
                  "pays where only its kernels are measured, but not in the "
                  "whole file",
                  Rejected);
    } else {
      takeStepBack(V, {lastReaching(V, Whole.Kernel), Whole.Reason}, Rejected);
    }
  }
  return {Before,
          finalTimes(Eval, Before, Before, Kernels, *V.Given, V.version())};
}

} // namespace clrewrite::select
