#include "source/Nearest.h"
#include <gtest/gtest.h>

using namespace clrewrite;

TEST(Nearest, FindsWhatIsAtMostTwoLettersAway) {
  EXPECT_EQ(nearest("captur", {"cache", "capture", "try"}), "capture");
  EXPECT_EQ(nearest("gfx9O6", {"gfx900", "gfx906"}), "gfx906");
  EXPECT_EQ(nearest("cahce", {"cache", "capture"}), "cache");
  EXPECT_EQ(nearest("speed", {"time", "occupancy"}), "");
  EXPECT_EQ(nearest("speed", {}), "");
}
