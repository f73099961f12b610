// Budgets and interrupts.
#include "SearchLimits.h"
#include <chrono>
#include <csignal>
#include <unistd.h>

using namespace llvm;

namespace clrewrite {

// A handler can reach nothing but what is global.
static volatile std::sig_atomic_t Interrupted = 0;

extern "C" void noteInterrupt(int) {
  static const char Text[] =
      "\nclrewrite: interrupted: the search ends with the best so far; once "
      "more ends the run at once\n";
  Interrupted = 1;
  (void)!::write(STDERR_FILENO, Text, sizeof Text - 1);
}

std::function<bool()> watchForTheEnd(const SearchLimits &Limits) {
  struct sigaction Action = {};
  Action.sa_handler = noteInterrupt;
  Action.sa_flags = SA_RESTART | int(SA_RESETHAND);
  struct sigaction Old;
  // Who started us with it ignored (nohup, a script's &) wants it so.
  if (::sigaction(SIGINT, nullptr, &Old) == 0 && Old.sa_handler != SIG_IGN)
    ::sigaction(SIGINT, &Action, nullptr);
  using Clock = std::chrono::steady_clock;
  Clock::time_point End = Clock::time_point::max();
  if (Limits.Seconds > 0)
    End = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                             std::chrono::duration<double>(Limits.Seconds));
  return [End] { return Interrupted || Clock::now() >= End; };
}

} // namespace clrewrite
