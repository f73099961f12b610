// Checks of a launch against the kernel and the device.
#pragma once

#include "Devices.h"
#include "LaunchRequest.h"

namespace clrewrite::device {

/// \p P with the argument that it is about in its message.
Problem named(size_t Argument, Problem P);

/// Does each argument suit \p K, version \p Version's kernel? Some drivers
/// crash where one is of the wrong kind.
Status checkArguments(const LaunchRequest &L, size_t Version, cl_kernel K);

/// Can the device have images like these, and so many bytes?
Status checkSizes(Device &D, const LaunchRequest &L);

} // namespace clrewrite::device
