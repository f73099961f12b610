// What is known of some blocks tells how often the others run.
#include "measure/llvm/BlockFlow.h"
#include <gtest/gtest.h>

using namespace clrewrite::measure;

namespace {

constexpr std::nullopt_t Unknown = std::nullopt;

std::vector<double> runs(BlockFlow &F) {
  F.solve();
  std::vector<double> Out;
  for (const BlockFlow::Block &B : F.Blocks)
    Out.push_back(B.Runs);
  return Out;
}

using Runs = std::vector<double>;

} // namespace

TEST(BlockFlow, ABlockWithoutABranchAroundItRunsWithNoLaneToo) {
  BlockFlow F{{{{1}, 3.0}, {{2}, 0.0}, {{}, 3.0}}};
  EXPECT_EQ(runs(F), (Runs{3, 3, 3}));
}

TEST(BlockFlow, OneOfTwoWaysIsTaken) {
  // 1 is what the code generator put before the end for those who skip 2.
  BlockFlow F{{{{2, 1}, 4.0}, {{3}, Unknown, 4}, {{3}, 3.0}, {{}, 4.0}}};
  EXPECT_EQ(runs(F), (Runs{4, 1, 3, 4}));
  EXPECT_EQ(F.Blocks[0].Left, (Runs{3, 1}));
}

TEST(BlockFlow, ALoopRunsAsOftenAsItsHeader) {
  BlockFlow F{{{{1}, 1.0}, {{2, 3}, 8.0}, {{1}, Unknown}, {{}, 1.0}}};
  EXPECT_EQ(runs(F), (Runs{1, 8, 7, 1}));
}

TEST(BlockFlow, CopiesOfAJoinShareItsRuns) {
  // 0 tests; 2 comes, 3 is the join for 2, and 1 that for those who skip it.
  // Each join leads to 4, which comes, or around it to 5.
  BlockFlow F{{{{2, 1}, 1.0},
               {{4, 5}, Unknown, 1},
               {{3}, 1.0},
               {{4, 5}, Unknown, 1},
               {{5}, 1.0},
               {{}, 1.0}}};
  EXPECT_EQ(runs(F), (Runs{1, 0, 1, 1, 1, 1}));
  EXPECT_EQ(F.Blocks[1].Left, (Runs{0, 0}));
}

TEST(BlockFlow, WhatComesEarlierIsTakenFirst) {
  // 0 tests which of two loops comes. The end of the program is 2 for who skips
  // the loop of 7, which comes, and for the loop of 4, which does not; 7 has a
  // copy of it, so that what is told of 2 is not true.
  BlockFlow F{{{{1, 3}, 1.0},
               {{2, 7}, 1.0},
               {{}, 1.0},
               {{4, 6}, 0.0},
               {{5}, 0.0},
               {{4, 6}, Unknown, 0},
               {{2}, Unknown, 1},
               {{}, 1.0}}};
  EXPECT_EQ(runs(F), (Runs{1, 1, 0, 0, 0, 0, 0, 1}));
}
