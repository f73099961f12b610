// Shapes of launches: which launches are alike, and their records.
#pragma once

#include "Objects.h"

namespace clrewrite::layer {

/// What a launch is called with.
struct LaunchCall {
  const char *Name; // "ndrange" or "task"
  std::vector<uint64_t> Global, Local, Offset;
  bool HasLocal, HasOffset;
  /// The kernel's at the time of the launch.
  std::vector<Argument> Arguments;
  std::vector<const void *> SvmPointers;
};

/// The record of launches like \p Call of \p K on \p Q, made and logged when
/// the first comes. Never null.
std::shared_ptr<Launch> launchOf(KernelRecord &K, const Queue &Q,
                                 const LaunchCall &Call);

} // namespace clrewrite::layer
