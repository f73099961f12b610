// Starting the device program, and talking to it under a time limit.
#include "opencl/DeviceProcess.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite::opencl {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t MostErrors = 8192;
/// How long the program may take to clean up after itself.
constexpr unsigned CleanUpMs = 500;

Error systemError(const char *What) {
  return createStringError(Twine("cannot start the device program: ") + What +
                           ": " + ::strerror(errno));
}

/// The child's side; only what is safe after a fork.
[[noreturn]] void becomeProgram(char *const *Words, int In, int Out, int Err,
                                pid_t Parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != Parent)
    ::_exit(1);
  ::dup2(In, STDIN_FILENO);
  ::dup2(Out, STDOUT_FILENO);
  ::dup2(Err, STDERR_FILENO);
  ::signal(SIGPIPE, SIG_DFL);
  ::execvp(Words[0], Words);
  const char *Why = ::strerror(errno);
  for (const char *Part : {"cannot run ", (const char *)Words[0], ": ", Why})
    if (::write(STDERR_FILENO, Part, ::strlen(Part)) < 0)
      break;
  ::_exit(127);
}

/// "10", or "2.5" where they are not whole.
std::string seconds(std::chrono::milliseconds Limit) {
  return formatv(Limit.count() % 1000 ? "{0:f1}" : "{0:f0}",
                 double(Limit.count()) / 1000);
}

void closeFd(int &FD) {
  if (FD >= 0)
    ::close(FD);
  FD = -1;
}

} // namespace

Expected<std::unique_ptr<DeviceProcess>>
DeviceProcess::start(const std::vector<std::string> &Words) {
  std::unique_ptr<DeviceProcess> P(new DeviceProcess());
  std::vector<char *> Raw;
  for (const std::string &Word : Words)
    Raw.push_back(const_cast<char *>(Word.c_str()));
  Raw.push_back(nullptr);

  // A socket for its stdin, since send() can be told not to raise SIGPIPE.
  int In[2], Out[2], Err[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, In))
    return systemError("socketpair");
  P->In = In[0];
  if (::pipe2(Out, O_CLOEXEC)) {
    ::close(In[1]);
    return systemError("pipe");
  }
  P->Out = Out[0];
  if (::pipe2(Err, O_CLOEXEC)) {
    ::close(In[1]);
    ::close(Out[1]);
    return systemError("pipe");
  }
  P->Err = Err[0];
  pid_t Parent = ::getpid();
  P->Pid = ::fork();
  if (P->Pid == 0)
    becomeProgram(Raw.data(), In[1], Out[1], Err[1], Parent);
  int Reason = errno;
  ::close(In[1]);
  ::close(Out[1]);
  ::close(Err[1]);
  errno = Reason;
  if (P->Pid < 0)
    return systemError("fork");
  ::setpgid(P->Pid, P->Pid); // whichever of the two comes first
  ::fcntl(P->In, F_SETFL, O_NONBLOCK);
  ::fcntl(P->Out, F_SETFL, O_NONBLOCK);
  ::fcntl(P->Err, F_SETFL, O_NONBLOCK);
  return P;
}

DeviceProcess::~DeviceProcess() {
  closeFd(In);
  closeFd(Out);
  closeFd(Err);
  if (Pid <= 0)
    return;
  // Its keeper removes what it made; then nothing of its group stays.
  ::kill(Pid, SIGTERM);
  for (unsigned Ms = 0; Ms < CleanUpMs; Ms += 2) {
    siginfo_t Ended = {};
    if (::waitid(P_PID, id_t(Pid), &Ended, WEXITED | WNOHANG | WNOWAIT) ||
        Ended.si_pid)
      break;
    ::poll(nullptr, 0, 2);
  }
  ::kill(-Pid, SIGKILL);
  while (::waitpid(Pid, nullptr, 0) < 0 && errno == EINTR)
    ;
}

void DeviceProcess::takeErrors() {
  char Buffer[4096];
  ssize_t N = Err < 0 ? -1 : ::read(Err, Buffer, sizeof Buffer);
  if (N == 0)
    closeFd(Err);
  if (N <= 0)
    return;
  LastErrors.append(Buffer, size_t(N));
  if (LastErrors.size() > MostErrors)
    LastErrors.erase(0, LastErrors.size() - MostErrors);
}

DeviceProcess::Wait DeviceProcess::pump(StringRef ToSend,
                                        std::chrono::milliseconds Limit,
                                        size_t MostBytes) {
  auto Deadline = Clock::now() + Limit;
  size_t Searched = 0;
  while (Pending.find('\n', Searched) == std::string::npos) {
    Searched = Pending.size();
    auto Left = std::chrono::duration_cast<std::chrono::milliseconds>(
        Deadline - Clock::now());
    if (Left.count() <= 0)
      return Late;
    pollfd Fds[] = {{Out, POLLIN, 0},
                    {Err, POLLIN, 0},
                    {ToSend.empty() ? -1 : In, POLLOUT, 0}};
    if (::poll(Fds, 3, int(std::min<long>(Left.count() + 1, 1000000))) < 0 &&
        errno != EINTR)
      return Closed;
    if (Fds[1].revents)
      takeErrors();
    if (Fds[2].revents) {
      ssize_t N = ::send(In, ToSend.data(), ToSend.size(), MSG_NOSIGNAL);
      if (N > 0)
        ToSend = ToSend.drop_front(size_t(N));
      else if (errno != EAGAIN && errno != EINTR)
        ToSend = ""; // it reads no more; what it says comes on stdout
    }
    if (!Fds[0].revents)
      continue;
    char Buffer[65536];
    ssize_t N = ::read(Out, Buffer, sizeof Buffer);
    // It may be in a kernel's hands.
    if (N > 0 && Pending.size() + size_t(N) > MostBytes)
      return TooLong;
    if (N > 0)
      Pending.append(Buffer, size_t(N));
    else if (N == 0 || (errno != EAGAIN && errno != EINTR))
      return Closed;
  }
  return Ready;
}

/// Waits for the process, which has closed its stdout, and says how it ended.
std::string DeviceProcess::howItEnded() {
  int Status = 0;
  pid_t Got = 0;
  for (int Try = 0; Try < 200 && Got == 0; ++Try) {
    takeErrors();
    Got = ::waitpid(Pid, &Status, WNOHANG);
    if (Got == 0)
      ::poll(nullptr, 0, 10);
  }
  for (int Try = 0; Try < 4; ++Try)
    takeErrors();
  std::string Text = "closed its output";
  if (Got == Pid) {
    ::kill(-Pid, SIGKILL); // children it may have left
    Pid = -1;
    // A shell passes on the signal of its command as 128 and more.
    int Signal = WIFSIGNALED(Status) ? WTERMSIG(Status)
                 : WEXITSTATUS(Status) > 128 && WEXITSTATUS(Status) < 160
                     ? WEXITSTATUS(Status) - 128
                     : 0;
    if (Signal && ::sigabbrev_np(Signal))
      Text = std::string("crashed (SIG") + ::sigabbrev_np(Signal) + ")";
    else
      Text = "ended with status " + std::to_string(WEXITSTATUS(Status));
  }
  StringRef Words = StringRef(LastErrors).rtrim();
  Words = Words.substr(Words.rfind('\n') + 1).trim().take_front(200);
  return Words.empty() ? Text : Text + ": " + Words.str();
}

LineResult DeviceProcess::exchange(StringRef Line,
                                   std::chrono::milliseconds Limit,
                                   size_t MostBytes) {
  LineResult R;
  if (In < 0 || Pid < 0) {
    R.Status = LineResult::Ended;
    R.Problem = "is not running";
    return R;
  }
  Pending.clear();
  LastErrors.clear();
  std::string Whole = (Line + "\n").str();
  switch (pump(Whole, Limit, MostBytes)) {
  case Ready:
    Pending.resize(Pending.find('\n'));
    R.Line = std::move(Pending);
    break;
  case TooLong:
    R.Status = LineResult::Ended;
    R.Problem = formatv("sent more than {0} MiB", MostBytes >> 20);
    Pending = std::string();
    break;
  case Closed:
    R.Status = LineResult::Ended;
    R.Problem = howItEnded();
    break;
  case Late:
    R.Status = LineResult::TimedOut;
    R.Problem = formatv("exceeded {0} s", seconds(Limit));
    break;
  }
  return R;
}

} // namespace clrewrite::opencl
