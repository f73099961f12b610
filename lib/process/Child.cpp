// Forked workers with a time limit.
#include "process/Child.h"
#include "process/Forked.h"
#include "source/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Threading.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite::process {

unsigned ChildLimits::atOnce() const {
  unsigned Here = hardware_concurrency().compute_thread_count();
  return std::max(1u, Parallel ? Parallel : Here);
}

namespace {

using Clock = std::chrono::steady_clock;

/// A worker at work: its process, and the pipes that it writes to.
struct Child {
  size_t Index = 0;
  pid_t Pid = 0;
  int Out = -1, Err = -1;
  std::string Output, Errors;
  Clock::time_point Deadline;
  bool Late = false;
};

/// The child's side: never returns, and runs no destructor or atexit handler
/// of the parent's.
[[noreturn]] void work(const std::function<std::string()> &Work, int Out,
                       int Err, pid_t Parent, const ChildLimits &Limits) {
  settleAsChild(Err, Parent, Limits);
  writeAll(Out, Work());
  ::_exit(0);
}

/// Starts one worker. Pid is -1 where the system refuses.
Child start(const std::function<std::string()> &Work, size_t Index,
            const ChildLimits &Limits) {
  Child C;
  C.Index = Index;
  int Out[2], Err[2];
  C.Pid = -1;
  if (::pipe2(Out, O_CLOEXEC))
    return C;
  if (::pipe2(Err, O_CLOEXEC)) {
    ::close(Out[0]);
    ::close(Out[1]);
    return C;
  }
  pid_t Parent = ::getpid();
  C.Pid = ::fork();
  if (C.Pid == 0)
    work(Work, Out[1], Err[1], Parent, Limits);
  int Reason = errno;
  ::close(Out[1]);
  ::close(Err[1]);
  if (C.Pid < 0) {
    ::close(Out[0]);
    ::close(Err[0]);
    errno = Reason;
    return C;
  }
  C.Out = Out[0];
  C.Err = Err[0];
  C.Deadline = Clock::now() + std::chrono::seconds(Limits.Seconds);
  return C;
}

ChildResult finish(Child &C, const ChildLimits &Limits) {
  ChildResult R = ended(C.Pid, C.Errors, C.Late, Limits);
  if (R.Status == ChildResult::Done)
    R.Output = std::move(C.Output);
  return R;
}

} // namespace

std::vector<ChildResult>
runInChildren(ArrayRef<std::function<std::string()>> Work,
              const ChildLimits &Limits) {
  std::vector<ChildResult> Results(Work.size());
  std::vector<Child> Running;
  size_t Next = 0;
  while (Next < Work.size() || !Running.empty()) {
    while (Next < Work.size() && Running.size() < Limits.atOnce()) {
      Child C = start(Work[Next], Next, Limits);
      if (C.Pid > 0) {
        Running.push_back(std::move(C));
      } else {
        Results[Next] = notStarted();
      }
      ++Next;
    }
    if (Running.empty())
      continue;

    std::vector<pollfd> Fds;
    auto Soonest = Clock::time_point::max();
    for (Child &C : Running) {
      Fds.push_back({C.Out, POLLIN, 0});
      Fds.push_back({C.Err, POLLIN, 0});
      if (!C.Late)
        Soonest = std::min(Soonest, C.Deadline);
    }
    auto Left = std::chrono::duration_cast<std::chrono::milliseconds>(
        Soonest - Clock::now());
    int Wait = Soonest == Clock::time_point::max()
                   ? -1
                   : int(std::clamp<long>(Left.count() + 1, 0, 1000000));
    // Only a signal can fail it; the loop then looks at the clock again.
    if (::poll(Fds.data(), Fds.size(), Wait) < 0)
      continue;
    for (size_t I = 0; I < Running.size(); ++I) {
      if (Fds[2 * I].revents)
        drain(Running[I].Out, Running[I].Output);
      if (Fds[2 * I + 1].revents)
        drain(Running[I].Err, Running[I].Errors, MostPrinted);
    }
    for (Child &C : Running)
      if (!C.Late && Clock::now() >= C.Deadline) {
        C.Late = true;
        ::kill(C.Pid, SIGKILL);
      }
    llvm::erase_if(Running, [&](Child &C) {
      if (C.Out >= 0 || C.Err >= 0)
        return false;
      Results[C.Index] = finish(C, Limits);
      return true;
    });
  }
  return Results;
}

} // namespace clrewrite::process
