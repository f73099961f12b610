// Each edit is taken out once, and the text without it is measured and judged
// against the text with it.
#include "select/Prune.h"
#include "select/Record.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::select {

/// By what a step is judged. Its reason is its own.
static Criterion criterionOf(const Step &S, const Evaluator &Eval) {
  return estimateTells(S.What.Rewrite)
             ? Eval.Judge.estimatedToo(S.What.Kernels)
             : Eval.Judge.criterionFor(S.What.Kernels);
}

/// Puts the edit's own delta beside it, and the reason that follows from it.
static void explain(Step &S, std::vector<Delta> Own, const Verdict &Judged) {
  S.What.Deltas = std::move(Own);
  if (Judged.Pays)
    S.What.Reason = Judged.Reason;
  else
    S.What.Reason = "needed beside the other edits: without it they gain less";
}

/// The delta of step \p I to the text before its round: what is known of one
/// that no other can do without.
static void explainInPlace(Variant &V, size_t I, const Evaluator &Eval) {
  Step &S = V.Steps[I];
  std::vector<Step> Earlier, Here;
  for (const Step &Other : V.Steps) {
    if (Other.Round < S.Round)
      Earlier.push_back(Other);
    if (Other.Round <= S.Round)
      Here.push_back(Other);
  }
  const Source &Before = Earlier.empty() ? *V.Given : Earlier.back().After;
  ArrayRef<std::string> Names = S.What.Kernels;
  std::vector<Delta> Own = Eval.deltas(Eval.figures(Before, Names),
                                       Eval.figures(S.After, Names), Names);
  Verdict Judged =
      Eval.Judge.judged(Own, Names, versionOf(Before, Earlier),
                        versionOf(S.After, Here), criterionOf(S, Eval));
  explain(S, std::move(Own), Judged);
}

/// Each kernel that was timed was at least as fast, and one by ClearGain, in
/// the median; whether that is beyond noise is not asked.
static bool fasterInMedian(ArrayRef<Delta> List) {
  auto timed = [](const Delta &D) { return D.Time.has_value(); };
  return any_of(List,
                [&](const Delta &D) {
                  return timed(D) && D.Time->Ratio >= ClearGain;
                }) &&
         all_of(List, [&](const Delta &D) {
           return !timed(D) || D.Time->Ratio >= 1;
         });
}

/// Drops step \p I if the rest does as well, and notes its own delta if not.
/// What several steps gain together is not lost by dropping one after the
/// other: where a clock decides, the rest does as well as \p Full, too, which
/// had them all.
static bool dropped(Variant &V, size_t I, const Version &Full,
                    const FiguresByTarget &OfFull, const Evaluator &Eval,
                    std::vector<Outcome> &Rejected) {
  std::optional<std::vector<Step>> Rest = V.stepsWithout(I);
  if (!Rest) {
    explainInPlace(V, I, Eval);
    return false;
  }
  const Source &Text = Rest->empty() ? *V.Given : Rest->back().After;
  ArrayRef<std::string> Names = V.Steps[I].What.Kernels;
  Version All = V.version(), Less = versionOf(Text, *Rest);
  const FiguresByTarget OfAll = V.Figures;
  FiguresByTarget OfLess = Eval.figures(Less.Text, Names);
  std::vector<Delta> Own = Eval.deltas(OfLess, OfAll, Names);
  std::vector<Delta> Without = Eval.deltas(OfAll, OfLess, Names);
  Criterion By = criterionOf(V.Steps[I], Eval);
  Verdict Judged = Eval.Judge.judged(Own, Names, Less, All, By);
  // Several edits may together be faster beyond noise where none is alone. One
  // that does nothing may have a faster median by chance, but seldom twice.
  auto fasterTwice = [&] {
    if (!fasterInMedian(Own))
      return false;
    std::vector<Delta> Again = Own;
    Eval.Judge.addTimes(Again, Less, All);
    return fasterInMedian(Again);
  };
  auto lostInAll = [&] {
    if (!wasTimed(Own) || Full.Text.Text == All.Text.Text)
      return false;
    std::vector<Delta> Whole = Eval.deltas(OfLess, OfFull, Names);
    return Eval.Judge.judged(Whole, Names, Less, Full, By).Pays;
  };
  // The edit may gain something, and lose what the other edits have gained.
  if (Judged.Pays || betters(Own, By) ||
      Eval.Judge.judged(Without, Names, All, Less, By).Refused ||
      fasterTwice() || lostInAll()) {
    explain(V.Steps[I], std::move(Own), Judged);
    return false;
  }
  takeBack(std::move(V.Steps[I].What),
           "the other edits give the same gain without it", Rejected);
  Rejected.back().Left = WhyNot::TakenOut;
  V.leave(std::move(*Rest));
  V.Figures = updated(std::move(V.Figures), OfLess);
  return true;
}

void prune(Variant &V, const Evaluator &Eval, std::vector<Outcome> &Rejected) {
  if (V.Steps.size() < 2)
    return;
  Eval.say("taking out each of " + utostr(V.Steps.size()) + " edits in turn");
  const Source Text = V.Text;
  const Version Full = versionOf(Text, V.Steps);
  const FiguresByTarget OfFull = V.Figures;
  for (size_t I = V.Steps.size(); I-- > 0;) {
    bool Timed = Eval.Judge.criterionFor(V.Steps[I].What.Kernels).Goal ==
                 Objective::Time;
    // Once the clock has run out, nothing more is timed.
    if (Timed && Eval.stopped())
      return;
    // Figures of a text are known once they were asked for, times are not.
    if (dropped(V, I, Full, OfFull, Eval, Rejected) && !Timed)
      I = V.Steps.size();
  }
}

} // namespace clrewrite::select
