// Kernels as data, for an editor that draws them itself.
#pragma once

#include "lsp/View.h"

namespace clrewrite::lsp {

/// \p C as JSON: {"max": 10, "unit": "waves a SIMD", "curves": [{"axis":
/// "vgprs", "first": 1, "last": 256, "steps": [[1, 10], [25, 9], ...], "cap":
/// 10, "at": 37, "waves": 6, "verdict": "limits; 36 or fewer: 7 waves"}, ...]}.
/// Null where no curve is known.
llvm::json::Value occupancyOf(const measure::OccupancyCurves &C);

/// The kernels of \p V with their figures on each target, lines from 0; and
/// with the curves that \p Curves has for a kernel and target, where there are
/// some.
llvm::json::Array kernelsOf(const View &V, const View &Curves);

} // namespace clrewrite::lsp
