// Other programs, run to their end: diff, git, ptxas, a shell's line.
//
// They work on what a repository holds, so each has a limit of time and of
// memory, as children that compile have. No other place of this program starts
// one, but for those that test/house/Inputs/starts.py names.
#pragma once

#include "process/Child.h"
#include <optional>

namespace clrewrite::process {

/// How a program ended. It is Done only where its exit status is 0.
struct ProgramResult : ChildResult {
  /// The exit status, where it came to its end within the limits.
  std::optional<int> ExitStatus;
  /// What it printed on stderr, of which the first MiB is kept.
  std::string Errors;
};

/// Runs \p Words, of which the first is looked for on PATH, until it and all
/// that it started have ended, or until \p Limits end it. It reads nothing, and
/// has the variables \p Environment, or where there are none those of this
/// process. Output is its stdout; of more than \p MostMiB there is none, and
/// that is a problem.
ProgramResult runProgram(llvm::ArrayRef<std::string> Words,
                         const ChildLimits &Limits,
                         llvm::ArrayRef<std::string> Environment = {},
                         size_t MostMiB = 512);

} // namespace clrewrite::process
