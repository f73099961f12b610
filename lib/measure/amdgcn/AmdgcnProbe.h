// What LLVM gives empty AMD kernels that take so much: its rules of occupancy
// can't be called, but they can be asked.
#pragma once

#include "measure/occupancy/OccupancyNeeds.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace clrewrite::measure {

/// Waves per SIMD for each of \p Each, in order; empty where LLVM could not be
/// asked. Sgprs is rounded up to what a kernel can have (LLVM adds VCC and its
/// like to what a kernel names). May abort; call it in a child process.
std::vector<unsigned> probeAmdgcn(llvm::StringRef Cpu,
                                  llvm::ArrayRef<OccupancyNeeds> Each);

} // namespace clrewrite::measure
