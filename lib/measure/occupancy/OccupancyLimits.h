// How many waves each resource by itself lets run at once.
//
// For AMD's GPUs nothing of it is computed here: empty kernels that take so
// many registers, so much LDS and work-groups so large are compiled, and LLVM's
// own occupancy is read off. For NVIDIA's it is NvidiaLimits.h.
#pragma once

#include "measure/occupancy/Occupancy.h"
#include "measure/Target.h"
#include "process/Child.h"
#include "llvm/ADT/ArrayRef.h"

namespace clrewrite::measure {

/// What a kernel takes of a SIMD; 0 for what it does not take.
struct OccupancyNeeds {
  unsigned Vgprs = 0;    ///< a lane, at most 256 (NVIDIA: 255)
  unsigned Agprs = 0;    ///< a lane, at most 256 (CDNA alone)
  unsigned Sgprs = 0;    ///< a wave, as Usage counts them (GCN and CDNA alone)
  unsigned LdsBytes = 0; ///< a work-group
  /// Work-items a work-group has, at least and at most. Of a range LLVM takes
  /// the size that leaves most waves; NVIDIA's table takes the largest.
  unsigned GroupMin = 1, GroupMax = 256;
  unsigned WaveSize = 0; ///< lanes, 32 or 64; 0 for the processor's own
};

/// What a kernel of these figures takes. \p GroupSize is the work-group of a
/// launch, where one is known and the kernel requires none.
OccupancyNeeds needsOf(const Usage &U,
                       std::optional<unsigned> GroupSize = std::nullopt);

/// Waves a SIMD; NVIDIA: warps a multiprocessor.
struct OccupancyLimits {
  unsigned Max = 0; ///< for a kernel that takes nothing
  /// Where the other resources are not taken; Max where it does not limit.
  /// ByLds has the size of the work-group in it, which says how many share the
  /// LDS.
  unsigned ByVgprs = 0, BySgprs = 0, ByLds = 0, ByWorkGroup = 0;
  unsigned All = 0; ///< with all of them
};

/// The waves of each of \p Each on \p On, in order. Compiles in a child
/// process; empty where that failed, or where nothing is known of \p On (a
/// device).
std::vector<unsigned> wavesFor(const Target &On,
                               llvm::ArrayRef<OccupancyNeeds> Each,
                               process::ChildLimits Limits = {});

/// The limits of each of \p Each on \p On, in order, by wavesFor; empty where
/// that is.
std::vector<OccupancyLimits>
occupancyLimits(const Target &On, llvm::ArrayRef<OccupancyNeeds> Each,
                process::ChildLimits Limits = {});

/// The most of one resource, below what \p Needs has of it, that by itself
/// allows more than \p Waves on \p On; nullopt where nothing of it still does
/// not. A child process for each step of a bisection.
std::optional<unsigned> nextBelow(const Target &On, const OccupancyNeeds &Needs,
                                  unsigned OccupancyNeeds::*What,
                                  unsigned Waves,
                                  process::ChildLimits Limits = {});

} // namespace clrewrite::measure
