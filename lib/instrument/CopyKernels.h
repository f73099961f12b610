// Kernels that copy a buffer, and the jobs that run them.
#pragma once

#include "llvm/Support/JSON.h"
#include <cstdint>
#include <vector>

namespace clrewrite::instrument {

/// One way to copy a buffer of floats.
///
/// With stride 1 neighbouring work-items copy neighbouring vectors of \p Width
/// floats. With stride S neighbouring work-items are S floats apart, and all
/// floats are copied in S sweeps over the buffer; so all ways copy the same
/// bytes, which can be compared, and count the same.
struct CopyWay {
  bool Driver = false; ///< clEnqueueCopyBuffer instead of a kernel
  unsigned Width = 1;  ///< floats that a work-item copies: 1, 2, 4, 8, 16
  unsigned Stride = 1; ///< a power of two
};

/// Widths 1 to 16 and the driver's own, then strides 2 to 32.
std::vector<CopyWay> copyWays();

/// A member of "ways" in the job `copy`, for \p Bytes in a buffer, a power of
/// two of at least 64 KiB, and work-groups of \p Group, one of at most 256.
llvm::json::Value wayJson(const CopyWay &Way, uint64_t Bytes, unsigned Group);

} // namespace clrewrite::instrument
