// A clock for limits on work that may never end: it stands still while the
// child that does the work waits for a processor.
//
// Whether a kernel hangs, or a compiler does, is told by how long it takes.
// Beside other work it takes longer, and by the time of a wall a kernel on a
// busy machine, or the start of the program that runs it, would be called a
// hang. Linux tells for each thread how long it could have run and did not
// (/proc/PID/task/TID/schedstat); who waits for a child has the clock stand
// still for as long.
#pragma once

#include <chrono>
#include <map>
#include <sys/types.h>

namespace clrewrite::process {

/// Counts seconds as steady_clock does, but for those for which pause() was
/// called. Not for several threads.
struct Clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Clock>;
  static constexpr bool is_steady = true;

  /// A second of it lasts no longer, so that each limit ends. Who waits by it
  /// calls pause() every Interval.
  static constexpr int Longest = 16;
  static constexpr std::chrono::milliseconds Interval{50};

  static time_point now();
  static void pause(duration Time);
};

/// How long a child, what it has started, and what that has, waited for
/// processors.
class QueueTime {
  pid_t Pid;
  std::chrono::steady_clock::time_point Last{};
  std::map<pid_t, std::chrono::nanoseconds> Known; ///< by thread

public:
  explicit QueueTime(pid_t Pid) : Pid(Pid) {}

  /// Of the time since the last call, that for which the thread that waited
  /// longest did; at most so much that the rest is 1 / Clock::Longest of it.
  /// Nothing at the first call, before Clock::Interval has gone by, and where
  /// the system does not tell.
  std::chrono::nanoseconds take();
};

} // namespace clrewrite::process
