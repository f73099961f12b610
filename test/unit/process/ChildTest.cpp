// Children that end well, crash, and hang.
#include "process/Child.h"
#include <csignal>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace clrewrite;
using namespace clrewrite::process;

TEST(Child, ReturnsEachResultInOrder) {
  std::vector<std::function<std::string()>> Work;
  for (int I = 0; I < 9; ++I)
    Work.push_back([I] { return std::string(1 << (I * 2), char('a' + I)); });
  auto Results = runInChildren(Work, {10, 3});
  ASSERT_EQ(Results.size(), 9u);
  for (int I = 0; I < 9; ++I)
    EXPECT_EQ(Results[I].Output, std::string(1 << (I * 2), char('a' + I)));
}

TEST(Child, ACrashCostsOneResult) {
  std::vector<std::function<std::string()>> Work{
      [] { return std::string("fine"); },
      []() -> std::string {
        ::write(2, "LLVM ERROR: no such thing\nmore\n", 31);
        ::raise(SIGABRT);
        return "";
      },
      []() -> std::string { ::_exit(3); },
      [] { return std::string("fine too"); }};
  auto Results = runInChildren(Work, {10, 2});
  EXPECT_EQ(Results[0].Output, "fine");
  EXPECT_EQ(Results[1].Status, ChildResult::Crashed);
  EXPECT_EQ(Results[1].Problem, "crashed (SIGABRT): LLVM ERROR: no such thing");
  EXPECT_EQ(Results[2].Problem, "ended with status 3");
  EXPECT_EQ(Results[3].Output, "fine too");
}

TEST(Child, AHangIsEnded) {
  std::vector<std::function<std::string()>> Work{
      []() -> std::string {
        while (true)
          ::pause();
      },
      [] { return std::string("quick"); }};
  auto Results = runInChildren(Work, {1, 2});
  EXPECT_EQ(Results[0].Status, ChildResult::TimedOut);
  EXPECT_EQ(Results[0].Problem, "exceeded 1 s");
  EXPECT_EQ(Results[1].Output, "quick");
}

#if !__has_feature(address_sanitizer)
TEST(Child, MemoryIsBounded) {
  std::vector<std::function<std::string()>> Work{
      [] { return std::string(size_t(3) << 30, 'x'); },
      []() -> std::string {
        // As LLVM says it.
        ::write(2, "LLVM ERROR: out of memory\n", 26);
        ::raise(SIGABRT);
        return "";
      },
      [] { return std::string("small"); }};
  ChildLimits Limits{10, 2};
  Limits.Memory = 2048;
  auto Results = runInChildren(Work, Limits);
  EXPECT_EQ(Results[0].Status, ChildResult::Crashed);
  EXPECT_EQ(Results[0].Problem, "exceeded 2048 MiB");
  EXPECT_EQ(Results[1].Problem, "exceeded 2048 MiB");
  EXPECT_EQ(Results[2].Output, "small");
}

TEST(Child, MemoryOfItsParentDoesNotCount) {
  std::string Ours(size_t(3) << 30, '\0');
  ChildLimits Limits{10, 2};
  Limits.Memory = 1024;
  auto Results = runInChildren(
      {[&] { return std::string(1 << 20, Ours.back() ? 'y' : 'x'); },
       [] { return std::string(size_t(2) << 30, 'x'); }},
      Limits);
  EXPECT_EQ(Results[0].Output.size(), size_t(1) << 20);
  EXPECT_EQ(Results[1].Problem, "exceeded 1024 MiB");
}
#endif
