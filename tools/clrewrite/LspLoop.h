// Waiting for an editor, for processes and for the clock at once, in one
// thread, so that forking is safe (process/Child.h).
//
// Messages are read from a FILE (LspConnection.h) whose read function is the
// loop: while the editor has nothing to say, it serves what else is ready.
#pragma once

#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <string>

namespace clrewrite::cli {

class LspLoop {
public:
  using Clock = std::chrono::steady_clock;

  /// Reads from \p FD.
  explicit LspLoop(int FD) : In(FD) {}

  /// A FILE for what comes from there; null where the system refuses.
  std::FILE *open();

  /// Calls \p Ready whenever \p FD can be read, until forget(\p FD).
  void watch(int FD, std::function<void()> Ready);
  void forget(int FD) { Watched.erase(FD); }

  /// Calls \p Then once, in \p Delay; instead of what was to be called
  /// under the same \p Name.
  void after(const std::string &Name, std::chrono::milliseconds Delay,
             std::function<void()> Then);
  void cancel(const std::string &Name) { Timers.erase(Name); }

  /// Reads into \p Into once the editor has sent something; serves the others
  /// until then. As read(2).
  long read(char *Into, size_t Size);

private:
  struct Timer {
    Clock::time_point At;
    std::function<void()> Then;
  };
  int In;
  std::map<int, std::function<void()>> Watched;
  std::map<std::string, Timer> Timers;

  void fireTimers();
  Clock::time_point nextTimer() const;
};

} // namespace clrewrite::cli
