// Which caches fetch a line again, by the lines that were touched since.
#include "measure/execute/ReuseDistances.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace clrewrite::measure;

namespace {

GpuModel model(int64_t LineBytes, int64_t FillBytes, double WriteBackTimes) {
  GpuModel M = gpuModel("sm_90");
  M.LineBytes = LineBytes;
  M.FillBytes = FillBytes;
  M.WriteBackTimes = WriteBackTimes;
  return M;
}

/// Reads \p Lines lines one after the other, \p Turns times.
void walk(ReuseDistances &R, unsigned Lines, unsigned Turns) {
  for (unsigned T = 0; T < Turns; ++T)
    for (unsigned I = 0; I < Lines; ++I) {
      R.enterBlock();
      R.load(1000 + I, 1, /*WritesBack=*/false);
    }
}

} // namespace

TEST(ReuseDistances, ACacheThatHoldsAllOfALoopFetchesItOnce) {
  ReuseDistances R(model(64, 64, 1));
  walk(R, 8, 5);
  const FetchedAgain &Again = R.fetchedAgain();
  EXPECT_EQ(Again.at(8 * 64), 0);
  EXPECT_EQ(Again.at(100 * 64), 0);
  EXPECT_EQ(Again.at(4 * 64), 4 * 8 * 64); // all but the first turn
  EXPECT_EQ(Again.at(64), 4 * 8 * 64);
  EXPECT_EQ(Again.at(1), 4 * 8 * 64);
  EXPECT_EQ(R.lines(), 8u);
}

TEST(ReuseDistances, AnL1HasWhatAnotherRunOfABlockTouchedLately) {
  ReuseDistances R(model(128, 32, 1));
  R.enterBlock();
  EXPECT_FALSE(R.load(1, 1, false));
  EXPECT_FALSE(R.load(1, 1, false)); // It comes when the first one does.
  R.enterBlock();
  EXPECT_TRUE(R.load(1, 1, false));
  EXPECT_TRUE(R.load(1, 1, false));
  EXPECT_FALSE(R.load(1, 2, false)); // another sector
  R.enterBlock();
  EXPECT_FALSE(R.load(2, 1, false));
  EXPECT_TRUE(R.load(1, 3, false));
  // As 64 warps of a multiprocessor share 2,048 lines of an H200.
  walk(R, 20, 1);
  EXPECT_FALSE(R.load(1, 1, false));
  R.enterBlock();
  EXPECT_TRUE(R.load(1, 1, false));
}

TEST(ReuseDistances, SharesBetweenPowersOfTwoLieBetween) {
  ReuseDistances R(model(64, 64, 1));
  walk(R, 8, 2);
  double Half = R.fetchedAgain().at(64 * 5.6568542); // 4 and 8 lines
  EXPECT_NEAR(Half, 8 * 64 / 2.0, 0.01);
}

TEST(ReuseDistances, AQuarterMoreThanACacheHoldsCountsAsHeld) {
  ReuseDistances R(model(64, 64, 1));
  walk(R, 10, 3);
  EXPECT_EQ(R.fetchedAgain().at(8 * 64), 0);
  walk(R, 11, 3);
  EXPECT_GT(R.fetchedAgain().at(8 * 64), 0);
}

/// By a list that is searched.
TEST(ReuseDistances, TheDistanceIsTheNumberOfOtherLines) {
  ReuseDistances R(model(64, 64, 1));
  std::vector<uint64_t> ByAge; // the newest one last
  std::array<double, 12> Missed{};
  uint64_t Random = 1;
  for (unsigned I = 0; I < 5000; ++I) {
    Random = Random * 6364136223846793005u + 1442695040888963407u;
    uint64_t Line = (Random >> 40) % 300 * ((Random >> 60) % 3 + 1);
    auto It = std::find(ByAge.begin(), ByAge.end(), Line);
    if (It != ByAge.end()) {
      auto Place = size_t(ByAge.end() - It);
      for (unsigned Size = 0; Size < Missed.size(); ++Size)
        Missed[Size] += Place > (Size < 2 ? 1u << Size : 5u << (Size - 2));
      ByAge.erase(It);
    }
    ByAge.push_back(Line);
    R.enterBlock();
    R.load(Line, 1, /*WritesBack=*/false);
  }
  for (unsigned Size = 0; Size < Missed.size(); ++Size)
    EXPECT_EQ(R.fetchedAgain().at(64.0 * (1u << Size)), 64 * Missed[Size])
        << Size;
  EXPECT_GT(Missed[7], 0);
}

TEST(ReuseDistances, PiecesThatWereNeverThereAreNotFetchedAgain) {
  ReuseDistances R(model(128, 32, 1));
  R.load(1, 0b0011, /*WritesBack=*/false);
  R.load(2, 0b1111, /*WritesBack=*/false);
  R.load(3, 0b1111, /*WritesBack=*/false);
  R.enterBlock();
  R.load(1, 0b0110, /*WritesBack=*/false);
  EXPECT_EQ(R.fetchedAgain().at(128), 32);
  EXPECT_EQ(R.fetchedAgain().at(4 * 128), 0);
}

TEST(ReuseDistances, WhatWasWrittenIsWrittenBackOnce) {
  ReuseDistances R(model(128, 32, 3));
  R.store(1, 0b0001, /*WritesBack=*/true);
  R.store(2, 0b1111, /*WritesBack=*/false);
  R.enterBlock();
  R.load(1, 0b0001, /*WritesBack=*/false); // fetched, and had been written back
  EXPECT_EQ(R.fetchedAgain().at(128), 32 + 3 * 32);
  R.load(2, 0b1111, /*WritesBack=*/false);
  R.enterBlock();
  R.load(1, 0b0001, /*WritesBack=*/false); // it is clean since
  EXPECT_EQ(R.fetchedAgain().at(128), 32 + 3 * 32 + 4 * 32 + 32);
}

TEST(ReuseDistances, AStoreFetchesNothing) {
  ReuseDistances R(model(128, 32, 1));
  for (unsigned I = 0; I < 10; ++I) {
    R.enterBlock();
    R.store(I % 5, 1, /*WritesBack=*/false);
  }
  EXPECT_EQ(R.fetchedAgain().at(1), 0);
}

TEST(ReuseDistances, ARunOfABlockHasWhatItTouchedBefore) {
  ReuseDistances R(model(64, 64, 1));
  walk(R, 8, 1);
  R.enterBlock();
  R.load(1000, 1, /*WritesBack=*/false);
  R.load(1001, 1, /*WritesBack=*/false);
  double Twice = R.fetchedAgain().at(64);
  EXPECT_EQ(Twice, 2 * 64);
  R.load(1000, 1, /*WritesBack=*/false);
  R.load(1001, 1, /*WritesBack=*/false);
  EXPECT_EQ(R.fetchedAgain().at(64), Twice);
}
