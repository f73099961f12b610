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
