// Taking edits out again.
#include "select/Prune.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite {

/// Puts the edit's own delta beside it, and the reason that follows from it.
static void explain(Step &S, std::vector<Delta> Own, const Verdict &Judged) {
  S.What.Deltas = std::move(Own);
  if (Judged.Pays)
    S.What.Reason = Judged.Reason;
  else
    S.What.Reason = "needed beside the other edits: without it they gain less";
}

/// Drops step \p I if the rest does as well, and notes its own delta if not.
/// With and without it, the same kernels are compiled as in the search.
static bool dropped(Version &V, size_t I, const Bench &B,
                    std::vector<Outcome> &Rejected) {
  std::optional<Source> Text = V.textWithout(I);
  if (!Text)
    return false;
  ArrayRef<std::string> Names = V.Steps[I].What.Kernels;
  FiguresByTarget All = B.figures(V.Text, V.Steps[I].Compiled);
  FiguresByTarget Less = B.figures(*Text, V.Steps[I].Compiled);
  std::vector<Delta> Own = B.deltas(Less, All, Names);
  std::vector<Delta> Without = B.deltas(All, Less, Names);
  Verdict Judged = B.Judge.judged(Own, Names, *Text, V.Text);
  // What it gains may cost what the others leave to be lost.
  if (Judged.Pays || betters(Own, B.Judge.ruleFor(Names)) ||
      B.Judge.judged(Without, Names, V.Text, *Text).Refused) {
    explain(V.Steps[I], std::move(Own), Judged);
    return false;
  }
  takeBack(std::move(V.Steps[I].What),
           "the other edits give the same gain without it", Rejected);
  V.Steps.erase(V.Steps.begin() + long(I));
  V.Text = std::move(*Text);
  return true;
}

/// Each step's delta to the text before it.
static void oneAfterTheOther(Version &V, const Bench &B) {
  const Source *Before = V.Given;
  for (Step &S : V.Steps) {
    ArrayRef<std::string> Names = S.What.Kernels;
    std::vector<Delta> Own = B.deltas(B.figures(*Before, S.Compiled),
                                      B.figures(S.After, S.Compiled), Names);
    Verdict Judged = B.Judge.judged(Own, Names, *Before, S.After);
    explain(S, std::move(Own), Judged);
    Before = &S.After;
  }
}

void prune(Version &V, const Bench &B, std::vector<Outcome> &Rejected) {
  if (V.Steps.size() < 2)
    return;
  B.say("taking out each of " + utostr(V.Steps.size()) + " edits in turn");
  if (!all_of(V.Steps, [](const Step &S) { return S.OfGiven.has_value(); }))
    return oneAfterTheOther(V, B);
  for (size_t I = V.Steps.size(); I-- > 0;) {
    // Once the clock has run out, nothing more is timed.
    if (B.stopped() &&
        B.Judge.ruleFor(V.Steps[I].What.Kernels).Goal == Objective::Time)
      return;
    if (dropped(V, I, B, Rejected))
      I = V.Steps.size();
  }
}

} // namespace clrewrite
