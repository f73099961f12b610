// Work done in forked child processes, because compilers crash and hang.
//
// LLVM's back ends abort, smash their stack or run for minutes on some real
// kernels, and none of that may end the run. So each piece of work runs in a
// fork of this process: it inherits what was loaded before (targets, bitcode
// libraries), so a fork costs about a millisecond, and hands back a string.
// The parent must be single-threaded, which all of clrewrite is.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include <functional>
#include <string>
#include <vector>

namespace clrewrite::process {

struct ChildResult {
  enum Kind { Done, Crashed, TimedOut } Status = Done;
  /// What the work returned; empty unless Done.
  std::string Output;
  /// How it ended where it did not end well, e.g. "crashed (SIGABRT): LLVM
  /// ERROR: ...", "exceeded 60 s", or "exceeded 4096 MiB".
  std::string Problem;
};

struct ChildLimits {
  /// Seconds for one piece of work, as Clock counts them.
  unsigned Seconds = 60;
  /// How many run at once; 0 is one a processor.
  unsigned Parallel = 0;
  /// How large one may grow, in MiB of addresses; 0 is no limit.
  unsigned Memory = 4096;

  /// As many as that is here.
  unsigned atOnce() const;
};

/// Runs each of \p Work in a child of its own and returns their results in
/// order.
std::vector<ChildResult>
runInChildren(llvm::ArrayRef<std::function<std::string()>> Work,
              const ChildLimits &Limits);

} // namespace clrewrite::process
