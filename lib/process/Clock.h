// A clock for limits on work that may never end: it counts the time that the
// machine had for one thread of that work, not the time that went by.
//
// Whether a kernel hangs is told by how long it takes. Beside other work it
// takes longer: eight runnable threads on two processors leave a quarter of
// one to each, and the host of a virtual machine may give its processors to
// somebody else. By the time of a wall such a kernel, or the start of the
// program that runs it, would be called a hang. So a second lasts as much
// longer here as there are too many threads, and as the host takes away.
#pragma once

#include <chrono>

namespace clrewrite::process {

/// Counts seconds as they are in one thread's share of the machine: on a
/// machine with a processor for each runnable thread those of steady_clock,
/// else longer, up to Longest times. The share is read from /proc/stat, at most
/// every Interval; where there is none, it is 1. Not for several threads.
struct Clock {
  using duration = std::chrono::steady_clock::duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Clock>;
  static constexpr bool is_steady = true;

  /// So much longer a second lasts at most, so that each limit ends.
  static constexpr double Longest = 16;
  /// Who waits should look at the clock as often: a share holds until the next
  /// one is read.
  static constexpr std::chrono::milliseconds Interval{50};

  static time_point now();
};

/// What /proc/stat tells of all processors together, in ticks since the start
/// of the machine, and of the threads that run or could.
struct ProcessorTimes {
  unsigned Processors = 0;
  unsigned Runnable = 0;
  unsigned long long All = 0;    ///< of all kinds, idle among them
  unsigned long long Stolen = 0; ///< by the host of a virtual machine
};

/// The part of its time that one thread can run at \p Now, beside this one,
/// which only looks on: by the number of threads that want to, and by what the
/// host took since \p Before. At least 1 / Clock::Longest, at most 1.
double shareOf(const ProcessorTimes &Before, const ProcessorTimes &Now);

} // namespace clrewrite::process
