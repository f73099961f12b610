// Programs that end well, fail, hang and take memory.
#include "process/Program.h"
#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <thread>

using namespace clrewrite;
using namespace clrewrite::process;

static ProgramResult shell(const char *Line, const ChildLimits &Limits = {}) {
  return runProgram({"sh", "-c", Line}, Limits);
}

TEST(Program, SaysWhatItPrintsAndHowItEnds) {
  ProgramResult R = shell("echo out; echo err >&2");
  EXPECT_EQ(R.Status, ChildResult::Done);
  EXPECT_EQ(R.ExitStatus, 0);
  EXPECT_EQ(R.Output, "out\n");
  EXPECT_EQ(R.Errors, "err\n");
  R = shell("echo out; echo why >&2; exit 3");
  EXPECT_EQ(R.ExitStatus, 3);
  EXPECT_EQ(R.Output, "out\n");
  EXPECT_EQ(R.Problem, "ended with status 3: why");
  R = shell("kill -SEGV $$");
  EXPECT_EQ(R.ExitStatus, std::nullopt);
  EXPECT_EQ(R.Problem, "crashed (SIGSEGV)");
}

TEST(Program, ThatIsNotThereIsTold) {
  ProgramResult R = runProgram({"/nowhere/diff"}, {});
  EXPECT_NE(R.Status, ChildResult::Done);
  EXPECT_EQ(R.Problem, "ended with status 127: cannot run /nowhere/diff: No "
                       "such file or directory");
}

TEST(Program, HasItsOwnVariablesAndNoInput) {
  ProgramResult R =
      runProgram({"/bin/sh", "-c", "echo $A; cat"}, {}, {std::string("A=b")});
  EXPECT_EQ(R.Output, "b\n");
}

// It and all that it started.
TEST(Program, EndsInTime) {
  ProgramResult R = shell("sleep 100 & echo $! >&2; wait", {/*Seconds=*/1});
  EXPECT_EQ(R.Status, ChildResult::TimedOut);
  EXPECT_EQ(R.Problem, "exceeded 1 s");
  pid_t Below = std::stoi(R.Errors);
  for (int I = 0; I < 500 && ::kill(Below, 0) == 0; ++I) {
    // Whoever inherits it may not have waited for it yet.
    if (std::FILE *F = std::fopen(
            ("/proc/" + std::to_string(Below) + "/stat").c_str(), "r")) {
      char State = ' ';
      int Read = std::fscanf(F, "%*d %*s %c", &State);
      std::fclose(F);
      if (Read == 1 && State == 'Z')
        return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_NE(::kill(Below, 0), 0);
}

#if !__has_feature(address_sanitizer)
TEST(Program, HasALimitOfMemory) {
  EXPECT_EQ(shell("ulimit -v", {60, 1, /*Memory=*/1024}).Output, "1048576\n");
  EXPECT_EQ(shell("ulimit -v").Output, "4194304\n");
}
#endif

TEST(Program, PrintsNoMoreThanIsKept) {
  const std::vector<std::string> Line = {"head", "-c", "1048576", "/dev/zero"};
  EXPECT_EQ(runProgram(Line, {}, {}, /*MostMiB=*/1).Output.size(), 1048576u);
  ProgramResult R = runProgram({"head", "-c", "1048577", "/dev/zero"}, {}, {},
                               /*MostMiB=*/1);
  EXPECT_EQ(R.Output.size(), 0u);
  EXPECT_NE(R.Status, ChildResult::Done);
  EXPECT_EQ(R.Problem, "printed more than 1 MiB");
}
