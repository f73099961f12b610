// How a kernel's occupancy would change with each thing that it takes.
//
// These are the curves that AMD's APP Profiler and CodeXL drew: waves against
// vector registers, work-group size, LDS and scalar registers, one curve each,
// the rest as the kernel has it. Example: on gfx906 a kernel of 37 VGPRs has 6
// waves, its curve falls from 10 at 24 VGPRs to 1 at 256, and one can see that
// the next step is one register away. No formula is here: every value is asked
// of OccupancyLimits.h.
#pragma once

#include "measure/occupancy/OccupancyLimits.h"
#include <functional>

namespace clrewrite::measure {

/// What is varied along a curve.
enum class OccupancyAxis {
  Vgprs,     ///< OccupancyTerms::Registers, of each lane
  GroupSize, ///< work-items a work-group
  LdsBytes,  ///< a work-group
  Sgprs,     ///< a wave; only where they can limit: GCN and CDNA
};

/// From From, up to where the next step begins, so many waves.
struct CurveStep {
  unsigned From = 0, Waves = 0;
};

/// A kernel on a curve.
struct CurvePoint {
  unsigned At = 0;    ///< what it takes, in the curve's unit
  unsigned Waves = 0; ///< with everything that it takes
};

struct OccupancySeries {
  OccupancyAxis Axis = OccupancyAxis::Vgprs;
  unsigned First = 0, Last = 0; ///< the values that are drawn, inclusive
  /// What this alone allows (LDS and the work-group's size together, as the
  /// size says how many share the LDS); the first step starts at First. For
  /// the work-group's size steps are a wave wide.
  std::vector<CurveStep> Steps;
  /// What the rest of the kernel allows, after its edits.
  unsigned Cap = 0;
  CurvePoint Before, After;

  /// Waves where this alone is taken, at \p X from First to Last.
  unsigned alone(unsigned X) const;
  /// Waves with the rest of the kernel.
  unsigned waves(unsigned X) const { return std::min(alone(X), Cap); }
};

/// A kernel's curves on a target.
struct OccupancyCurves {
  /// Waves per SIMD; NVIDIA: warps per multiprocessor.
  unsigned Max = 0;
  OccupancyTerms Terms;
  /// The host chooses the work-group's size; the point is at what is assumed.
  bool GroupAssumed = false;
  /// The rest of the kernel is as it is after its edits. Empty where nothing is
  /// known.
  std::vector<OccupancySeries> Series;
};

/// A kernel before and after its edits.
struct NeedsPair {
  OccupancyNeeds Before, After;
};

/// Gives the waves of each, in order; nothing where that failed.
using WavesOf =
    std::function<std::vector<unsigned>(llvm::ArrayRef<OccupancyNeeds>)>;

/// The curves of \p Kernels on \p On, in order, with as few questions as bisect
/// them; without series where \p Ask failed.
std::vector<OccupancyCurves> curvesOf(const Target &On,
                                      llvm::ArrayRef<NeedsPair> Kernels,
                                      const WavesOf &Ask);

} // namespace clrewrite::measure
