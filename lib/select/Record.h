// What is known of the rewrites from kernels that were searched before, which
// a search goes by where the kernel at hand says nothing.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace clrewrite::select {

/// The share of the trials of \p Rewrite that are expected to pay by figures.
double usualShare(llvm::StringRef Rewrite);

/// On an NVIDIA GPU, versions with edits of \p Rewrite were slower so often
/// that they are not for GPUs on which nobody times them. The estimate can't
/// tell which: it has an unroll hint of bench/corpus/bicubic.cl at 0.92 of the
/// cycles, and an H200 took 1.2 times as long.
bool oftenSlower(llvm::StringRef Rewrite);

/// Where the estimates of all GPUs have an edit of \p Rewrite at no more
/// cycles, and one of them at 5 % fewer, an NVIDIA GPU was faster: these change
/// how memory is accessed, which the estimate counts line by line.
bool estimateTells(llvm::StringRef Rewrite);

} // namespace clrewrite::select
