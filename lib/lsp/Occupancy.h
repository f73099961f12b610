// Kernels as data, for an editor that draws them itself.
#pragma once

#include "lsp/View.h"

namespace clrewrite::lsp {

/// The kernels of \p V with their figures on each target, lines from 0; and
/// with the curves that \p Curves has for a kernel and target, where there are
/// some.
llvm::json::Array kernelsOf(const View &V, const View &Curves);

} // namespace clrewrite::lsp
