// The lines that differ are grown to where a directive may stand, joined with
// their neighbours, and put into shelters.
#include "source/Arms.h"
#include "source/Edit.h"
#include "source/LineDiff.h"
#include "source/LineScanner.h"
#include "source/Shelter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace llvm;

namespace clrewrite {
namespace {

/// The part of a function's lines that may stand twice.
constexpr double MostDoubled = 0.8;

/// A text by its lines; Edges has one more.
struct Lines {
  std::vector<StringRef> Each;
  std::vector<Edge> Edges = {Edge()};

  explicit Lines(StringRef Text) : Each(linesOf(Text)) {
    LineScanner S;
    for (StringRef Line : Each)
      Edges.push_back(S.next(Line));
  }

  /// A directive may stand before line \p I. What a macro's name ends, an
  /// argument list may begin in the next line.
  bool maySplit(size_t I) const {
    return Edges[I].InCode && Edges[I].Parentheses == 0 &&
           (I == Each.size() || !Each[I].ltrim().starts_with("("));
  }

  ArrayRef<StringRef> slice(size_t Begin, size_t End) const {
    return ArrayRef(Each).slice(Begin, End - Begin);
  }
};

bool allMayBeSheltered(ArrayRef<StringRef> List) {
  return all_of(List, mayBeSheltered);
}

/// Of an insertion that may stand in several places, since a line before it is
/// like its last, that with the fewest open braces, and so between functions
/// rather than within one.
void slide(Hunk &H, const Lines &Others, const Lines &Own, size_t Least) {
  if (H.OldBegin != H.OldEnd)
    return;
  Hunk Best = H;
  auto Depth = [&](const Hunk &At) { return Others.Edges[At.OldBegin].Braces; };
  while (H.OldBegin > Least &&
         Own.Each[H.NewBegin - 1] == Own.Each[H.NewEnd - 1]) {
    H = {H.OldBegin - 1, H.OldEnd - 1, H.NewBegin - 1, H.NewEnd - 1};
    if (Depth(H) < Depth(Best))
      Best = H;
  }
  H = Best;
}

/// The lines of the shelters' own around and between the parts of \p H.
size_t directives(const Hunk &H) { return H.OldBegin == H.OldEnd ? 2 : 3; }

/// The two hunks take fewer lines in one shelter.
bool belongTogether(const Hunk &A, const Hunk &B, const Lines &Others) {
  size_t Between = B.OldBegin - A.OldEnd;
  return 3 + Between < directives(A) + directives(B) &&
         allMayBeSheltered(Others.slice(A.OldEnd, B.OldBegin));
}

/// \p A, which \p B follows, and all up to the end of \p B.
Hunk both(const Hunk &A, const Hunk &B) {
  return {A.OldBegin, B.OldEnd, A.NewBegin, B.NewEnd};
}

/// The lines that differ, grown until directives may stand around each hunk.
Expected<std::vector<Hunk>> hunksOf(const Lines &Others, const Lines &Own) {
  std::vector<Hunk> All = differences(Others.Each, Own.Each), Out;
  for (size_t I = 0; I < All.size(); ++I)
    slide(All[I], Others, Own, I ? All[I - 1].OldEnd : 0);
  for (size_t I = 0; I < All.size(); ++I) {
    Hunk H = All[I];
    while (true) {
      if (!Out.empty() && Out.back().OldEnd == H.OldBegin) {
        H = both(Out.back(), H);
        Out.pop_back();
      } else if (I + 1 < All.size() && All[I + 1].OldBegin == H.OldEnd) {
        H = both(H, All[++I]);
      } else if (!Others.maySplit(H.OldBegin) || !Own.maySplit(H.NewBegin)) {
        if (!H.OldBegin)
          return createStringError("a parenthesis or a comment is open around "
                                   "its lines");
        --H.OldBegin;
        --H.NewBegin;
      } else if (!Others.maySplit(H.OldEnd) || !Own.maySplit(H.NewEnd)) {
        if (H.OldEnd == Others.Each.size())
          return createStringError("a parenthesis or a comment is open around "
                                   "its lines");
        ++H.OldEnd;
        ++H.NewEnd;
      } else {
        break;
      }
    }
    while (!Out.empty() && belongTogether(Out.back(), H, Others)) {
      H = both(Out.back(), H);
      Out.pop_back();
    }
    Out.push_back(H);
  }
  return Out;
}

/// A shelter that is to be: the lines of the others in it, and by text its own.
struct Group {
  size_t Begin = 0, End = 0;
  std::vector<std::optional<std::pair<size_t, size_t>>> Own;
};

/// Where line \p Old of the others stands in a text with \p Hunks, of which
/// none has it in its middle; in front of a hunk there, or \p Behind it.
size_t moved(size_t Old, ArrayRef<Hunk> Hunks, bool Behind) {
  size_t New = Old;
  for (const Hunk &H : Hunks)
    if (H.OldEnd < Old || (H.OldEnd == Old && (Behind || H.OldBegin < Old)))
      New = H.NewEnd + (Old - H.OldEnd);
  return New;
}

/// Hunks of different texts that overlap or touch are of one group.
std::vector<Group> grouped(ArrayRef<std::vector<Hunk>> ByText) {
  std::vector<std::pair<size_t, size_t>> All;
  for (const std::vector<Hunk> &List : ByText)
    for (const Hunk &H : List)
      All.push_back({H.OldBegin, H.OldEnd});
  llvm::sort(All);
  std::vector<Group> Out;
  for (auto [Begin, End] : All)
    if (!Out.empty() && Begin <= Out.back().End)
      Out.back().End = std::max(Out.back().End, End);
    else
      Out.push_back({Begin, End, {}});
  for (Group &G : Out)
    for (const std::vector<Hunk> &List : ByText) {
      bool Has = any_of(List, [&](const Hunk &H) {
        return G.Begin <= H.OldBegin && H.OldEnd <= G.End;
      });
      G.Own.emplace_back();
      if (Has)
        G.Own.back() = {moved(G.Begin, List, /*Behind=*/false),
                        moved(G.End, List, /*Behind=*/true)};
    }
  return Out;
}

/// By line, the body of a function that it is in, and how many lines that has,
/// without those of its outer braces. Lines of no body have 0.
std::vector<std::pair<unsigned, size_t>> bodiesOf(const Lines &Of) {
  std::vector<std::pair<unsigned, size_t>> Out(Of.Each.size());
  unsigned Number = 0;
  for (size_t I = 0; I < Out.size(); ++I) {
    size_t End = I;
    while (End < Out.size() && Of.Edges[End].Braces > 0 &&
           Of.Edges[End + 1].Braces > 0)
      ++End;
    ++Number;
    for (size_t At = I; At < End; ++At)
      Out[At] = {Number, End - I};
    I = std::max(I, End);
  }
  return Out;
}

/// Why \p Groups can't stand in \p Others; empty where they can.
std::string whyNot(ArrayRef<Group> Groups, const Lines &Others,
                   ArrayRef<Lines> Own, StringRef Text) {
  auto Bodies = bodiesOf(Others);
  std::map<unsigned, std::pair<size_t, size_t>> Doubled; // and all, by body
  for (const Group &G : Groups) {
    if (!allMayBeSheltered(Others.slice(G.Begin, G.End)))
      return "its lines hold a directive, the border of a block comment, or a "
             "line that goes on in the next";
    for (auto [Each, Range] : zip(Own, G.Own))
      if (Range && !allMayBeSheltered(Each.slice(Range->first, Range->second)))
        return "it adds a directive, the border of a block comment, or a line "
               "that goes on in the next";
    auto OffsetOf = [&](size_t I) {
      return unsigned(I < Others.Each.size()
                          ? Others.Each[I].begin() - Text.begin()
                          : long(Text.size()));
    };
    unsigned Begin = OffsetOf(G.Begin);
    if (isInShelter({Begin, OffsetOf(G.End) - Begin, ""}, Text))
      return "its lines are kept for some GPUs already";
    for (size_t I = G.Begin; I < G.End; ++I) {
      auto [Body, Count] = Bodies[I];
      if (!Body || !Count)
        return "its lines hold the head or the end of a function";
      Doubled[Body] = {Doubled[Body].first + 1, Count};
    }
  }
  for (const auto &[Body, Lines] : Doubled)
    if (double(Lines.first) > MostDoubled * double(Lines.second))
      return formatv("{0} of the {1} lines of a function would stand there "
                     "twice, and no more than four fifths may",
                     Lines.first, Lines.second);
  return "";
}

/// Appends \p List to \p Out, each line with an end.
void append(std::string &Out, ArrayRef<StringRef> List, StringRef Ending) {
  for (StringRef Line : List) {
    Out += Line;
    if (!Line.ends_with("\n"))
      Out += Ending;
  }
}

/// The first of \p List on lines of \p Text from \p Begin to \p End.
std::string wordsOn(ArrayRef<Remark> List, ArrayRef<StringRef> Text,
                    std::pair<size_t, size_t> Range) {
  size_t At = 0, Begin = 0, End = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    Begin = I == Range.first ? At : Begin;
    At += Text[I].size();
    End = I < Range.second ? At : End;
  }
  for (const Remark &R : List)
    if (!R.Words.empty() && R.Offset >= Begin && R.Offset < End)
      return ": " + R.Words;
  return "";
}

} // namespace

Expected<std::string> withArms(StringRef Text, ArrayRef<OwnText> Own) {
  const Lines Others(Text);
  std::vector<Lines> Each;
  std::vector<std::vector<Hunk>> Hunks;
  for (const OwnText &T : Own) {
    Each.emplace_back(T.Text);
    Expected<std::vector<Hunk>> List = hunksOf(Others, Each.back());
    if (!List)
      return List.takeError();
    Hunks.push_back(std::move(*List));
  }
  std::vector<Group> Groups = grouped(Hunks);
  StringRef Ending = lineEnding(Text);
  std::string Why = Ending == "\r" && !Groups.empty()
                        ? "the lines of the text end as no compiler expects"
                        : whyNot(Groups, Others, Each, Text);
  if (!Why.empty())
    return createStringError(Why);
  std::string Out;
  size_t At = 0;
  for (const Group &G : Groups) {
    for (StringRef Line : Others.slice(At, G.Begin))
      Out += Line;
    ArrayRef<StringRef> Old = Others.slice(G.Begin, G.End);
    StringRef Indent;
    bool First = true;
    auto Directive = [&](const Twine &Line) {
      Out += (Indent + Line).str();
      Out += Ending;
    };
    for (auto [T, Ls, Range] : zip(Own, Each, G.Own)) {
      if (!Range)
        continue;
      ArrayRef<StringRef> New = Ls.slice(Range->first, Range->second);
      if (First)
        Indent = (New.empty() ? Old : New).front().take_while([](char C) {
          return C == ' ' || C == '\t';
        });
      Directive(shelterLine(T.For, First) +
                wordsOn(T.Remarks, Ls.Each, *Range));
      append(Out, New, Ending);
      First = false;
    }
    if (!Old.empty()) {
      Directive("#else");
      append(Out, Old, Ending);
    }
    Directive("#endif");
    At = G.End;
  }
  for (StringRef Line : Others.slice(At, Others.Each.size()))
    Out += Line;
  if (!Groups.empty() && At == Others.Each.size() && !Text.ends_with("\n"))
    Out.resize(Out.size() - Ending.size());
  return Out;
}

} // namespace clrewrite
