// What a device could compute at most, from what its driver reports.
#pragma once

#include "instrument/MadKernels.h"
#include "instrument/Session.h"

namespace clrewrite::instrument {

/// A bound on multiply-adds, and where it comes from.
struct PeakBound {
  /// 10^9 operations per second, two for each multiply-add: compute units times
  /// results per unit and clock times the reported clock times two. nullopt
  /// where one of them is not known.
  std::optional<double> Gops;
  /// "132 units x 128 a clock x 1980 MHz x 2", or why there is none.
  std::string From;
};

/// NVIDIA's results per clock come from a table by compute capability, AMD's
/// (float only) from what cl_amd_device_attribute_query tells. The clock is the
/// highest that the driver reports; a device that runs slower reaches less.
PeakBound peakBound(const DeviceFacts &D, MadType Type);

} // namespace clrewrite::instrument
