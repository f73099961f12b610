// Which edits a suppression forbids.
//
// It forbids those of the rewrites that it names which touch what it covers,
// and their sites there whatever they touch. Beyond that the text that an edit
// leaves must say the same as before, since it is all that the next look has:
// so no edit of any rewrite changes a comment with a suppression, and none
// changes how many lines there are in a line that is suppressed for others, or
// a part of it would be so no more.
#include "pipeline/Suppressing.h"
#include "select/FilterAlternatives.h"
#include "source/Nearest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::pipeline {

/// \p Before without the #line directives at its end, which the reader of a
/// comment for the next line doesn't see.
static StringRef withoutMarkers(StringRef Before) {
  while (Before.ends_with("\n")) {
    size_t Start = Before.drop_back().rfind('\n') + 1; // 0 if there's none
    if (!Before.substr(Start).starts_with("#line "))
      break;
    Before = Before.take_front(Start);
  }
  return Before;
}

/// Adds to \p Out, of \p Text, what holds in it as \p B has it.
static void addFromAround(frontend::Suppressions &Out, size_t OwnMarks,
                          StringRef Text, const Build &B) {
  StringRef Before = withoutMarkers(B.Before);
  size_t Begin = Before.size(), End = Begin + Text.size();
  frontend::Suppressions All =
      frontend::suppressionsIn(Before.str() + Text.str() + B.After);
  auto HoldsHere = [&](Range &R) {
    if (R.Begin >= End || R.End <= Begin)
      return false;
    R = {R.Begin - std::min(R.Begin, Begin),
         R.End > End ? Text.size() + 1 : R.End - Begin};
    return true;
  };
  if (All.Marks.size() != OwnMarks) // its other end may be one of them
    erase_if(Out.Problems, [](const auto &P) { return P.Unpaired; });
  for (frontend::Suppressions::Mark M : All.Marks)
    if (HoldsHere(M.At))
      Out.Marks.push_back({M.At, 0});
  for (frontend::Suppression &S : All.List) {
    S.FromBefore = S.Covers.Begin < Begin;
    S.Line = 0;
    if (HoldsHere(S.Covers))
      Out.List.push_back(std::move(S));
  }
}

frontend::Suppressions suppressionsIn(StringRef Text, ArrayRef<Build> Builds) {
  frontend::Suppressions Out = frontend::suppressionsIn(Text);
  size_t OwnMarks = Out.Marks.size();
  auto IsAPart = [](const Build &B) {
    return !B.Before.empty() || !B.After.empty();
  };
  if (any_of(Builds, IsAPart))
    for (frontend::Suppression &S : Out.List)
      S.Elsewhere = S.Covers.End > Text.size() || (S.ofLine() && S.Line == 1);
  for (const Build &B : make_filter_range(Builds, IsAPart))
    addFromAround(Out, OwnMarks, Text, B);
  return Out;
}

/// \p E changes bytes of \p R, or inserts between them.
static bool touches(const Edit &E, Range R) {
  return E.Length ? E.Offset < R.End && E.end() > R.Begin
                  : E.Offset > R.Begin && E.Offset < R.End;
}

static bool holds(Range R, size_t Offset) {
  return Offset >= R.Begin && Offset < R.End;
}

/// \p E is put in at the text's start, between what \p S covers before that and
/// in it.
static bool parts(const Edit &E, const frontend::Suppression &S) {
  return S.FromBefore && E.Length == 0 && E.Offset == 0;
}

/// What other sites need at a file's top is no change of the line there; but
/// off is off.
static bool forbids(const frontend::Suppression &S, const Edit &E) {
  if (parts(E, S) && S.ofLine())
    return true;
  return (touches(E, S.Covers) || parts(E, S)) &&
         (!E.Shared || S.Form == frontend::Suppression::Off);
}

/// The line of a comment that \p E, of \p Rewrite, would take from its place.
static std::optional<unsigned> displaced(const Edit &E, StringRef Rewrite,
                                         StringRef Text,
                                         const frontend::Suppressions &Of) {
  for (const frontend::Suppressions::Mark &M : Of.Marks)
    if (touches(E, M.At))
      return M.Line;
  bool Lines = StringRef(E.Text).contains('\n') ||
               Text.slice(E.Offset, E.end()).contains('\n');
  auto MovesItDown = [&](const frontend::Suppression &S) {
    return S.Form == frontend::Suppression::ThisLine && E.Length == 0 &&
           !parts(E, S) && Text.slice(S.Covers.Begin, E.Offset).trim().empty();
  };
  for (const frontend::Suppression &S : Of.List)
    if (Lines && S.ofLine() && !S.names(Rewrite) &&
        (touches(E, S.Covers) || parts(E, S)) && !MovesItDown(S))
      return S.Line;
  return std::nullopt;
}

/// Lines that are put before one that the comment above suppresses for others
/// go before that comment too: nothing but blanks stands between.
static void stepOver(Edit &E, StringRef Rewrite, StringRef Text,
                     const frontend::Suppressions &Of) {
  if (E.Length || E.Shared || !StringRef(E.Text).contains('\n'))
    return;
  for (const frontend::Suppression &S : Of.List) {
    size_t Comment = S.Covers.Begin;
    size_t Start =
        Text.take_front(Comment).rfind('\n') + 1; // 0 if there's none
    size_t Line = Text.find('\n', Comment) + 1;
    if (S.Form == frontend::Suppression::NextLine && !S.names(Rewrite) &&
        touches(E, S.Covers) && E.Offset >= Line &&
        Text.slice(Line, E.Offset).trim().empty() &&
        Text.slice(Start, Comment).trim().empty() &&
        Text.substr(Comment).starts_with("//") &&
        frontend::takesCommentLine(Text, Start))
      E.Offset = unsigned(Comment);
  }
}

Suppressing::Use *Suppressing::useOf(size_t I,
                                     const frontend::Suppressions &Of) {
  if (Uses.empty())
    Uses.resize(Of.List.size());
  return Uses.size() == Of.List.size() ? &Uses[I] : nullptr;
}

/// True where nothing of \p C is left, and \p Why then.
bool Suppressing::holdBack(rewrite::Candidate &C, StringRef Text,
                           const frontend::Suppressions &Of, std::string &Why,
                           function_ref<unsigned(unsigned)> LineOf) {
  for (rewrite::Alternative &A : C.Alternatives)
    for (Edit &E : A.Changes)
      stepOver(E, C.Rewrite, Text, Of);
  const frontend::Suppression *First = nullptr;
  bool Whole = false;
  for (size_t I = 0; I < Of.List.size(); ++I) {
    const frontend::Suppression &S = Of.List[I];
    bool Here = holds(S.Covers, C.Offset);
    if (!S.names(C.Rewrite) ||
        !(Here || any_of(C.Alternatives, [&](const rewrite::Alternative &A) {
            return any_of(A.Changes,
                          [&](const Edit &E) { return forbids(S, E); });
          })))
      continue;
    if (Use *U = useOf(I, Of))
      U->By.insert(C.Rewrite);
    if (!First || (Here && !Whole))
      First = &S;
    Whole |= Here;
  }
  unsigned Moved = 0;
  auto Unwanted = [&](const Edit &E) {
    std::optional<unsigned> Line = displaced(E, C.Rewrite, Text, Of);
    Moved = Line.value_or(Moved);
    return Line || any_of(Of.List, [&](const frontend::Suppression &S) {
             return S.names(C.Rewrite) && forbids(S, E);
           });
  };
  if (!Whole && select::filterAlternatives(C, Unwanted))
    return false;
  unsigned Line = First ? First->Line : Moved;
  Why = (First ? "suppressed by " : "suppressed, since it would part ") +
        (Line ? "the comment in line " + utostr(LineOf(Line))
              : "a comment outside of this text");
  return true;
}

void Suppressing::sift(rewrite::Findings &F, StringRef Text,
                       const frontend::Suppressions &Of,
                       function_ref<unsigned(unsigned)> LineOf) {
  if (Of.Marks.empty() && Of.List.empty())
    return;
  for (auto [I, S] : enumerate(Of.List))
    if (Use *U = useOf(I, Of))
      U->Compiled |= none_of(F.Skipped, [R = S.Covers](const auto &Skipped) {
        return R.Begin >= Skipped.first && R.End <= Skipped.second;
      });
  std::vector<rewrite::Candidate> Kept;
  for (rewrite::Candidate &C : F.Candidates) {
    std::string Why;
    if (holdBack(C, Text, Of, Why, LineOf))
      F.Declines.push_back({C.Rewrite, C.Function, C.Kernels, C.Line, C.Offset,
                            Why,
                            /*Suppressed=*/true});
    else
      Kept.push_back(std::move(C));
  }
  F.Candidates = std::move(Kept);
  llvm::sort(F.Declines,
             [](const rewrite::Declined &A, const rewrite::Declined &B) {
               return std::tie(A.Offset, A.Rewrite, A.Function) <
                      std::tie(B.Offset, B.Rewrite, B.Function);
             });
}

void Suppressing::sift(std::vector<advice::Advice> &Notes,
                       const frontend::Suppressions &Of) {
  llvm::erase_if(Notes, [&](const advice::Advice &A) {
    bool Any = false;
    for (auto [I, S] : enumerate(Of.List)) {
      if (!S.names(A.Name) || !holds(S.Covers, A.Offset))
        continue;
      if (Use *U = useOf(I, Of))
        U->By.insert(A.Name);
      Any = true;
    }
    return Any;
  });
}

std::vector<rewrite::Warning>
Suppressing::warnings(const frontend::Suppressions &Given,
                      ArrayRef<StringRef> Known, ArrayRef<StringRef> Tried,
                      ArrayRef<StringRef> Advice) const {
  constexpr unsigned AnyNumber = 1 << 20; // of letters
  std::vector<rewrite::Warning> Out;
  SmallVector<StringRef> All(Known);
  append_range(All, Advice);
  for (const frontend::Suppressions::Problem &P : Given.Problems)
    Out.push_back({P.Line, "", P.Message});
  for (auto [I, S] : enumerate(Given.List)) {
    if (!S.Line)
      continue; // told of the text in which it is
    std::vector<std::string> Idle;
    bool Used = I < Uses.size() && !Uses[I].By.empty();
    bool Compiled = I < Uses.size() && Uses[I].Compiled;
    for (const std::string &Name : S.Rules)
      if (is_contained(Advice, Name))
        continue; // It may be there for a run that asks for it.
      else if (!is_contained(Known, Name))
        Out.push_back({S.Line, "",
                       "there is no rewrite '" + Name + "'; the nearest is '" +
                           nearest(Name, All, AnyNumber).str() + "'"});
      else if (is_contained(Tried, Name) && Compiled && !Uses[I].By.count(Name))
        Idle.push_back(Name);
    if (S.Elsewhere)
      continue;
    if (!Idle.empty())
      Out.push_back({S.Line, "",
                     S.spelled() + " is not needed: " + join(Idle, ", ") +
                         " has no site there; remove " +
                         (Idle.size() == S.Rules.size() ? "it" : "the name")});
    if (S.Rules.empty() && !Used && Compiled && Tried.size() == Known.size())
      Out.push_back({S.Line, "",
                     S.spelled() +
                         " is not needed: no rewrite has a site there; remove "
                         "it"});
  }
  llvm::sort(Out, [](const rewrite::Warning &A, const rewrite::Warning &B) {
    return std::tie(A.Line, A.Message) < std::tie(B.Line, B.Message);
  });
  return Out;
}

} // namespace clrewrite::pipeline
