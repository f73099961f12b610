// How AMD's processors share their registers among waves.
//
// The numbers are those of LLVM's back end (AMDGPUBaseInfo.cpp), whose rules
// can't be called from outside. A test asks LLVM about every processor that it
// knows, at both sides of every step.
#pragma once

#include "measure/occupancy/Occupancy.h"

namespace clrewrite::measure {

/// Lanes of the waves that \p Cpu runs unless asked otherwise: 32 or 64.
unsigned waveSizeOf(llvm::StringRef Cpu);

/// How \p Cpu shares its registers among waves of \p WaveSize lanes (0: its
/// own). The curve of VGPRs ends at 256, the most that a lane has on all but
/// gfx1250. Empty for a processor that is newer than gfx12.
OccupancySteps amdgcnSteps(llvm::StringRef Cpu, unsigned WaveSize);

} // namespace clrewrite::measure
