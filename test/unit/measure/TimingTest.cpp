// When two times differ: the interval of the sign test, and the rule.
#include "measure/Timing.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;

static PairedTime of(std::vector<double> Ratios) {
  PairedTime T;
  EXPECT_TRUE(summarise(Ratios, T));
  return T;
}

TEST(Timing, TheIntervalIsOfOrderStatistics) {
  // Of 20 rounds the 6th from either end (coverage 95.9 %).
  std::vector<double> Ratios;
  for (int I = 20; I >= 1; --I)
    Ratios.push_back(I);
  PairedTime T = of(Ratios);
  EXPECT_EQ(T.Ratio, 10.5);
  EXPECT_EQ(T.RatioLow, 6);
  EXPECT_EQ(T.RatioHigh, 15);
}

TEST(Timing, FewRoundsGiveNoInterval) {
  PairedTime T;
  EXPECT_FALSE(summarise({}, T));
  EXPECT_FALSE(summarise({2, 2, 2, 2, 2}, T));
  EXPECT_TRUE(summarise({2, 2, 2, 2, 2, 2}, T));
}

TEST(Timing, OutliersMoveNothing) {
  std::vector<double> Ratios(20, 1.0);
  Ratios[3] = 1000;
  EXPECT_FALSE(of(Ratios).faster());
  EXPECT_FALSE(of(Ratios).slower());
}

TEST(Timing, FasterAndSlowerMeanBeyondTheNoise) {
  EXPECT_TRUE(of(std::vector<double>(20, 1.2)).faster());
  EXPECT_FALSE(of(std::vector<double>(20, 1.005)).faster());
  EXPECT_TRUE(of(std::vector<double>(20, 0.8)).slower());
  EXPECT_FALSE(of(std::vector<double>(20, 0.8)).slower(0.3));
  EXPECT_FALSE(of(std::vector<double>(20, 0.995)).slower());
  std::vector<double> Noisy(20, 1.3);
  std::fill(Noisy.begin(), Noisy.begin() + 7, 0.9);
  EXPECT_FALSE(of(Noisy).faster());
  EXPECT_FALSE(of(Noisy).slower());
}

TEST(Timing, ReadsWell) {
  PairedTime T{638000, 113200, 5.636, 5.61, 5.66};
  EXPECT_EQ(describe(T), "638.0 -> 113.2 us (5.64x, 5.61 to 5.66)");
}
