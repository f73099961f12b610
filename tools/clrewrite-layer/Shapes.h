// Shapes of launches: which launches are alike, and their records.
#pragma once

#include "Objects.h"

namespace clrewrite::layer {

/// The parameters of a launch, without the kernel's arguments.
struct LaunchCall {
  const char *Name; // "ndrange" or "task"
  cl_uint Dimensions;
  const size_t *Global;
  const size_t *Local, *Offset; // null where none are given
};

/// The record of launches like \p Call of \p K on \p Q, made and logged when
/// the first comes; it is never destroyed.
Launch &launchOf(Kernel &K, const Queue &Q, const LaunchCall &Call);

} // namespace clrewrite::layer
