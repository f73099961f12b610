// What LLVM gives empty AMD kernels that take so much: its rules of occupancy
// can't be called, but they can be asked.
#pragma once

#include "measure/occupancy/Occupancy.h"
#include "measure/occupancy/OccupancyNeeds.h"
#include "llvm/ADT/ArrayRef.h"

namespace clrewrite::measure {

/// Lanes of the waves that \p Cpu runs unless asked otherwise: 32 or 64.
unsigned waveSizeOf(llvm::StringRef Cpu);

/// Waves per SIMD for each of \p Each, in order; empty where LLVM could not be
/// asked. Sgprs is rounded up to what a kernel can have (LLVM adds VCC and its
/// like to what a kernel names). May abort; call it in a child process.
std::vector<unsigned> probeAmdgcn(llvm::StringRef Cpu,
                                  llvm::ArrayRef<OccupancyNeeds> Each);

/// How \p Cpu shares its registers among waves of \p WaveSize lanes (0: its
/// own). The curve of VGPRs ends at 256. The same caution.
OccupancySteps amdgcnSteps(llvm::StringRef Cpu, unsigned WaveSize);

} // namespace clrewrite::measure
