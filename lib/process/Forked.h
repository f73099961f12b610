// How this program has children: the one place that forks, and what parent and
// child do on either side of a fork.
//
// Workers (Workers.h) are built on it, and so is all else that runs in a
// process of its own: the device program, a document of the language server, a
// filter. The parent must be single-threaded, which all of clrewrite is: a
// child of it may then do anything that the parent may.
#pragma once

#include "process/Child.h"
#include "process/Clock.h"
#include "source/Beneath.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <poll.h>
#include <sys/types.h>

namespace clrewrite::process {

/// Forks. The child dies with its parent, runs \p Work and ends with the
/// status that it returns, without a destructor or an atexit handler of the
/// parent's. With \p OwnGroup it leads a process group, so that a signal to
/// -pid ends what it starts as well. Returns -1, with errno, where the system
/// refuses a process.
pid_t forkChild(llvm::function_ref<int()> Work, bool OwnGroup = false);

/// Waits for the end of child \p Pid. Returns its status as waitpid tells it.
int waitForEnd(pid_t Pid);

/// Waits until one of \p Fds has what it waits for, or \p Deadline seems to
/// have come; the clock's time_point::max() is none. False where a signal came
/// between. Then, and by Clock in any case, look at the clock, and wait again.
bool pollUntil(llvm::MutableArrayRef<pollfd> Fds,
               std::chrono::steady_clock::time_point Deadline);
bool pollUntil(llvm::MutableArrayRef<pollfd> Fds, Clock::time_point Deadline);

/// A pipe, or a pair of sockets, of which parent and child have an end each. A
/// program that either of them starts inherits none. Both ends are closed where
/// the system refuses; errno says why.
struct Ends {
  FileHandle Ours, Theirs;

  /// The child writes, and the parent reads.
  static Ends pipe();
  /// Both write and read.
  static Ends sockets();
  explicit operator bool() const { return bool(Ours); }
};

/// Bytes of addresses that this process has; 0 where the system does not tell.
size_t addressesNow();

/// In a child that works for us: takes signals as a compiler should, reads and
/// prints nothing, takes no more memory than \p Limits allow beyond the
/// addresses that it has \p Inherited and keeps, and has its errors go to
/// \p Err.
void settleAsChild(int Err, const ChildLimits &Limits, size_t Inherited = 0);

/// In a child: becomes the program \p Words, with the variables \p Environment.
/// Returns only where there is none: the exit status, with the reason on
/// stderr.
int becomeProgram(char *const *Words, char *const *Environment);

/// The result of one that errno says could not be started.
ChildResult notStarted();

/// Reads what is there; closes and forgets \p FD at its end. What is beyond
/// \p Most bytes is left out.
void drain(FileHandle &FD, std::string &Into, size_t Most = SIZE_MAX);

/// What is kept of what a child prints, in bytes.
constexpr size_t MostPrinted = size_t(1) << 20;

/// How a child ended of which waitpid says \p Status, with its last words of
/// \p Errors. One that was killed for being \p Late took all its seconds.
ChildResult endOf(int Status, llvm::StringRef Errors, bool Late,
                  const ChildLimits &Limits);

/// Waits for child \p Pid, and says the same of it.
ChildResult ended(pid_t Pid, llvm::StringRef Errors, bool Late,
                  const ChildLimits &Limits);

} // namespace clrewrite::process
