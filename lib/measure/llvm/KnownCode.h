// Optimised code whose figures are known.
//
// Versions of a kernel that differ in their text often become the same code
// (of 823 versions that a search of 15 kernels compiled for gfx906, 77). What
// has the same bitcode after the optimiser, down to the order in which values'
// uses are listed, gets the same code from the back end, which need not run.
#pragma once

#include "measure/Meter.h"
#include <deque>

namespace clrewrite::measure {

class KnownCode {
public:
  /// What was added for just these bytes; null for nothing, or nothing any
  /// more.
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
  /// Some 20 KB each.
  static constexpr size_t Most = 500;
  std::deque<std::pair<std::string, Measurement>> Last;
};

} // namespace clrewrite::measure
