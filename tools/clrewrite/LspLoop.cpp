// The loop waits with poll(2) for the editor's bytes, which arrive through a
// FILE.
#include "LspLoop.h"
#include "process/Forked.h"
#include <cerrno>
#include <unistd.h>
#include <vector>

namespace clrewrite::cli {

static ssize_t readCookie(void *Loop, char *Into, size_t Size) {
  return static_cast<LspLoop *>(Loop)->read(Into, Size);
}

std::FILE *LspLoop::open() {
  cookie_io_functions_t Functions = {};
  Functions.read = readCookie;
  return ::fopencookie(this, "r", Functions);
}

void LspLoop::watch(int FD, std::function<void()> Ready) {
  Watched[FD] = std::move(Ready);
}

void LspLoop::after(const std::string &Name, std::chrono::milliseconds Delay,
                    std::function<void()> Then) {
  Timers[Name] = {Clock::now() + Delay, std::move(Then)};
}

/// A function that a timer calls may set other timers, and cancel them.
void LspLoop::fireTimers() {
  for (;;) {
    auto Due = Timers.end();
    for (auto It = Timers.begin(); It != Timers.end(); ++It)
      if (It->second.At <= Clock::now() &&
          (Due == Timers.end() || It->second.At < Due->second.At))
        Due = It;
    if (Due == Timers.end())
      return;
    std::function<void()> Then = std::move(Due->second.Then);
    Timers.erase(Due);
    Then();
  }
}

/// When the first timer is due; max() where none is set.
LspLoop::Clock::time_point LspLoop::nextTimer() const {
  auto Next = Clock::time_point::max();
  for (const auto &[Name, T] : Timers)
    Next = std::min(Next, T.At);
  return Next;
}

long LspLoop::read(char *Into, size_t Size) {
  for (;;) {
    fireTimers();
    std::vector<pollfd> All = {{In, POLLIN, 0}};
    for (const auto &[FD, Ready] : Watched)
      All.push_back({FD, POLLIN, 0});
    if (!process::pollUntil(All, nextTimer()))
      continue;
    // The editor first: what it says may make other work needless.
    if (All[0].revents) {
      ssize_t N = ::read(In, Into, Size);
      if (N >= 0 || errno != EINTR)
        return N;
      continue;
    }
    for (size_t I = 1; I < All.size(); ++I)
      if (auto It = Watched.find(All[I].fd);
          All[I].revents && It != Watched.end()) {
        std::function<void()> Ready = It->second; // which may forget itself
        Ready();
      }
  }
}

} // namespace clrewrite::cli
