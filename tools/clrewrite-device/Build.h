// The job `build`: kernels, their arguments, and what they need.
#pragma once

#include "Programs.h"
#include "Request.h"

namespace clrewrite::device {

/// Answers a job {"device", "source", "options"} with the build log and, for
/// each kernel in order of name, its arguments and usage.
Result<Json> runBuild(Device &D, Programs &Cache, Request &Job);

} // namespace clrewrite::device
