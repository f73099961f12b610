// What a plan's kernels gained in a program, and a plan without those that
// gained nothing.
#include "pipeline/SwappedRuns.h"
#include "pipeline/Planning.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::pipeline;

namespace {

capture::PlannedKernel planned(const char *Name, uint64_t Took) {
  capture::PlannedKernel K;
  K.Name = Name;
  K.Took = Took;
  return K;
}

/// Seven pairs of runs: 100 ns before, and after it what \p After says.
SwappedTimes times(std::vector<double> After) {
  return {std::vector<double>(After.size(), 100), std::move(After)};
}

} // namespace

TEST(SwappedRuns, WhatGainsNothingIsNamed) {
  SwappedResult R;
  R.Kernels["faster"] = times({80, 81, 80, 79, 80, 80, 81});
  R.Kernels["slower"] = times({120, 121, 120, 119, 120, 120, 121});
  R.Kernels["same"] = times({99, 103, 97, 104, 100, 98, 102});
  R.Kernels["likely"] = times({90, 102, 88, 97, 103, 91, 99});
  R.Kernels["own"] = times({120, 121, 120, 119, 120, 120, 121});
  R.Kernels["unplanned"] = R.Kernels["own"];
  for (const char *Name : {"faster", "slower", "same", "likely"})
    R.Planned.push_back(planned(Name, 3));
  R.Planned.push_back(planned("own", 0));
  EXPECT_EQ(withoutGain(R), (std::set<std::string>{"same", "slower"}));
}

TEST(SwappedRuns, TooFewRunsSayNothing) {
  SwappedResult R;
  R.Kernels["slower"] = times({120, 121, 120});
  R.Planned.push_back(planned("slower", 3));
  EXPECT_FALSE(R.Kernels["slower"].ratio());
  EXPECT_TRUE(withoutGain(R).empty());
}

TEST(SwappedRuns, APlanWithoutKernels) {
  plan::Plan P;
  P.Programs.resize(2);
  P.Programs[0].Kernels = {{"f", "f"}, {"g", "g4"}, {"g", "g"}};
  P.Programs[1].Kernels = {{"g", "g"}};
  plan::Plan Left = withoutKernels(P, {"g"});
  ASSERT_EQ(Left.Programs.size(), 1u);
  ASSERT_EQ(Left.Programs[0].Kernels.size(), 1u);
  EXPECT_EQ(Left.Programs[0].Kernels[0].Name, "f");
  EXPECT_TRUE(withoutKernels(P, {"f", "g"}).Programs.empty());
}
