// Commands of a queue are waited for, and timed by event profiling.
#pragma once

#include "Devices.h"

namespace clrewrite::device {

/// The failure of \p Where at a launch. After some of these errors a driver's
/// context may be dead: then the next job needs a new process.
Problem launchProblem(const char *Where, cl_int Code);

/// Waits for all commands of \p D's queue, and fails where \p Done, which
/// \p Where enqueued, did. Its time in ns goes to \p Time, unless null.
Status waitFor(Device &D, cl_event Done, const char *Where,
               uint64_t *Time = nullptr);

/// "min_ns", "median_ns" and "samples_ns"; \p Samples must not be empty.
Json timeSummary(const std::vector<uint64_t> &Samples);

} // namespace clrewrite::device
