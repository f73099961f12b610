// Applying edits to a version, and finding the way back to the given text.
#include "select/Version.h"
#include "rewrite/LeaveOut.h"
#include "source/Lines.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite {

/// \p List, made against this text, in offsets of the given one.
std::optional<Edits> Version::ofGiven(Edits List) const {
  for (const Edits &Round : reverse(Rounds)) {
    std::optional<Edits> Back = rebase(List, Round);
    if (!Back)
      return std::nullopt;
    List = std::move(*Back);
  }
  return List;
}

unsigned Version::givenOffset(const Candidate &C) const {
  std::optional<Edits> At = ofGiven({Edit{C.Offset, 1, ""}});
  return At ? At->front().Offset : C.Offset;
}

void Version::leaveOutOthers() {
  if (!Within)
    return;
  llvm::erase_if(Found.Candidates, [&](Candidate &C) {
    return !leaveOut(
        C, [&](const Edit &E) { return !E.Shared && !liesWithin(E, *Within); });
  });
  llvm::erase_if(Found.Declines, [&](const Declined &D) {
    return !liesWithin(Edit{D.Offset, 1, ""}, *Within);
  });
}

Outcome Version::outcomeOf(const Candidate &C, const Alternative &A) const {
  Outcome O;
  O.Rewrite = C.Rewrite;
  O.Alternative = A.Label;
  O.Class = A.Class;
  O.Note = A.Note;
  O.Ulps = A.Ulps;
  O.Kernels = C.Kernels;
  O.Offset = givenOffset(C);
  O.Line = lineAt(Given->Text, O.Offset);
  return O;
}

Expected<Version> Version::with(std::vector<Step> New,
                                const Finder &Find) const {
  Version Next = *this;
  Edits Round;
  for (Step &S : New) {
    S.Changes = withEndingsOf(this->Text.Text, std::move(S.Changes));
    S.OfGiven = ofGiven(S.Changes);
    Round.insert(Round.end(), S.Changes.begin(), S.Changes.end());
  }
  Expected<Source> Text = applyEdits(this->Text, Round);
  if (!Text)
    return Text.takeError();
  Expected<Findings> Again = Find(*Text);
  if (!Again)
    return Again.takeError();
  Next.Text = std::move(*Text);
  Next.Found = std::move(*Again);
  if (Next.Within)
    moveAlong(*Next.Within, Round);
  Next.leaveOutOthers();
  Next.Rounds.push_back(std::move(Round));
  for (Step &S : New) {
    S.After = Next.Text;
    Next.Steps.push_back(std::move(S));
  }
  return Next;
}

std::optional<Source> Version::textWithout(size_t I) const {
  Edits Rest;
  for (const Step &S : Steps) {
    if (!S.OfGiven)
      return std::nullopt;
    if (&S != &Steps[I])
      Rest.insert(Rest.end(), S.OfGiven->begin(), S.OfGiven->end());
  }
  Expected<Source> Text = applyEdits(*Given, Rest);
  if (!Text) {
    consumeError(Text.takeError());
    return std::nullopt;
  }
  return std::move(*Text);
}

void takeBack(Outcome What, const std::string &Reason,
              std::vector<Outcome> &Rejected) {
  llvm::erase_if(Rejected, [&](const Outcome &O) {
    return O.Rewrite == What.Rewrite && O.Offset == What.Offset &&
           O.Alternative == What.Alternative;
  });
  What.Applied = false;
  What.Reason = Reason;
  Rejected.push_back(std::move(What));
}

} // namespace clrewrite
