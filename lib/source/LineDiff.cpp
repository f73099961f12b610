// Myers' greedy algorithm ("An O(ND) difference algorithm and its variations",
// 1986): with each further line that is taken from one text alone, it goes as
// far as it can on each diagonal of the grid of both texts.
#include "source/LineDiff.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite {
namespace {

/// Its memory grows with the square of this.
constexpr long MostDifferent = 2000;

/// By the count of lines that are taken from one text alone: how far, in old
/// lines, each diagonal gets. Diagonal K is at index K + count.
using Reached = std::vector<std::vector<long>>;

/// Empty where more lines differ than are looked for.
Reached search(ArrayRef<StringRef> Old, ArrayRef<StringRef> New) {
  long N = long(Old.size()), M = long(New.size());
  Reached All;
  for (long D = 0; D <= std::min(N + M, MostDifferent); ++D) {
    std::vector<long> Now(size_t(2 * D + 1));
    for (long K = -D; K <= D; K += 2) {
      long X = 0;
      if (D) {
        auto At = [&](long Of) { return All.back()[size_t(Of + D - 1)]; };
        bool Down = K == -D || (K != D && At(K - 1) < At(K + 1));
        X = Down ? At(K + 1) : At(K - 1) + 1;
      }
      while (X < N && X - K < M && Old[size_t(X)] == New[size_t(X - K)])
        ++X;
      Now[size_t(K + D)] = X;
      if (X >= N && X - K >= M) {
        All.push_back(std::move(Now));
        return All;
      }
    }
    All.push_back(std::move(Now));
  }
  return {};
}

} // namespace

std::vector<StringRef> linesOf(StringRef Text) {
  std::vector<StringRef> Out;
  while (!Text.empty()) {
    size_t End = std::min(Text.find('\n'), Text.size() - 1) + 1;
    Out.push_back(Text.take_front(End));
    Text = Text.drop_front(End);
  }
  return Out;
}

std::vector<Hunk> differences(ArrayRef<StringRef> Old,
                              ArrayRef<StringRef> New) {
  size_t Same = 0;
  while (Same < std::min(Old.size(), New.size()) && Old[Same] == New[Same])
    ++Same;
  Old = Old.drop_front(Same);
  New = New.drop_front(Same);
  while (!Old.empty() && !New.empty() && Old.back() == New.back()) {
    Old = Old.drop_back();
    New = New.drop_back();
  }
  if (Old.empty() && New.empty())
    return {};
  Reached All = search(Old, New);
  if (All.empty())
    return {{Same, Same + Old.size(), Same, Same + New.size()}};
  std::vector<Hunk> Out;
  long X = long(Old.size()), Y = long(New.size());
  for (long D = long(All.size()) - 1; D > 0; --D) {
    auto At = [&](long Of) { return All[size_t(D - 1)][size_t(Of + D - 1)]; };
    long K = X - Y;
    bool Down = K == -D || (K != D && At(K - 1) < At(K + 1));
    long FromX = Down ? At(K + 1) : At(K - 1);
    long FromY = FromX - (Down ? K + 1 : K - 1);
    long ToX = FromX + !Down, ToY = FromY + Down;
    if (!Out.empty() && long(Out.back().OldBegin) == ToX &&
        long(Out.back().NewBegin) == ToY) {
      Out.back().OldBegin = size_t(FromX);
      Out.back().NewBegin = size_t(FromY);
    } else {
      Out.push_back({size_t(FromX), size_t(ToX), size_t(FromY), size_t(ToY)});
    }
    X = FromX;
    Y = FromY;
  }
  std::reverse(Out.begin(), Out.end());
  for (Hunk &H : Out) {
    H.OldBegin += Same;
    H.OldEnd += Same;
    H.NewBegin += Same;
    H.NewEnd += Same;
  }
  return Out;
}

} // namespace clrewrite
