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

/// Adds times that were taken to \p List.
void addKnown(std::vector<Delta> &List, const TimesByTarget &Times,
              ArrayRef<measure::Target> Targets) {
  for (auto [Target, ByKernel] : zip(Targets, Times))
    for (Delta &D : List)
      if (auto It = ByKernel.find(D.Kernel);
          D.Target == Target.Name && It != ByKernel.end()) {
        D.Time = It->second.Time;
        D.TimeProblem = It->second.Problem;
        D.Ran = It->second.Ran;
      }
}

Held held(const Variant &V, const FiguresByTarget &Before,
          const WholeResult &Now, ArrayRef<std::string> Kernels,
          const Evaluator &Eval) {
  Held Out;
  bool Told = any_of(
      V.Steps, [](const Step &S) { return estimateTells(S.What.Rewrite); });
  std::map<std::string, std::string> NotFaster; // why, of those that are timed
  for (const std::string &K : Kernels) {
    Criterion By =
        Told ? Eval.Judge.estimatedToo({K}) : Eval.Judge.criterionFor({K});
    // It may pay only beside other kernels.
    bool Touched = any_of(V.Steps, [&](const Step &S) {
      return is_contained(S.What.Kernels, K);
    });
    std::vector<Delta> List = Eval.deltas(Before, Now.Figures, {K});
    bool Timed = By.Goal == Objective::Time;
    if (Timed && Touched)
      addKnown(List, Now.Times, Eval.Options.Targets);
    Verdict Each = judge(List, By);
    if (Timed && Touched)
      NotFaster[K] = Each.Pays ? "" : Each.Reason;
    Eval.Judge.askOthers(Pending{Each, {*V.Given}, V.version(), {K}});
    if (Each.Refused)
      return {false, K,
              "in the whole file kernel " + K +
                  " gets worse: " + std::move(Each.Reason)};
    if (Touched && Eval.Options.WhyDoubted)
      if (std::string Why = Eval.Options.WhyDoubted(V.version(), {K});
          !Why.empty())
        return {false, K, "beside the other edits it " + Why};
    Out.Pays |= Each.Pays || Timed;
  }
  // What seemed faster on the way, twice, may still have been lucky.
  for (const Step &S : reverse(V.Steps)) {
    std::string Kernel, Why;
    for (const std::string &K : S.What.Kernels)
      if (auto It = NotFaster.find(K); It != NotFaster.end()) {
        Kernel = K;
        Why = It->second;
        if (Why.empty())
          break;
      }
    if (!Why.empty())
      return {false, Kernel, "against the original, in the end: " + Why};
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

TimesByTarget finalTimes(const Evaluator &Eval, const FiguresByTarget &Before,
                         const FiguresByTarget &After,
                         ArrayRef<std::string> Kernels, const Source &Given,
                         const Version &Result) {
  std::vector<Delta> List = Eval.deltas(Before, After, Kernels);
  Eval.Judge.addTimes(List, {Given}, Result);
  TimesByTarget Times;
  for (const measure::Target &T : Eval.Options.Targets) {
    Times.emplace_back();
    for (Delta &D : List)
      if (D.Target == T.Name && (D.Time || !D.TimeProblem.empty()))
        Times.back()[D.Kernel] = {D.Time, D.TimeProblem, D.Ran};
  }
  return Times;
}

WholeResult keepWhatHolds(Variant &V, const FiguresByTarget &Before,
                          ArrayRef<std::string> Kernels, const Evaluator &Eval,
                          std::vector<Outcome> &Rejected) {
  auto against = [&](FiguresByTarget Figures) {
    TimesByTarget Times =
        finalTimes(Eval, Before, Figures, Kernels, *V.Given, V.version());
    return WholeResult{std::move(Figures), std::move(Times)};
  };
  while (!V.Steps.empty()) {
    WholeResult Now = against(Eval.figures(V.Text, Kernels));
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
  return against(Before);
}

} // namespace clrewrite::select
