// Occupancy on NVIDIA GPUs, from the published limits of a multiprocessor.
//
// LLVM knows nothing of it, so here is the table of NVIDIA's own guide. A
// multiprocessor has four partitions, each with a quarter of the registers; a
// warp gets its registers from one of them, in units of 256. Example: 40
// registers per thread are 1,280 per warp, of which a partition's 16,384 hold
// 12: 48 warps. That these are whole work-groups counts only where a kernel
// requires a size: else it is the host's choice at the launch.
#pragma once

#include "measure/occupancy/Occupancy.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace clrewrite::measure {

/// Of a multiprocessor, each with a scheduler and warps of its own.
inline constexpr unsigned Partitions = 4;

/// The limits of one compute capability.
struct NvidiaLimits {
  llvm::StringLiteral Arch; ///< e.g. "sm_90"
  unsigned Warps;           ///< resident warps per multiprocessor
  unsigned Groups;          ///< resident work-groups a multiprocessor
  unsigned SharedKiB;       ///< shared memory a multiprocessor
  unsigned ReservedBytes;   ///< of it, taken by the system for each block
};

llvm::ArrayRef<NvidiaLimits> nvidiaTable();

/// The limits of \p Arch, which may carry a suffix ("sm_90a"); null where it
/// is not in the table.
const NvidiaLimits *nvidiaLimits(llvm::StringRef Arch);

/// Warps per multiprocessor for 1 to 255 registers per thread.
OccupancyCurve nvidiaCurve(const NvidiaLimits &L);

/// The warps that the number of resident groups allows for groups of
/// \p GroupSize work-items: whole groups, and no more of them than L.Groups.
unsigned warpsByGroupSize(const NvidiaLimits &L, unsigned GroupSize);

/// The warps that shared memory allows for groups of \p GroupSize work-items
/// that use \p LdsBytes each; L.Warps where they use none.
unsigned warpsBySharedMemory(const NvidiaLimits &L, unsigned LdsBytes,
                             unsigned GroupSize);

/// Resident warps of a kernel with \p Registers a thread (0 for no limit by
/// them), \p LdsBytes a group and groups of \p GroupSize work-items.
unsigned nvidiaWarps(const NvidiaLimits &L, unsigned Registers,
                     unsigned LdsBytes, unsigned GroupSize);

/// Fills in occupancy, what is allocated, the maximum, the limiter and the
/// registers to the next step from the registers and the LDS in \p U, where \p
/// Arch is known.
/// \p GroupSize is the work-group that the kernel requires or that is assumed.
void addNvidiaOccupancy(Usage &U, llvm::StringRef Arch, unsigned GroupSize);

/// The work-group that is assumed where a kernel requires none, as Clang
/// assumes it for AMD.
constexpr unsigned AssumedGroupSize = 256;

} // namespace clrewrite::measure
