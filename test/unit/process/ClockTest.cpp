// The clock stands still while children wait for a processor.
#include "process/Clock.h"
#include "process/Forked.h"
#include <atomic>
#include <csignal>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace clrewrite::process;
using std::chrono::milliseconds;

static void sleepFor(int Ms) { std::this_thread::sleep_for(milliseconds(Ms)); }

TEST(Clock, NeverGoesBackNorFasterThanTime) {
  auto Begin = std::chrono::steady_clock::now();
  auto First = Clock::now(), Last = First;
  for (int I = 0; I < 40; ++I) {
    sleepFor(7);
    auto Next = Clock::now();
    EXPECT_GE(Next, Last);
    Last = Next;
  }
  EXPECT_LE(Last - First, std::chrono::steady_clock::now() - Begin);
  EXPECT_GE((Last - First) * Clock::Longest, milliseconds(280 - 50));
}

TEST(Clock, IsOfOneThread) {
  // All look at the system at the same time, several times.
  std::vector<std::thread> Threads;
  std::atomic<int> Backwards = 0;
  for (int I = 0; I < 8; ++I)
    Threads.emplace_back([&] {
      auto Last = Clock::now();
      auto End = Last + 6 * Clock::Interval;
      while (Last < End) {
        auto Next = Clock::now();
        Backwards += Next < Last;
        Last = Next;
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Backwards, 0);
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
  sleepFor(100);
  QueueTime Queue(C.Pid);
  sleepFor(100);
  EXPECT_LT(Queue.take(), milliseconds(60));
}

/// Four loops for each processor, below a shell below a shell.
static constexpr const char *Busy =
    "sh -c 'n=$(($(nproc) * 4)); while [ $n -gt 0 ]; do "
    "(while :; do :; done) & n=$((n - 1)); done; wait'; true";

TEST(QueueTime, IsThatOfTheDescendantThatWaitsLongest) {
  if (::access("/proc/self/schedstat", R_OK) != 0)
    GTEST_SKIP() << "the system does not tell how long threads wait";
  Child C(Busy);
  sleepFor(150);
  QueueTime Queue(C.Pid);
  auto Begin = std::chrono::steady_clock::now();
  sleepFor(500);
  auto Waited = Queue.take();
  auto Went = std::chrono::steady_clock::now() - Begin;
  EXPECT_GT(Waited, Went / 2);
  EXPECT_LE(Waited, Went - Went / (2 * Clock::Longest));
}

TEST(Clock, StandsStillWhileAChildWaits) {
  if (::access("/proc/self/schedstat", R_OK) != 0)
    GTEST_SKIP() << "the system does not tell how long threads wait";
  Child C(Busy);
  sleepFor(150);
  auto Begin = std::chrono::steady_clock::now();
  auto First = Clock::now();
  sleepFor(500);
  Clock::now();
  auto Counted = Clock::now() - First;
  EXPECT_LT(Counted,
            (std::chrono::steady_clock::now() - Begin) / 2 + Clock::Interval);
}

TEST(QueueTime, OfThisProcessIsThatOfAForkInTheFork) {
  // Its parent's other children are busy; it sleeps.
  Child C(Busy);
  QueueTime Queue = QueueTime::ofThisProcess();
  pid_t Fork = forkChild([&] {
    Queue.take();
    sleepFor(300);
    return Queue.take() < milliseconds(200) ? 0 : 1;
  });
  EXPECT_EQ(waitForEnd(Fork), 0);
}

TEST(QueueTime, OfNobodyIsNone) {
  QueueTime Queue(-1);
  sleepFor(60);
  EXPECT_EQ(Queue.take(), milliseconds(0));
}
