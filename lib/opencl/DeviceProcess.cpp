// Starting the device program, and talking to it under a time limit.
#include "opencl/DeviceProcess.h"
#include "process/Forked.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite::opencl {
namespace {

using process::Clock;

constexpr size_t MostErrors = 8192;
/// How long the program may take to clean up after itself.
constexpr unsigned CleanUpMs = 500;

Error systemError(const char *What) {
  return createStringError(Twine("cannot start the device program: ") + What +
                           ": " + ::strerror(errno));
}

/// "10", or "2.5" where they are not whole.
std::string seconds(std::chrono::milliseconds Limit) {
  return formatv(Limit.count() % 1000 ? "{0:f1}" : "{0:f0}",
                 double(Limit.count()) / 1000);
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
  process::Ends In = process::Ends::sockets();
  if (!In)
    return systemError("socketpair");
  process::Ends Out = process::Ends::pipe(), Err = process::Ends::pipe();
  if (!Out || !Err)
    return systemError("pipe");
  P->Pid = process::forkChild(
      [&] {
        ::dup2(In.Theirs.get(), STDIN_FILENO);
        ::dup2(Out.Theirs.get(), STDOUT_FILENO);
        ::dup2(Err.Theirs.get(), STDERR_FILENO);
        // A worker ignores SIGTERM, by which the destructor ends the program.
        ::signal(SIGTERM, SIG_DFL);
        return process::becomeProgram(Raw.data(), environ);
      },
      /*OwnGroup=*/true);
  if (P->Pid < 0)
    return systemError("fork");
  P->In = std::move(In.Ours);
  P->Out = std::move(Out.Ours);
  P->Err = std::move(Err.Ours);
  for (const FileHandle *Each : {&P->In, &P->Out, &P->Err})
    ::fcntl(Each->get(), F_SETFL, O_NONBLOCK);
  return P;
}

DeviceProcess::~DeviceProcess() {
  In = FileHandle(); // it reads no more, and may go
  Out = FileHandle();
  Err = FileHandle();
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
  process::waitForEnd(Pid);
}

void DeviceProcess::takeErrors() {
  char Buffer[4096];
  ssize_t N = Err ? ::read(Err.get(), Buffer, sizeof Buffer) : -1;
  if (N == 0)
    Err = FileHandle();
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
    if (Clock::now() >= Deadline)
      return Late;
    pollfd Fds[] = {{Out.get(), POLLIN, 0},
                    {Err.get(), POLLIN, 0},
                    {ToSend.empty() ? -1 : In.get(), POLLOUT, 0}};
    if (!process::pollUntil(Fds, Deadline))
      continue;
    if (Fds[1].revents)
      takeErrors();
    if (Fds[2].revents) {
      ssize_t N = ::send(In.get(), ToSend.data(), ToSend.size(), MSG_NOSIGNAL);
      if (N > 0)
        ToSend = ToSend.drop_front(size_t(N));
      else if (errno != EAGAIN && errno != EINTR)
        ToSend = ""; // it reads no more; what it says comes on stdout
    }
    if (!Fds[0].revents)
      continue;
    char Buffer[65536];
    ssize_t N = ::read(Out.get(), Buffer, sizeof Buffer);
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
  if (!In || Pid < 0) {
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
