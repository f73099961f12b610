// Occupancy curves as data, for the report as JSON and for editors.
#pragma once

#include "measure/occupancy/OccupancyCurves.h"
#include "llvm/Support/JSON.h"

namespace clrewrite::report {

/// \p C as JSON: {"max": 10, "unit": "waves a SIMD", "curves": [{"axis":
/// "vgprs", "first": 1, "last": 256, "steps": [[1, 10], [25, 9], ...], "cap":
/// 10, "at": 37, "waves": 6, "verdict": "limits; 36 or fewer: 7 waves"}, ...]}.
/// Null where no curve is known.
llvm::json::Value occupancyOf(const measure::OccupancyCurves &C);

} // namespace clrewrite::report
