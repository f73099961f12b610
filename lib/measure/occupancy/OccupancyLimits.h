// How many waves each resource by itself lets run at once.
//
// Nothing of it is computed here: each family of targets tells how many waves
// what is taken leaves room for. For AMD's GPUs empty kernels that take so many
// registers, so much LDS and work-groups so large are compiled, and LLVM's own
// occupancy is read off; for NVIDIA's there is a table (NvidiaLimits.h).
#pragma once

#include "measure/Target.h"
#include "measure/occupancy/OccupancyNeeds.h"
#include "process/Child.h"
#include "llvm/ADT/ArrayRef.h"

namespace clrewrite::measure {

/// Waves per SIMD; NVIDIA: warps per multiprocessor.
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
