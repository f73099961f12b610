// The clock and the signals that end a search are set up.
#include "run/SearchLimits.h"
#include <csignal>
#include <unistd.h>

using namespace llvm;

namespace clrewrite::run {

// A handler can reach nothing but what is global.
static volatile std::sig_atomic_t Interrupted = 0;

extern "C" void noteInterrupt(int Signal) {
  if (Interrupted) { // Delivered as soon as this returns.
    ::signal(Signal, SIG_DFL);
    ::raise(Signal);
    return;
  }
  static const char Text[] =
      "\nclrewrite: interrupted: the search ends with the best so far, and the "
      "run with this file; once more ends it at once\n";
  Interrupted = Signal;
  (void)!::write(STDERR_FILENO, Text, sizeof Text - 1);
}

static void watch(int Signal) {
  struct sigaction Action = {}, Old;
  Action.sa_handler = noteInterrupt;
  Action.sa_flags = SA_RESTART;
  // A signal that is ignored since before the start (nohup, a script's &)
  // stays ignored.
  if (::sigaction(Signal, nullptr, &Old) == 0 && Old.sa_handler != SIG_IGN)
    ::sigaction(Signal, &Action, nullptr);
}

void watchForInterrupts() {
  static bool Watched = false;
  if (!Watched)
    for (int Signal : {SIGINT, SIGTERM})
      watch(Signal);
  Watched = true;
}

std::chrono::steady_clock::time_point
endOf(const select::SearchLimits &Limits) {
  using Clock = std::chrono::steady_clock;
  if (Limits.Seconds <= 0)
    return Clock::time_point::max();
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(Limits.Seconds));
}

int interruptedBy() { return Interrupted; }

} // namespace clrewrite::run
