// Edits are applied to a variant and taken out of it again, and offsets of its
// text are mapped back to the given text.
#include "select/Variant.h"
#include "select/FilterAlternatives.h"
#include "source/Lines.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::select {

bool addChange(LaunchChanges &Into, ArrayRef<std::string> Kernels,
               const std::optional<launch::LaunchChange> &Launch) {
  if (!Launch)
    return true;
  LaunchChanges All = Into;
  for (const std::string &K : Kernels) {
    std::optional<launch::LaunchChange> Sum = launch::both(All[K], *Launch);
    if (!Sum)
      return false;
    All[K] = std::move(*Sum);
  }
  Into = std::move(All);
  return true;
}

measure::Measurement updated(measure::Measurement Of,
                             const measure::Measurement &New) {
  if (!New.Problem.empty())
    return New;
  for (const measure::KernelUsage &K : New.Kernels) {
    auto At = find_if(Of.Kernels, [&](const measure::KernelUsage &Old) {
      return Old.Kernel == K.Kernel;
    });
    if (At == Of.Kernels.end())
      Of.Kernels.push_back(K);
    else
      *At = K;
  }
  return Of;
}

FiguresByTarget updated(FiguresByTarget Of, const FiguresByTarget &New) {
  for (auto [Old, Now] : zip(Of, New))
    Old = updated(std::move(Old), Now);
  return Of;
}

LaunchChanges launchesOf(ArrayRef<Step> Steps) {
  LaunchChanges Out;
  for (const Step &S : Steps)
    addChange(Out, S.What.Kernels, S.What.Launch);
  return Out;
}

Version versionOf(const Source &Text, ArrayRef<Step> Steps) {
  Version V{Text, launchesOf(Steps)};
  V.Inexact = any_of(Steps, [](const Step &S) {
    return S.What.Class != rewrite::Safety::Exact;
  });
  return V;
}

/// \p List, made against this text, in offsets of the given one.
std::optional<Edits> Variant::ofGiven(Edits List) const {
  for (const Edits &Round : reverse(Rounds)) {
    std::optional<Edits> Back = rebase(List, Round);
    if (!Back)
      return std::nullopt;
    List = std::move(*Back);
  }
  return List;
}

unsigned Variant::givenOffset(unsigned Offset) const {
  std::optional<Edits> At = ofGiven({Edit{Offset, 1, ""}});
  return At ? At->front().Offset : Offset;
}

void Variant::leaveOutOthers() {
  if (!Within)
    return;
  llvm::erase_if(Found.Candidates, [&](rewrite::Candidate &C) {
    return !filterAlternatives(
        C, [&](const Edit &E) { return !E.Shared && !liesWithin(E, *Within); });
  });
  llvm::erase_if(Found.Declines, [&](const rewrite::Declined &D) {
    return !liesWithin(Edit{D.Offset, 1, ""}, *Within);
  });
}

Outcome Variant::outcomeOf(const rewrite::Candidate &C,
                           const rewrite::Alternative &A) const {
  Outcome O;
  O.Rewrite = C.Rewrite;
  O.Alternative = A.Label;
  O.Class = A.Class;
  O.Note = A.Note;
  O.Remark = A.Remark;
  O.Explains = A.Explains;
  O.Ulps = A.Ulps;
  O.Launch = A.Launch;
  O.Apart = A.Apart;
  O.Kernels = C.Kernels;
  O.Offset = givenOffset(C);
  O.Line = lineAt(Given->Text, O.Offset);
  return O;
}

Expected<Variant> Variant::with(std::vector<Step> New,
                                const Finder &Find) const {
  Variant Next = *this;
  Edits Round;
  for (Step &S : New) {
    S.Changes = withEndingsOf(Text.Text, std::move(S.Changes));
    S.OfGiven = ofGiven(S.Changes);
    Round.insert(Round.end(), S.Changes.begin(), S.Changes.end());
  }
  Expected<Source> Edited = applyEdits(Text, Round);
  if (!Edited)
    return Edited.takeError();
  Expected<rewrite::Findings> Again = Find(*Edited);
  if (!Again)
    return Again.takeError();
  Next.Text = std::move(*Edited);
  Next.Found = std::move(*Again);
  if (Next.Within)
    moveAlong(*Next.Within, Round);
  Next.leaveOutOthers();
  Next.Rounds.push_back(std::move(Round));
  unsigned Number = Steps.empty() ? 1 : Steps.back().Round + 1;
  for (Step &S : New) {
    S.After = Next.Text;
    S.Round = Number;
    Next.Steps.push_back(std::move(S));
  }
  return Next;
}

/// Rebases \p List, which applies to the same text as \p Round, onto the text
/// that results from \p Round; without the edits that both share.
static Edits rebasedOnto(const Edits &List, const Edits &Round) {
  Edits Out;
  for (Edit E : List) {
    if (E.Shared && is_contained(Round, E))
      continue;
    long Shift = 0;
    for (const Edit &R : inOrder(Round))
      if (R.end() <= E.Offset)
        Shift += long(R.Text.size()) - long(R.Length);
    E.Offset = unsigned(long(E.Offset) + Shift);
    Out.push_back(std::move(E));
  }
  return Out;
}

static std::optional<Source> applied(const Source &Text, const Edits &List) {
  Expected<Source> Out = applyEdits(Text, List);
  if (Out)
    return std::move(*Out);
  consumeError(Out.takeError());
  return std::nullopt;
}

std::optional<std::vector<Step>> Variant::stepsWithout(size_t I) const {
  std::vector<Step> Out;
  Source Now = *Given;
  Edits Missing; // what makes the text with step I of Now
  for (size_t Begin = 0, End; Begin < Steps.size(); Begin = End) {
    Edits Round;
    for (End = Begin;
         End < Steps.size() && Steps[End].Round == Steps[Begin].Round; ++End) {
      if (End == I)
        continue;
      std::optional<Edits> Own = rebase(Steps[End].Changes, Missing);
      if (!Own)
        return std::nullopt;
      Round.insert(Round.end(), Own->begin(), Own->end());
      Out.push_back(Steps[End]);
      Out.back().Changes = std::move(*Own);
    }
    std::optional<Source> Next = applied(Now, Round);
    if (!Next)
      return std::nullopt;
    bool Here = Begin <= I && I < End;
    Missing = rebasedOnto(Here ? Steps[I].Changes : Missing, Round);
    // Edits that stand edge to edge could be put together in two ways.
    std::optional<Source> With = applied(*Next, Missing);
    if (!With || With->Text != Steps[Begin].After.Text)
      return std::nullopt;
    for (Step &S : MutableArrayRef(Out).take_back(End - Begin - Here))
      S.After = *Next;
    Now = std::move(*Next);
  }
  return Out;
}

Edits Variant::placesInGiven(const Step &S) const {
  Edits Out;
  for (const Edit &E : S.Changes) {
    std::optional<Edits> At = Edits{E};
    for (size_t I = Steps.size(); I-- > 0 && At;) {
      if (Steps[I].Round >= S.Round ||
          (I + 1 < Steps.size() && Steps[I + 1].Round == Steps[I].Round))
        continue;
      Edits Round;
      for (const Step &Each : Steps)
        if (Each.Round == Steps[I].Round)
          append_range(Round, Each.Changes);
      At = rebase(*At, Round);
    }
    if (At)
      append_range(Out, *At);
  }
  return Out;
}

void Variant::leave(std::vector<Step> Left) {
  Steps = std::move(Left);
  Text = Steps.empty() ? *Given : Steps.back().After;
  Rounds.clear();
  for (size_t I = 0; I < Steps.size(); ++I) {
    if (!I || Steps[I].Round != Steps[I - 1].Round)
      Rounds.emplace_back();
    append_range(Rounds.back(), Steps[I].Changes);
  }
  Within = GivenWithin;
  if (Within)
    for (const Edits &Round : Rounds)
      moveAlong(*Within, Round);
}

bool isSame(const Outcome &A, const Outcome &B) {
  return A.Rewrite == B.Rewrite && A.Offset == B.Offset &&
         A.Alternative == B.Alternative;
}

void takeBack(Outcome What, const std::string &Reason,
              std::vector<Outcome> &Rejected) {
  llvm::erase_if(Rejected, [&](const Outcome &O) { return isSame(O, What); });
  What.Applied = false;
  What.Reason = Reason;
  Rejected.push_back(std::move(What));
}

} // namespace clrewrite::select
