// The job `run`: runs versions of a kernel on equal inputs, compares every
// byte of every buffer and image, and times them side by side.
#pragma once

#include "DeviceLock.h"
#include "Fill.h"
#include "LaunchMemory.h"
#include "Programs.h"
#include "Request.h"

namespace clrewrite::device {

/// Answers a job that LaunchRequest.h describes.
/// Contents that \p Job keeps go to \p Kept; its memory is that of \p Last,
/// where both say so, and stays there. \p Alone is asked for the device once
/// the versions are built and their buffers allocated.
Result<Json> runLaunch(Device &D, Programs &Cache, const TakeDevice &Alone,
                       KeptContents &Kept, LaunchMemory &Last, Request &Job);

} // namespace clrewrite::device
