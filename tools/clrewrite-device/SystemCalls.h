// Closing system calls by seccomp, through libseccomp.
#pragma once

namespace clrewrite::device {

/// This program was built with libseccomp, and the kernel has filters.
bool canCloseSystemCalls();

/// Leaves what a compiler, a linker and kernels on a CPU need. Holds for all
/// threads, also those that a driver has started. False where it does not hold.
bool closeSystemCallsForCpu();

/// Leaves all but what no driver needs.
bool closeSystemCallsForGpu();

} // namespace clrewrite::device
