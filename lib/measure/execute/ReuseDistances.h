// What a cache fetches again, for caches of all sizes from one run.
//
// A cache that evicts the line which was not used for longest still has a line
// if fewer other lines than it holds were touched since: the stack distance of
// an access (Mattson, Gecsei, Slutz and Traiger, "Evaluation techniques for
// storage hierarchies", 1970). Distances are told by classes, each twice as
// wide as the one before, with markers on the list of lines by age (Kim, Hill
// and Wood, "Implementing stack simulation for highly-associative memories",
// 1991).
#pragma once

#include "measure/estimate/Estimate.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace clrewrite::measure {

/// Those of one wave. Lines go by numbers that are a line's alone.
class ReuseDistances {
public:
  explicit ReuseDistances(const GpuModel &Model);

  /// The wave enters a block. What one run of a block reads several times is
  /// there, since its loads are issued together; but what it keeps in a cache
  /// that writes back it also changes, one access after the other.
  void enterBlock() { ++Block; }
  /// The wave reads some of the \p Pieces of a line, a bit for each FillBytes.
  /// True where another run of a block touched them, so lately that an L1 which
  /// some waves share still has them.
  bool load(uint64_t Number, unsigned Pieces, bool WritesBack);
  /// The wave writes some. They are in the cache until it evicts them, if it \p
  /// WritesBack, and else have been sent on.
  void store(uint64_t Number, unsigned Pieces, bool WritesBack);

  const FetchedAgain &fetchedAgain() const { return Again; }
  size_t lines() const { return Lines.size(); }

private:
  using Index = unsigned;
  static constexpr Index None = ~0u;

  struct Line {
    Index Newer = None, Older = None;
    unsigned Class = 0;   ///< of its place in the order of age
    uint64_t Block = 0;   ///< the run of a block that touched it last
    bool IsLate = false;  ///< it was touched lately before that run
    unsigned Seen = 0;    ///< pieces that were ever touched
    unsigned Dirty = 0;   ///< pieces that were written
    unsigned Written = 0; ///< the highest class in which it was found since
  };

  const double PieceBytes, WriteBackBytes;
  /// The element of FetchedAgain that is for one line.
  const unsigned ShareOfOneLine;
  /// The highest class that counts as lately.
  const unsigned Late;
  uint64_t Block = 1;
  FetchedAgain Again;
  std::vector<Line> Lines;
  llvm::DenseMap<uint64_t, Index> Numbers;
  Index Newest = None, Oldest = None;
  /// The line at the last place of each class, as far as there is one.
  std::vector<Index> Markers;

  void add(double Bytes, unsigned Class, unsigned Done);
  Index find(uint64_t Number);
  void renew(Index I);
  Line &touch(uint64_t Number, unsigned Pieces, bool Fetches, bool WritesBack);
};

} // namespace clrewrite::measure
