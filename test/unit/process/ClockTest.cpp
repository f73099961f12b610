// The clock stands still while children wait for a processor.
#include "process/Clock.h"
#include "process/Forked.h"
#include <csignal>
#include <gtest/gtest.h>
#include <thread>

using namespace clrewrite::process;
using std::chrono::milliseconds;

static void sleepFor(int Ms) { std::this_thread::sleep_for(milliseconds(Ms)); }

TEST(Clock, GoesAsTimeDoesAndStandsStillInPauses) {
  auto Begin = std::chrono::steady_clock::now();
  auto First = Clock::now();
  sleepFor(20);
  auto Second = Clock::now();
  EXPECT_GE(Second - First, milliseconds(20));
  EXPECT_LE(Second - First, std::chrono::steady_clock::now() - Begin);
  Clock::pause(milliseconds(15));
  sleepFor(20);
  auto Third = Clock::now();
  EXPECT_GE(Third - Second, milliseconds(5));
  EXPECT_LE(Third - First,
            std::chrono::steady_clock::now() - Begin - milliseconds(15));
}

namespace {

/// A shell in a process group of its own, that runs a command.
struct Child {
  pid_t Pid;
  explicit Child(const char *Line)
      : Pid(forkChild(
            [&] {
              char *const Words[] = {const_cast<char *>("sh"),
                                     const_cast<char *>("-c"),
                                     const_cast<char *>(Line), nullptr};
              return becomeProgram(Words, environ);
            },
            /*OwnGroup=*/true)) {}
  ~Child() {
    ::kill(-Pid, SIGKILL);
    waitForEnd(Pid);
  }
};

} // namespace

TEST(QueueTime, OfAChildThatSleepsIsNone) {
  Child C("sleep 10; true");
  QueueTime Queue(C.Pid);
  sleepFor(100);
  Queue.take();
  sleepFor(100);
  EXPECT_LT(Queue.take(), milliseconds(60));
  EXPECT_EQ(Queue.take(), milliseconds(0)) << "the interval is not over";
}

TEST(QueueTime, IsThatOfTheDescendantThatWaitsLongest) {
  if (::access("/proc/self/schedstat", R_OK) != 0)
    GTEST_SKIP() << "the system does not tell how long threads wait";
  // Sixteen loops for each processor, below a shell below the shell.
  Child C("sh -c 'n=$(($(nproc) * 16)); while [ $n -gt 0 ]; do "
          "(while :; do :; done) & n=$((n - 1)); done; wait'; true");
  QueueTime Queue(C.Pid);
  sleepFor(300);
  Queue.take();
  auto Begin = std::chrono::steady_clock::now();
  sleepFor(1500);
  auto Waited = Queue.take();
  auto Went = std::chrono::steady_clock::now() - Begin;
  EXPECT_GT(Waited, Went / 2);
  EXPECT_LE(Waited, Went - Went / (2 * Clock::Longest));
}

TEST(QueueTime, OfNobodyIsNone) {
  QueueTime Queue(-1);
  Queue.take();
  sleepFor(60);
  EXPECT_EQ(Queue.take(), milliseconds(0));
}
