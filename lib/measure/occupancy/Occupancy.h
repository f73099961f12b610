// The occupancy of a kernel, by the steps of a processor: the numbers of
// registers and bytes of LDS at which a wave less fits.
#pragma once

#include "measure/Usage.h"

namespace clrewrite::measure {

/// Waves per SIMD for each count of registers on a target; entry N - 1 is for
/// N. Empty where that is not known.
using OccupancyCurve = std::vector<unsigned>;

/// How a processor shares its registers among waves of one size.
struct OccupancySteps {
  OccupancyCurve ByVgprs;
  /// Empty where each wave has the same number (RDNA, NVIDIA).
  OccupancyCurve BySgprs;
  unsigned WaveSize = 0; ///< lanes that the curves are for; 0: not known
  /// In how many registers per lane, and per wave, they are set aside; 0: not
  /// known, and for SGPRs: each wave has FixedSgprs.
  unsigned VgprGranule = 0, SgprGranule = 0;
  unsigned FixedSgprs = 0;
  /// AGPRs lie in the file of the VGPRs (CDNA2 and later).
  bool UnifiedFile = false;
};

/// The registers of a lane in the file that limits occupancy: VGPRs, and AGPRs
/// after them, from a multiple of four on, where they share a file; else the
/// larger number of the two.
unsigned registersOf(unsigned Vgprs, unsigned Agprs, bool UnifiedFile);

/// Fills in what is allocated, the maximum, the limiter and the VGPRs to the
/// next step of \p U.
void explainOccupancy(Usage &U, const OccupancySteps &Steps);

} // namespace clrewrite::measure
