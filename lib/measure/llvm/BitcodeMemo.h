// A memo of figures by optimised bitcode.
//
// Variants of a kernel that differ in their text often become the same code (77
// of 823 variants that a search of 15 kernels compiled for gfx906). Modules
// with the same bitcode after the optimiser, down to the order in which values'
// uses are listed, get the same code from the back end, so that it need not run
// again.
#pragma once

#include "measure/Meter.h"
#include <deque>

namespace clrewrite::measure {

class BitcodeMemo {
public:
  /// The figures that were added for just these bytes; null where there are
  /// none, or where later ones have replaced them.
  const Measurement *find(llvm::StringRef Code) const {
    for (const auto &[Bytes, M] : Last)
      if (Bytes == Code)
        return &M;
    return nullptr;
  }
  void add(std::string Code, Measurement M) {
    if (Last.size() == Most)
      Last.pop_front();
    Last.emplace_back(std::move(Code), std::move(M));
  }

private:
  /// Each takes some 20 KB.
  static constexpr size_t Most = 500;
  std::deque<std::pair<std::string, Measurement>> Last;
};

} // namespace clrewrite::measure
