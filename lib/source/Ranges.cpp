// Ranges of bytes, and how edits move them.
#include "source/Ranges.h"
#include "source/Lines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite {

std::string lineNumbers(ArrayRef<LineRange> Lines) {
  constexpr size_t Most = 10;
  std::vector<LineRange> Joined;
  for (LineRange L : Lines)
    if (!Joined.empty() && L.First == Joined.back().Last + 1)
      Joined.back().Last = L.Last;
    else
      Joined.push_back(L);
  std::vector<std::string> Out;
  for (LineRange L : ArrayRef(Joined).take_front(Most))
    Out.push_back(utostr(L.First) +
                  (L.First == L.Last ? "" : "-" + utostr(L.Last)));
  return join(Out, ", ") +
         (Joined.size() > Most
              ? " and " + utostr(Joined.size() - Most) + " more places"
              : "");
}

Ranges bytesOf(StringRef Text, ArrayRef<LineRange> Lines) {
  std::vector<size_t> Starts = {0};
  for (size_t I = 0; I < Text.size(); ++I)
    if (Text[I] == '\n')
      Starts.push_back(I + 1);
  Starts.push_back(Text.size() + 1);
  size_t Count = Starts.size() - 1;
  Ranges Out;
  for (LineRange L : Lines)
    if (L.First <= std::min(L.Last, Count))
      Out.push_back({Starts[L.First - 1], Starts[std::min(L.Last, Count)]});
  llvm::sort(Out,
             [](const Range &A, const Range &B) { return A.Begin < B.Begin; });
  Ranges Joined;
  for (const Range &R : Out)
    if (!Joined.empty() && R.Begin <= Joined.back().End)
      Joined.back().End = std::max(Joined.back().End, R.End);
    else
      Joined.push_back(R);
  return Joined;
}

std::vector<LineRange>
linesSkipped(StringRef Text, ArrayRef<std::pair<unsigned, unsigned>> Skipped) {
  std::vector<LineRange> Out;
  for (const auto &[Begin, End] : Skipped) {
    SmallVector<StringRef> Lines;
    Text.slice(Begin, End).split(Lines, '\n');
    // The first line is the directive, the last what stands before the next.
    if (Lines.size() < 3)
      continue;
    bool Code = false, Continues = false;
    for (StringRef Line : ArrayRef(Lines).drop_front().drop_back()) {
      StringRef Trimmed = Line.trim();
      bool Directive = Continues || Trimmed.starts_with("#");
      Continues = Directive && Trimmed.ends_with("\\");
      Code |= !Directive && !Trimmed.empty() && !Trimmed.starts_with("//") &&
              !Trimmed.starts_with("/*") && !Trimmed.starts_with("*");
    }
    size_t First = lineAt(Text, Begin);
    if (Code)
      Out.push_back({First + 1, First + Lines.size() - 2});
  }
  return Out;
}

static bool liesWithin(const Edit &E, const Range &R) {
  return E.Offset >= R.Begin && E.Offset < R.End && E.end() <= R.End;
}

bool liesWithin(const Edit &E, const Ranges &List) {
  return any_of(List, [&](const Range &R) { return liesWithin(E, R); });
}

void moveAlong(Ranges &List, ArrayRef<Edit> Applied) {
  Edits Each = inOrder(Applied);
  for (Range &R : List) {
    Range Moved = R;
    for (const Edit &E : Each) {
      size_t More = E.Text.size() - E.Length; // wraps round where it is less
      if (liesWithin(E, R))
        Moved.End += More;
      else if (E.end() <= R.Begin) {
        Moved.Begin += More;
        Moved.End += More;
      }
    }
    R = Moved;
  }
}

} // namespace clrewrite
