// The list of lines by age, and its markers.
#include "measure/execute/ReuseDistances.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace clrewrite::measure {

/// The last place of \p Class: 1, 2, 5, 10, 20 and so on. A quarter more than a
/// power of two counts as that, since what fills a cache by its size mostly
/// stays there beside the few lines that a kernel has besides.
static size_t lastPlaceOf(unsigned Class) {
  return Class < 2 ? size_t(1) << Class : size_t(5) << (Class - 2);
}

/// The highest class whose lines are all in a wave's share of the L1.
static unsigned lateClass(const GpuModel &Model) {
  constexpr double WavesOfASimd = 16;
  double Lines =
      Model.L1Bytes / double(Model.LineBytes) / (Model.L1Simds * WavesOfASimd);
  unsigned Class = 0;
  while (double(lastPlaceOf(Class + 1)) <= Lines)
    ++Class;
  return Class;
}

ReuseDistances::ReuseDistances(const GpuModel &Model)
    : PieceBytes(double(Model.FillBytes)),
      WriteBackBytes(PieceBytes * Model.WriteBackTimes),
      ShareOfOneLine(Log2_64(uint64_t(Model.LineBytes)) -
                     Log2_64(uint64_t(FetchedAgain::SmallestShare))),
      Late(lateClass(Model)) {}

/// Adds \p Bytes for accesses to lines of \p Class, which caches miss that are
/// smaller, but not for those that are smaller than \p Done.
void ReuseDistances::add(double Bytes, unsigned Class, unsigned Done) {
  // Less than a line counts as one.
  const unsigned First = Done ? Done + ShareOfOneLine : 0,
                 End = Class ? Class + ShareOfOneLine : 0;
  for (unsigned I = First; I < std::min(End, FetchedAgain::Shares); ++I)
    Again.Bytes[I] += Bytes;
}

/// The line \p Number; one that is new is the oldest.
ReuseDistances::Index ReuseDistances::find(uint64_t Number) {
  auto [It, New] = Numbers.try_emplace(Number, Index(Lines.size()));
  const Index I = It->second;
  if (!New)
    return I;
  Line &L = Lines.emplace_back();
  L.Newer = Oldest;
  L.Class = unsigned(Markers.size());
  (Oldest == None ? Newest : Lines[Oldest].Older) = I;
  Oldest = I;
  if (Lines.size() == lastPlaceOf(L.Class))
    Markers.push_back(I);
  return I;
}

/// Makes \p I the newest line: those that were newer age by one place.
void ReuseDistances::renew(Index I) {
  if (I == Newest)
    return;
  Line &L = Lines[I];
  for (unsigned C = 0; C < L.Class; ++C) {
    const Index Aged = Markers[C];
    Lines[Aged].Class = C + 1;
    Markers[C] = C == 0 ? I : Lines[Aged].Newer;
  }
  if (L.Class < Markers.size() && Markers[L.Class] == I)
    Markers[L.Class] = L.Newer;
  Lines[L.Newer].Older = L.Older;
  (L.Older == None ? Oldest : Lines[L.Older].Newer) = L.Newer;
  L.Newer = None;
  L.Older = Newest;
  L.Class = 0;
  Newest = Lines[Newest].Newer = I;
}

ReuseDistances::Line &ReuseDistances::touch(uint64_t Number, unsigned Pieces,
                                            bool Fetches, bool WritesBack) {
  const Index I = find(Number);
  Line &L = Lines[I];
  const unsigned Class = L.Block == Block && !WritesBack ? 0 : L.Class;
  L.Block = Block;
  if (Fetches)
    add(PieceBytes * llvm::popcount(Pieces & L.Seen), Class, 0);
  if (Class > L.Written) {
    add(WriteBackBytes * llvm::popcount(L.Dirty), Class, L.Written);
    L.Written = Class;
  }
  renew(I);
  L.Seen |= Pieces;
  return L;
}

bool ReuseDistances::load(uint64_t Number, unsigned Pieces, bool WritesBack) {
  Line &Before = Lines[find(Number)];
  // What one run of a block reads again comes when it came at first.
  if (Before.Block != Block)
    Before.IsLate = Before.Block != 0 && Before.Class <= Late;
  const bool Has = Before.IsLate && (Pieces & ~Before.Seen) == 0;
  touch(Number, Pieces, /*Fetches=*/true, WritesBack);
  return Has;
}

void ReuseDistances::store(uint64_t Number, unsigned Pieces, bool WritesBack) {
  Line &L = touch(Number, Pieces, /*Fetches=*/false, WritesBack);
  if (WritesBack) {
    L.Dirty |= Pieces;
    L.Written = 0;
  }
}

} // namespace clrewrite::measure
