// Workers that answer, crash, and hang.
#include "process/Workers.h"
#include <csignal>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace clrewrite;
using namespace clrewrite::process;

namespace {

std::string answer(llvm::StringRef Asked) {
  static unsigned Count = 0;
  if (Asked == "count")
    return std::to_string(++Count);
  if (Asked == "crash") {
    ::write(2, "LLVM ERROR: no such thing\nmore\n", 31);
    ::raise(SIGABRT);
  }
  if (Asked == "leave")
    ::_exit(0);
  if (Asked == "murmur")
    ::write(2, "LLVM ERROR: long ago\n", 21);
  if (Asked == "abort")
    ::raise(SIGABRT);
  while (Asked == "hang")
    ::pause();
  return Asked.str();
}

} // namespace

TEST(Workers, AnswerInOrder) {
  Workers W(answer, {10, 3});
  std::vector<std::string> Asked;
  for (int I = 0; I < 9; ++I)
    Asked.push_back(std::string(1 << (I * 2), char('a' + I)));
  Asked.push_back("");
  auto Results = W.run(Asked);
  ASSERT_EQ(Results.size(), Asked.size());
  for (size_t I = 0; I < Asked.size(); ++I)
    EXPECT_EQ(Results[I].Output, Asked[I]);
  EXPECT_TRUE(W.run({}).empty());
}

TEST(Workers, LiveOn) {
  Workers W(answer, {10, 1});
  EXPECT_EQ(W.run({"count", "count"})[1].Output, "2");
  EXPECT_EQ(W.run({"count"})[0].Output, "3");
}

TEST(Workers, ACrashCostsOneAnswer) {
  Workers W(answer, {10, 1});
  auto Results = W.run({"fine", "murmur", "crash", "fine too", "leave"});
  EXPECT_EQ(Results[0].Output, "fine");
  EXPECT_EQ(Results[2].Status, ChildResult::Crashed);
  EXPECT_EQ(Results[2].Problem, "crashed (SIGABRT): LLVM ERROR: no such thing");
  EXPECT_EQ(Results[3].Output, "fine too");
  EXPECT_EQ(Results[4].Status, ChildResult::Crashed);
  EXPECT_EQ(Results[4].Problem, "ended without an answer");
  EXPECT_EQ(W.run({"fine again"})[0].Output, "fine again");
}

TEST(Workers, WhatWasPrintedBeforeIsNotToBlame) {
  Workers W(answer, {10, 1});
  EXPECT_EQ(W.run({"murmur", "abort"})[1].Problem, "crashed (SIGABRT)");
}

TEST(Workers, AHangIsEnded) {
  Workers W(answer, {1, 2});
  auto Results = W.run({"hang", "quick"});
  EXPECT_EQ(Results[0].Status, ChildResult::TimedOut);
  EXPECT_EQ(Results[0].Problem, "exceeded 1 s");
  EXPECT_EQ(Results[1].Output, "quick");
  EXPECT_EQ(W.run({"after"})[0].Output, "after");
}

TEST(Workers, AreReplacedInTime) {
  Workers W(answer, {10, 1});
  std::vector<std::string> Asked(450, "count");
  auto Results = W.run(Asked);
  EXPECT_EQ(Results[199].Output, "200");
  EXPECT_EQ(Results[200].Output, "1");
  EXPECT_EQ(Results[449].Output, "50");
}

TEST(Workers, OfSeveralSortsWorkSideBySide) {
  // Each tells the other that it has begun, and waits to hear the same.
  int ToFirst[2], ToSecond[2];
  ASSERT_EQ(::pipe(ToFirst), 0);
  ASSERT_EQ(::pipe(ToSecond), 0);
  auto meet = [](int Told, int Heard) {
    return [=](llvm::StringRef Asked) {
      char Byte = 0;
      bool Met = ::write(Told, "x", 1) == 1 && ::read(Heard, &Byte, 1) == 1;
      return Met ? Asked.str() : "alone";
    };
  };
  Workers First(meet(ToSecond[1], ToFirst[0]), {10, 1});
  Workers Second(meet(ToFirst[1], ToSecond[0]), {10, 1});
  First.begin({"a"}, 1);
  Second.begin({"c"}, 1);
  auto Results = First.finish(), Others = Second.finish();
  ASSERT_EQ(Results.size(), 1u);
  EXPECT_EQ(Results[0].Output, "a");
  EXPECT_EQ(Others[0].Output, "c");
  for (int Each : {ToFirst[0], ToFirst[1], ToSecond[0], ToSecond[1]})
    ::close(Each);
}
