// Launches that are made up: that a large one is not tried in vain.
#include "verify/GuessLaunch.h"
#include "FakeDevice.h"
#include <gtest/gtest.h>
#include <thread>

using namespace clrewrite;
using namespace clrewrite::verify;
using namespace llvm;

namespace {

/// Bytes of the first argument, and the number that the last one is.
std::pair<int64_t, int64_t> sizes(const json::Object &Job) {
  const json::Array &Args = *Job.getArray("args");
  return {*Args.front().getAsObject()->getObject("buffer")->getInteger("bytes"),
          *Args.back().getAsObject()->getObject("scalar")->getInteger("value")};
}

opencl::DeviceAnswer changing(int64_t Elements) {
  opencl::DeviceAnswer A = answer();
  (*A.Body.getArray("buffers")->front().getAsObject())["changed_elements"] =
      Elements;
  return A;
}

Expected<TrialLaunch> guess(FakeDevice &Device) {
  Source Text;
  Text.Text = Old.str();
  rewrite::KernelInfo K;
  K.Name = "k";
  ChosenDevice D;
  D.Channel = &Device;
  D.Name = "fake";
  return guessLaunch(Text, K, {}, D, /*Seconds=*/20);
}

} // namespace

TEST(GuessLaunch, AMatrixThatNoBufferHoldsIsNotTried) {
  FakeDevice D = withNumber();
  unsigned Crashes = 0;
  D.OnRun = [&](const json::Object &Job) {
    auto [Bytes, N] = sizes(Job);
    if (Bytes >= N * N * 4)
      return changing(64);
    if (*Job.getArray("global")->front().getAsInteger() < 1024)
      return outside(0, N * N * 4 - 4);
    ++Crashes;
    return problem(opencl::DeviceAnswer::Crashed, "crashed");
  };
  Expected<TrialLaunch> L = guess(D);
  ASSERT_TRUE(bool(L)) << toString(L.takeError());
  EXPECT_EQ(L->Global, std::vector<uint64_t>{4096});
  EXPECT_EQ(Crashes, 0u);
}

TEST(GuessLaunch, WhatADriverTakesToStartIsNotALaunchsTime) {
  FakeDevice D = withNumber();
  // More than the launches with small sizes have at least.
  constexpr double Start = 0.6;
  bool IsNew = true;
  unsigned Late = 0, Crashes = 0;
  D.OnRun = [&](const json::Object &Job) {
    if (std::exchange(IsNew, false)) {
      Late += *Job.getNumber("limit_s") < Start;
      std::this_thread::sleep_for(std::chrono::duration<double>(Start));
    }
    if (sizes(Job).second == 64 && ++Crashes == 1) {
      IsNew = true;
      return problem(opencl::DeviceAnswer::Crashed, "crashed");
    }
    return changing(64);
  };
  Expected<TrialLaunch> L = guess(D);
  EXPECT_TRUE(bool(L)) << toString(L.takeError());
  EXPECT_GE(Crashes, 1u);
  EXPECT_EQ(Late, 0u);
}
