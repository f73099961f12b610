// The banks of local memory (LDS): how the words that work-items access lie in
// it, on AMD's GPUs and NVIDIA's.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include <algorithm>
#include <cstdint>

namespace clrewrite::launch {

/// The word at byte b is in bank b / WordBytes % LdsBanks.
inline constexpr int64_t LdsBanks = 32, WordBytes = 4;

/// How often the bank that is wanted most gives or takes a word when lanes
/// access \p Bytes at each address of \p At together. Lanes with the same word
/// share it, unless \p Apart.
inline unsigned busiestBank(llvm::ArrayRef<int64_t> At, int64_t Bytes,
                            bool Apart = false) {
  unsigned OfBank[LdsBanks] = {};
  llvm::SmallDenseSet<int64_t, 64> Seen;
  for (int64_t A : At)
    for (int64_t B = 0; B < Bytes; B += WordBytes) {
      int64_t Word = (A + B) / WordBytes;
      if (Seen.insert(Word).second || Apart)
        ++OfBank[uint64_t(Word) % LdsBanks];
    }
  return *std::max_element(std::begin(OfBank), std::end(OfBank));
}

} // namespace clrewrite::launch
