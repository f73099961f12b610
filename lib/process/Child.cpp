// Forked workers with a time limit.
#include "process/Child.h"
#include "source/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Threading.h"
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite {
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
                       int Err, pid_t Parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != Parent)
    ::_exit(1);
  // LLVM's own handlers would print a stack trace and ask for a bug report.
  for (int Signal :
       {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGPIPE, SIGHUP})
    ::signal(Signal, SIG_DFL);
  // A terminal's Ctrl-C goes to all of us, and so does the SIGTERM of timeout.
  // The parent decides what it means; where it ends, so do we.
  for (int Signal : {SIGINT, SIGTERM})
    ::signal(Signal, SIG_IGN);
  rlimit NoCore{0, 0};
  ::setrlimit(RLIMIT_CORE, &NoCore);
  ::dup2(Err, STDERR_FILENO);
  int Null = ::open("/dev/null", O_RDWR);
  ::dup2(Null, STDOUT_FILENO);
  ::dup2(Null, STDIN_FILENO);
  writeAll(Out, Work());
  ::_exit(0);
}

/// Starts one worker. Pid is -1 where the system refuses.
Child start(const std::function<std::string()> &Work, size_t Index,
            unsigned Seconds) {
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
    work(Work, Out[1], Err[1], Parent);
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
  C.Deadline = Clock::now() + std::chrono::seconds(Seconds);
  return C;
}

/// Reads what is there; closes and forgets \p FD at its end.
void drain(int &FD, std::string &Into) {
  char Buffer[65536];
  ssize_t N = ::read(FD, Buffer, sizeof Buffer);
  if (N > 0) {
    Into.append(Buffer, size_t(N));
    return;
  }
  if (N < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  ::close(FD);
  FD = -1;
}

/// The line of stderr that says most: LLVM's own error where there is one.
std::string lastWords(StringRef Errors) {
  SmallVector<StringRef> Lines;
  Errors.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines)
    for (StringRef Mark : {"LLVM ERROR", "fatal error", "Assertion", "***"})
      if (Line.contains(Mark))
        return Line.trim().take_front(200).str();
  return Lines.empty() ? "" : Lines.back().trim().take_front(200).str();
}

ChildResult finish(Child &C, unsigned Seconds) {
  int Status = 0;
  while (::waitpid(C.Pid, &Status, 0) < 0 && errno == EINTR)
    ;
  ChildResult R;
  if (C.Late) {
    R.Status = ChildResult::TimedOut;
    R.Problem = ("exceeded " + Twine(Seconds) + " s").str();
  } else if (WIFEXITED(Status) && WEXITSTATUS(Status) == 0) {
    R.Output = std::move(C.Output);
  } else {
    R.Status = ChildResult::Crashed;
    R.Problem =
        WIFSIGNALED(Status)
            ? (Twine("crashed (SIG") + ::sigabbrev_np(WTERMSIG(Status)) + ")")
                  .str()
            : ("ended with status " + Twine(WEXITSTATUS(Status))).str();
    if (std::string Words = lastWords(C.Errors); !Words.empty())
      R.Problem += ": " + Words;
  }
  return R;
}

} // namespace

std::vector<ChildResult>
runInChildren(ArrayRef<std::function<std::string()>> Work,
              const ChildLimits &Limits) {
  std::vector<ChildResult> Results(Work.size());
  unsigned Parallel = Limits.Parallel
                          ? Limits.Parallel
                          : hardware_concurrency().compute_thread_count();
  std::vector<Child> Running;
  size_t Next = 0;
  while (Next < Work.size() || !Running.empty()) {
    while (Next < Work.size() && Running.size() < std::max(1u, Parallel)) {
      Child C = start(Work[Next], Next, Limits.Seconds);
      if (C.Pid > 0) {
        Running.push_back(std::move(C));
      } else {
        Results[Next].Status = ChildResult::Crashed;
        Results[Next].Problem =
            std::string("cannot start a process: ") + ::strerror(errno);
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
        drain(Running[I].Err, Running[I].Errors);
    }
    for (Child &C : Running)
      if (!C.Late && Clock::now() >= C.Deadline) {
        C.Late = true;
        ::kill(C.Pid, SIGKILL);
      }
    llvm::erase_if(Running, [&](Child &C) {
      if (C.Out >= 0 || C.Err >= 0)
        return false;
      Results[C.Index] = finish(C, Limits.Seconds);
      return true;
    });
  }
  return Results;
}

} // namespace clrewrite
