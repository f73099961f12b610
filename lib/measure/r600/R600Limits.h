// Occupancy on AMD's GPUs before GCN (Evergreen and Northern Islands), by
// AMD's published rules.
//
// LLVM reports none for its r600 back end. A compute unit is one SIMD there. It
// has 256 registers of 4 x 32 bits for each lane, of which 248 are left beside
// the clause temporaries, so that N registers leave room for 248 / N
// wavefronts; at most 8 work-groups share it, whole ones only, and they share
// its 32 KiB of LDS. Example: 25 registers leave room for 9 wavefronts, which
// are 2 work-groups of 4 wavefronts: 8 of 32.
//
// Sources: CLCUInfoEGNI in AMD's CodeXL (GPU profiler back end, MIT licence),
// the calculation behind the curves of CodeXL and the APP profiler: registers
// of a SIMD over those of a kernel, rounded down to whole work-groups, 8
// work-groups a compute unit, the LDS likewise; 248 also in LLVM's
// R600MachineScheduler.cpp (getWFCountLimitedByGPR). AMD, "APP OpenCL
// Programming Guide", appendix on device parameters: 32 KiB of LDS.
#pragma once

#include "measure/occupancy/Occupancy.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace clrewrite::measure {

/// A processor of LLVM's r600 back end that runs OpenCL C.
struct R600Processor {
  llvm::StringLiteral Name;    ///< LLVM's, e.g. "redwood"
  unsigned WaveLanes;          ///< work-items a wavefront: 32 or 64
  llvm::StringLiteral Library; ///< whose built-in library of libclc is its own
};

llvm::ArrayRef<R600Processor> r600Table();

/// The processor that \p Name names, in lower case: LLVM's names and their
/// other spellings ("palm", "aruba"), and "devastator" and "scrapper", as AMD's
/// driver calls the two GPUs of aruba. Null for others, also for the
/// generations before Evergreen, which can't store to global memory freely.
const R600Processor *r600Processor(llvm::StringRef Name);

/// The work-group that is assumed where a kernel requires none: 4 wavefronts,
/// the most that AMD's driver allows.
constexpr unsigned R600GroupWaves = 4;

/// The LDS that the work-groups of a SIMD share, in bytes.
constexpr unsigned R600LdsBytes = 32 * 1024;

/// The registers that a lane can have.
constexpr unsigned R600MostRegisters = 128;

/// Wavefronts per SIMD for 1 to 128 registers per lane, in work-groups of
/// \p GroupWaves wavefronts, at least 1. Where \p Required, that is the size of
/// every work-group, and 0 says that not even one fits; otherwise the host is
/// taken to launch smaller ones where those do not fit.
OccupancyCurve r600Curve(unsigned GroupWaves, bool Required);

/// Fills in occupancy (wavefronts per SIMD), its maximum, the limiter, the
/// registers to the next step, and the sizes of waves and work-groups from
/// Vgprs and LdsBytes of \p U. \p GroupSize is the kernel's
/// reqd_work_group_size in work-items; nullopt for none.
void addR600Occupancy(Usage &U, const R600Processor &On,
                      std::optional<unsigned> GroupSize);

} // namespace clrewrite::measure
