// A program is a child that works for us, until it becomes another one.
#include "process/Program.h"
#include "process/Forked.h"
#include "llvm/ADT/STLExtras.h"
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite::process {

static std::vector<char *> pointersTo(ArrayRef<std::string> Words) {
  std::vector<char *> Out;
  for (const std::string &Word : Words)
    Out.push_back(const_cast<char *>(Word.c_str()));
  Out.push_back(nullptr);
  return Out;
}

ProgramResult runProgram(ArrayRef<std::string> Words, const ChildLimits &Limits,
                         ArrayRef<std::string> Environment, size_t MostMiB) {
  const size_t MostOutput = MostMiB << 20;
  ProgramResult R;
  Ends Out = Ends::pipe(), Err = Ends::pipe();
  std::vector<char *> Raw = pointersTo(Words), Own = pointersTo(Environment);
  pid_t Pid = -1;
  if (Out && Err)
    Pid = forkChild(
        [&] {
          settleAsChild(Err.Theirs.get(), Limits);
          ::dup2(Out.Theirs.get(), STDOUT_FILENO);
          return becomeProgram(Raw.data(),
                               Environment.empty() ? environ : Own.data());
        },
        /*OwnGroup=*/true);
  if (Pid < 0) {
    static_cast<ChildResult &>(R) = notStarted();
    return R;
  }
  Out.Theirs = FileHandle();
  Err.Theirs = FileHandle();
  const auto Deadline = Clock::now() + std::chrono::seconds(Limits.Seconds);
  std::string Printed;
  while ((Out.Ours || Err.Ours) && Clock::now() < Deadline) {
    pollfd Fds[] = {{Out.Ours.get(), POLLIN, 0}, {Err.Ours.get(), POLLIN, 0}};
    if (!pollUntil(Fds, Deadline))
      continue; // a signal came
    if (Fds[0].revents)
      drain(Out.Ours, Printed, MostOutput + 1);
    if (Fds[1].revents)
      drain(Err.Ours, R.Errors, MostPrinted);
  }
  const bool Late = Out.Ours || Err.Ours;
  if (Late)
    ::kill(-Pid, SIGKILL);
  int Status = waitForEnd(Pid);
  static_cast<ChildResult &>(R) = endOf(Status, R.Errors, Late, Limits);
  if (Late)
    return R;
  if (WIFEXITED(Status))
    R.ExitStatus = WEXITSTATUS(Status);
  if (Printed.size() > MostOutput) {
    R.Status = ChildResult::Crashed;
    R.Problem = "printed more than " + std::to_string(MostMiB) + " MiB";
  } else {
    R.Output = std::move(Printed);
  }
  return R;
}

} // namespace clrewrite::process
