// What an occupancy curve tells about a kernel.
#pragma once

#include "measure/Usage.h"

namespace clrewrite {

/// Waves a SIMD for each count of VGPRs on a target, as LLVM computes it;
/// entry N - 1 is for N VGPRs. Empty where LLVM could not be asked.
using OccupancyCurve = std::vector<unsigned>;

/// Fills in the maximum, the limiter and the VGPRs to the next step of \p U.
void explainOccupancy(Usage &U, const OccupancyCurve &Curve);

} // namespace clrewrite
