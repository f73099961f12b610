// What all forked children have in common, on both sides.
#pragma once

#include "process/Child.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <sys/types.h>

namespace clrewrite {

/// In a child of \p Parent: dies with it, takes signals as a compiler should,
/// reads and prints nothing, and has its errors go to \p Err.
void settleAsChild(int Err, pid_t Parent);

/// The result of one that errno says could not be started.
ChildResult notStarted();

/// Reads what is there; closes and forgets \p FD at its end.
void drain(int &FD, std::string &Into);

/// Waits for child \p Pid, and says how it ended, with its last words of
/// \p Errors. One that was killed for being late took \p LateAfter seconds.
ChildResult ended(pid_t Pid, llvm::StringRef Errors,
                  std::optional<unsigned> LateAfter);

} // namespace clrewrite
