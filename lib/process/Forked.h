// What all forked children have in common, on both sides.
#pragma once

#include "process/Child.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <sys/types.h>

namespace clrewrite::process {

/// In a child of \p Parent: dies with it, takes signals as a compiler should,
/// reads and prints nothing, takes no more memory than \p Limits allow, and
/// has its errors go to \p Err.
void settleAsChild(int Err, pid_t Parent, const ChildLimits &Limits);

/// The result of one that errno says could not be started.
ChildResult notStarted();

/// Reads what is there; closes and forgets \p FD at its end. What is beyond
/// \p Most bytes is left out.
void drain(int &FD, std::string &Into, size_t Most = SIZE_MAX);

/// What is kept of what a child prints.
constexpr size_t MostPrinted = size_t(1) << 20;

/// Waits for child \p Pid, and says how it ended, with its last words of
/// \p Errors. One that was killed for being \p Late took all its seconds.
ChildResult ended(pid_t Pid, llvm::StringRef Errors, bool Late,
                  const ChildLimits &Limits);

} // namespace clrewrite::process
