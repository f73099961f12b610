// Forking, waiting, and both sides of a child that works for us.
#include "process/Forked.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite::process {

pid_t forkChild(function_ref<int()> Work, bool OwnGroup) {
  pid_t Parent = ::getpid(), Child = ::fork();
  if (Child == 0) {
    if (OwnGroup)
      ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != Parent) // it died before that was asked for
      ::_exit(1);
    ::_exit(Work());
  }
  // The child does the same: whichever of the two comes first.
  if (Child > 0 && OwnGroup)
    ::setpgid(Child, Child);
  return Child;
}

int waitForEnd(pid_t Pid) {
  int Status = 0;
  while (::waitpid(Pid, &Status, 0) < 0 && errno == EINTR)
    ;
  return Status;
}

template <typename Time>
static bool pollFor(MutableArrayRef<pollfd> Fds, Time Deadline) {
  int Wait = -1;
  if (Deadline != Time::max()) {
    auto Left = std::chrono::duration_cast<std::chrono::milliseconds>(
        Deadline - Time::clock::now());
    Wait = int(std::clamp<long>(Left.count() + 1, 0, 1000000));
  }
  return ::poll(Fds.data(), Fds.size(), Wait) >= 0;
}

bool pollUntil(MutableArrayRef<pollfd> Fds,
               std::chrono::steady_clock::time_point Deadline) {
  return pollFor(Fds, Deadline);
}

bool pollUntil(MutableArrayRef<pollfd> Fds, Clock::time_point Deadline) {
  return pollFor(Fds, Deadline);
}

static Ends endsOf(int Failed, const int (&Both)[2]) {
  Ends Out;
  if (!Failed) {
    Out.Ours = FileHandle(Both[0]);
    Out.Theirs = FileHandle(Both[1]);
  }
  return Out;
}

Ends Ends::pipe() {
  int Both[2];
  int Failed = ::pipe2(Both, O_CLOEXEC);
  return endsOf(Failed, Both);
}

Ends Ends::sockets() {
  int Both[2];
  int Failed = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, Both);
  return endsOf(Failed, Both);
}

/// What a child says when it gets no more memory; LLVM says the same.
static constexpr StringLiteral OutOfMemory = "out of memory";

[[noreturn]] static void sayOutOfMemory() {
  ssize_t Written =
      ::write(STDERR_FILENO, OutOfMemory.data(), OutOfMemory.size());
  (void)Written;
  ::_exit(1);
}

size_t addressesNow() {
  FileHandle File(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC));
  char Text[32] = {};
  if (!File || ::read(File.get(), Text, sizeof Text - 1) <= 0)
    return 0;
  return ::strtoull(Text, nullptr, 10) * size_t(::getpagesize());
}

/// Addresses, which are counted as they are asked for: the sanitizers ask for
/// terabytes.
static void limitMemory([[maybe_unused]] unsigned MiB,
                        [[maybe_unused]] size_t Inherited) {
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer)
  if (MiB == 0)
    return;
  rlim_t Most = (rlim_t(MiB) << 20) + Inherited;
  rlimit Limit{Most, Most};
  ::setrlimit(RLIMIT_AS, &Limit);
#endif
  std::set_new_handler(sayOutOfMemory);
}

void settleAsChild(int Err, const ChildLimits &Limits, size_t Inherited) {
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
  limitMemory(Limits.Memory, Inherited);
}

int becomeProgram(char *const *Words, char *const *Environment) {
  ::signal(SIGPIPE, SIG_DFL);
  ::execvpe(Words[0], Words, Environment);
  const char *Why = ::strerror(errno);
  for (const char *Part : {"cannot run ", (const char *)Words[0], ": ", Why})
    if (::write(STDERR_FILENO, Part, ::strlen(Part)) < 0)
      break;
  return 127;
}

ChildResult notStarted() {
  return {ChildResult::Crashed, "",
          std::string("cannot start a process: ") + ::strerror(errno)};
}

void drain(FileHandle &FD, std::string &Into, size_t Most) {
  char Buffer[65536];
  ssize_t N = ::read(FD.get(), Buffer, sizeof Buffer);
  if (N > 0) {
    Into.append(Buffer,
                std::min(size_t(N), Most - std::min(Most, Into.size())));
    return;
  }
  if (N < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  FD = FileHandle();
}

/// The line of stderr that says most: LLVM's own error where there is one.
static std::string lastWords(StringRef Errors) {
  SmallVector<StringRef> Lines;
  Errors.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines)
    for (StringRef Mark : {"LLVM ERROR", "fatal error", "Assertion", "***"})
      if (Line.contains(Mark))
        return Line.trim().take_front(200).str();
  return Lines.empty() ? "" : Lines.back().trim().take_front(200).str();
}

static bool ranOutOfMemory(StringRef Errors) {
  return Errors.contains(OutOfMemory) || Errors.contains("bad_alloc");
}

ChildResult endOf(int Status, StringRef Errors, bool Late,
                  const ChildLimits &Limits) {
  ChildResult R;
  bool Failed = !WIFEXITED(Status) || WEXITSTATUS(Status) != 0;
  if (Late) {
    R.Status = ChildResult::TimedOut;
    R.Problem = ("exceeded " + Twine(Limits.Seconds) + " s").str();
  } else if (Failed && Limits.Memory && ranOutOfMemory(Errors)) {
    R.Status = ChildResult::Crashed;
    R.Problem = ("exceeded " + Twine(Limits.Memory) + " MiB").str();
  } else if (Failed) {
    R.Status = ChildResult::Crashed;
    R.Problem =
        WIFSIGNALED(Status)
            ? (Twine("crashed (SIG") + ::sigabbrev_np(WTERMSIG(Status)) + ")")
                  .str()
            : ("ended with status " + Twine(WEXITSTATUS(Status))).str();
    if (std::string Words = lastWords(Errors); !Words.empty())
      R.Problem += ": " + Words;
  }
  return R;
}

ChildResult ended(pid_t Pid, StringRef Errors, bool Late,
                  const ChildLimits &Limits) {
  return endOf(waitForEnd(Pid), Errors, Late, Limits);
}

} // namespace clrewrite::process
