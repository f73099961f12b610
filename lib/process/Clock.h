// A clock for limits on work that may never end: it stands still while this
// process, or one that works for it, waits for a processor.
//
// Whether a kernel hangs, or a compiler does, is told by how long it takes.
// Beside other work it takes longer, and by the time of a wall a kernel on a
// busy machine, or the start of the program that runs it, would be called a
// hang. Linux tells for each thread how long it could have run and did not
// (/proc/PID/task/TID/schedstat).
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <sys/types.h>

namespace clrewrite::process {

/// Counts seconds as steady_clock does, but for those that a QueueTime of this
/// process tells, which is looked at every Interval. Each thread has a clock of
/// its own: a time is to be compared with those of the same thread alone.
struct Clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Clock>;
  static constexpr bool is_steady = true;
  static constexpr std::chrono::milliseconds Interval{50};
  /// A second of it lasts no longer than so many, so that each limit ends.
  static constexpr int Longest = 16;

  static time_point now();
};

/// How long a process, what it has started, and what that has, waited for
/// processors.
class QueueTime {
  std::string Name; ///< the folder of /proc
  std::chrono::steady_clock::time_point Last;
  std::map<pid_t, std::chrono::nanoseconds> Known; ///< by thread

  explicit QueueTime(std::string Name);

public:
  explicit QueueTime(pid_t Pid);
  /// Of the process that calls take(): a fork has its own.
  static QueueTime ofThisProcess();

  /// Of the time since the last call, or the beginning, that for which the
  /// thread that waited longest did; at most so much that the rest is 1 /
  /// Clock::Longest of it. Nothing where the system does not tell.
  std::chrono::nanoseconds take();
};

} // namespace clrewrite::process
