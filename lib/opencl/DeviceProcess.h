// A device program as a child process: one line in, one line out.
#pragma once

#include "source/Beneath.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace clrewrite::opencl {

/// How one exchange with the process ended.
struct LineResult {
  enum Kind { Answered, Ended, TimedOut } Status = Answered;
  /// The answer without its newline; only where Answered.
  std::string Line;
  /// "crashed (SIGSEGV): <its last line on stderr>", "exceeded 60 s".
  std::string Problem;
};

/// Runs in a process group of its own, which the destructor kills: a shell's
/// children go with it. It is asked to end first,
/// since it may have something to clean up. What it writes to stderr is kept
/// for Problem (the last 8 KiB) and shown nowhere else.
class DeviceProcess {
  pid_t Pid = -1;
  FileHandle In;  // our end of its stdin, a socket
  FileHandle Out; // of its stdout
  FileHandle Err; // of its stderr
  std::string Pending, LastErrors;

  DeviceProcess() = default;

public:
  /// Starts \p Words[0], looked up in PATH. Fails where the system refuses a
  /// process; a program that is not there ends at the first exchange.
  static llvm::Expected<std::unique_ptr<DeviceProcess>>
  start(const std::vector<std::string> &Words);
  DeviceProcess(const DeviceProcess &) = delete;
  DeviceProcess &operator=(const DeviceProcess &) = delete;
  ~DeviceProcess();

  /// Sends \p Line and waits for a line, at most \p Limit; a line of more than
  /// \p MostBytes is none. Unless it says Answered the process is of no further
  /// use.
  LineResult exchange(llvm::StringRef Line, std::chrono::milliseconds Limit,
                      size_t MostBytes = size_t(64) << 20);

private:
  enum Wait { Ready, Closed, Late, TooLong };
  /// Moves bytes both ways until a whole line has come.
  Wait pump(llvm::StringRef ToSend, std::chrono::milliseconds Limit,
            size_t MostBytes);
  void takeErrors();
  std::string howItEnded();
};

} // namespace clrewrite::opencl
