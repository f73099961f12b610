// OpenCL devices as targets, and which of them a name means.
#pragma once

#include "measure/TargetFamily.h"
#include "opencl/DeviceClient.h"

namespace clrewrite::measure {

/// "device", "device:all" and "device:PART OF ITS NAME".
const TargetFamily &deviceFamily();

/// Replaces what \p Targets say about devices by the devices that \p Channel
/// has: "device" is its first GPU, or its first device where it has none;
/// "device:all" all of them; "device:NAME" the first whose name or platform
/// holds NAME, in any case, or whose type it is ("device:cpu"). Other targets
/// stay. Fails where there is none, or the devices can't be listed.
llvm::Expected<std::vector<Target>>
resolveDevices(llvm::ArrayRef<Target> Targets, opencl::DeviceChannel &Channel);

} // namespace clrewrite::measure
