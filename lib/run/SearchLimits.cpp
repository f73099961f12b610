// The clock and the signals that end a search are set up.
#include "run/SearchLimits.h"
#include <chrono>
#include <csignal>
#include <limits>
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

std::function<double()> watchForTheEnd(const select::SearchLimits &Limits) {
  static bool Watched = false;
  if (!Watched)
    for (int Signal : {SIGINT, SIGTERM})
      watch(Signal);
  Watched = true;
  using Clock = std::chrono::steady_clock;
  double Most =
      Limits.Seconds > 0 ? Limits.Seconds : std::numeric_limits<double>::max();
  return [Most, Begun = Clock::now()] {
    std::chrono::duration<double> Spent = Clock::now() - Begun;
    return Interrupted ? 0 : Most - Spent.count();
  };
}

int interruptedBy() { return Interrupted; }

} // namespace clrewrite::run
