// The job `copy`: how fast a buffer is copied in several ways.
#pragma once

#include "Programs.h"
#include "Request.h"

namespace clrewrite::device {

Result<Json> runCopy(Device &D, Programs &Cache, Request &Job);

} // namespace clrewrite::device
