// The work-groups and waves of a launch's sizes.
#include "launch/Launch.h"
#include <gtest/gtest.h>

using clrewrite::launch::NDRange;

TEST(NDRange, WavesDoNotReachFromAWorkGroupIntoTheNext) {
  EXPECT_EQ((NDRange{{1024, 4}, {64, 1}}.waves(32)), 128u);
  EXPECT_EQ((NDRange{{1024, 4}, {16, 1}}.waves(32)), 256u);
  EXPECT_EQ((NDRange{{1024, 4}, {48, 2}}.waves(64)), 22u * 2u * 2u);
  EXPECT_EQ((NDRange{{1000}, {}}.waves(64)), 16u);
}

TEST(NDRange, ADimensionThatNoLocalSizeNamesHasGroupsOfOne) {
  NDRange R{{1024, 4}, {64}};
  EXPECT_EQ(R.groupSize(1), 1u);
  EXPECT_EQ(R.groups(0), 16u);
  EXPECT_EQ(R.groups(1), 4u);
  EXPECT_EQ(R.waves(32), 128u);
  EXPECT_EQ((NDRange{{1024}, {}}.groups(0)), std::nullopt);
}
