// The job `copy`: how fast a buffer is copied in several ways.
#pragma once

#include "DeviceLock.h"
#include "Programs.h"
#include "Request.h"

namespace clrewrite::device {

/// \p Alone is asked for the device once the program is built.
Result<Json> runCopy(Device &D, Programs &Cache, const TakeDevice &Alone,
                     Request &Job);

} // namespace clrewrite::device
