// Whether a device is as fast as it was: a kernel that is always the same.
#pragma once

#include "measure/Target.h"
#include "opencl/DeviceClient.h"

namespace clrewrite::measure {

/// The time of the reference kernel on device \p Device of \p Channel, in
/// nanoseconds: the shortest of ten launches. It multiplies and adds floats,
/// each from the one before, so that it takes as long as the clock and other
/// users of the device let it.
llvm::Expected<double> referenceTime(opencl::DeviceChannel &Channel,
                                     unsigned Device);

/// The reference kernel tells something there: not on the host's own processor,
/// which works on much else, nor in an interpreter.
bool hasReference(const Target &T);

/// What a device was measured with when it was as fast as it ever was in this
/// run.
class Reference {
public:
  /// A device whose reference kernel takes so many times as long as it did is
  /// throttled, or somebody else uses it.
  static constexpr double Slowed = 1.1;

  /// Times it again. What is wrong with what was timed since the last time, for
  /// the user; empty where nothing is.
  std::string check(opencl::DeviceChannel &Channel, const Target &On);

private:
  std::optional<double> Best; ///< ns
};

} // namespace clrewrite::measure
