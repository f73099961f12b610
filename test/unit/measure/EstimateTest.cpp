// The bounds of the estimate, and how they are joined.
#include "measure/estimate/Estimate.h"
#include "measure/Usage.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;

TEST(Estimate, TheLargestBoundNamesIt) {
  GpuModel M = gpuModel("gfx600");
  WaveWork W;
  W.Valu = 532;
  W.Serial = 3000;
  W.MemoryBytes = 80 * 64;
  Estimate E = estimate(W, 6, M);
  EXPECT_EQ(E.Bound, "bandwidth");
  EXPECT_NEAR(E.Cycles, 2313, 1); // 532, 500 and 2296
  W.Valu = 4000;
  EXPECT_EQ(estimate(W, 10, M).Bound, "issue");
}

TEST(Estimate, WavesHideLatency) {
  GpuModel M = gpuModel("gfx906");
  WaveWork W;
  W.Serial = 4000;
  EXPECT_EQ(estimate(W, 2, M).Bound, "latency");
  EXPECT_DOUBLE_EQ(estimate(W, 2, M).Cycles, 2000);
  EXPECT_DOUBLE_EQ(estimate(W, 10, M).Cycles, 400);
}

TEST(Estimate, NoMoreWavesHideLatencyThanTheLaunchHas) {
  GpuModel M = gpuModel("gfx906");
  ASSERT_EQ(M.Simds, 240u);
  WaveWork W;
  W.Serial = 4000;
  auto cycles = [&](unsigned Occupancy, double Waves) {
    return estimate(W, Occupancy, M, uint64_t(Waves * 240)).Cycles;
  };
  EXPECT_DOUBLE_EQ(cycles(10, 100), 400);
  EXPECT_DOUBLE_EQ(cycles(10, 4), 1000);
  EXPECT_DOUBLE_EQ(cycles(2, 4), 2000);
  EXPECT_DOUBLE_EQ(cycles(10, 0.5), 4000);
  EXPECT_DOUBLE_EQ(cycles(10, 0.3), 4000);
  // It is there to compare results.
  EXPECT_DOUBLE_EQ(cycles(10, 0.25), 400);
}

TEST(Estimate, TheLongestPrefixNamesTheCard) {
  EXPECT_EQ(gpuModel("gfx906").WaveLanes, 64u);
  EXPECT_EQ(gpuModel("gfx1100").WaveLanes, 32u);
  EXPECT_NE(gpuModel("gfx906").BytesPerCycle, gpuModel("gfx900").BytesPerCycle);
  EXPECT_EQ(gpuModel("gfx1030").BytesPerCycle,
            gpuModel("gfx1031").BytesPerCycle);
}

TEST(Estimate, NvidiaModelsAreThoseOfTheNearestOlderCapability) {
  EXPECT_EQ(gpuModel("sm_90a").BytesPerCycle, gpuModel("sm_90").BytesPerCycle);
  EXPECT_EQ(gpuModel("sm_100").BytesPerCycle, gpuModel("sm_90").BytesPerCycle);
  EXPECT_EQ(gpuModel("sm_87").DoubleCycles, gpuModel("sm_86").DoubleCycles);
  // 128 results a cycle are a warp's 32 in each of four partitions.
  EXPECT_EQ(gpuModel("sm_90").FloatCycles, 1);
  EXPECT_EQ(gpuModel("sm_80").FloatCycles, 2);
  EXPECT_EQ(gpuModel("gfx906").FloatCycles, 0);
}

TEST(Estimate, WorkGroupsAreBegunOneAfterTheOther) {
  GpuModel M = gpuModel("sm_90");
  WaveWork W;
  W.Valu = 100;
  constexpr uint64_t Waves = 1 << 20;
  EXPECT_EQ(estimate(W, 16, M, Waves).Parts.Dispatch, 0);
  EXPECT_DOUBLE_EQ(estimate(W, 16, M, Waves, 2).Parts.Dispatch, 1.2 * 528 / 2);
  EXPECT_EQ(estimate(W, 16, M, Waves, 2).Bound, "dispatch");
  EXPECT_EQ(estimate(W, 16, M, Waves, 8).Bound, "issue");
  EXPECT_GT(estimate(W, 16, M, Waves, 8).Cycles, 100);
  // A launch that is there to compare results.
  EXPECT_EQ(estimate(W, 16, M, 64, 2).Parts.Dispatch, 0);
  EXPECT_EQ(estimate(W, 10, gpuModel("gfx906"), Waves, 2).Parts.Dispatch, 0);
}

TEST(Estimate, AllBoundsCount) {
  GpuModel M = gpuModel("gfx906");
  WaveWork W;
  W.Valu = 300;
  W.Vmem = 400;
  W.Serial = 4800;
  Estimate E = estimate(W, 4, M);
  EXPECT_EQ(E.Bound, "latency");
  EXPECT_NEAR(E.Cycles, 1220.7, 0.1); // 300, 400 and 1200
  // What is not the largest bound still costs.
  W.Valu = 330;
  EXPECT_GT(estimate(W, 4, M).Cycles, E.Cycles);
}

TEST(Estimate, AtALaunchThatIsMadeUpTheWorseWayCounts) {
  auto usage = [](double Counted, double Assumed, std::vector<unsigned> Sizes) {
    Usage U;
    U.EstCycles = Counted;
    U.EstAssumed = Assumed;
    U.EstFrom = "made up";
    U.EstLaunch = std::move(Sizes);
    return U;
  };
  auto change = [&](const Usage &After) {
    EstimatePair Pair = comparable(usage(100, 400, {64, 64}), After);
    return *Pair.After / *Pair.Before;
  };
  EXPECT_DOUBLE_EQ(change(usage(50, 320, {64, 64})), 0.8);
  EXPECT_DOUBLE_EQ(change(usage(90, 200, {64, 64})), 0.9);
  // At another launch the counts can't be compared.
  EXPECT_DOUBLE_EQ(change(usage(10, 200, {512, 128})), 0.5);
}

TEST(Estimate, MoreWavesLoseMoreOfACache) {
  GpuModel M = gpuModel("sm_90");
  WaveWork W;
  W.Bytes = W.MemoryBytes = 1024;
  // Caches of which the wave has less than 16 KiB fetch as much again.
  for (unsigned I = 0; I < 8; ++I)
    W.Again.Bytes[I] = 64 * 1024;
  auto bandwidth = [&](unsigned Occupancy) {
    return estimate(W, Occupancy, M).Parts.Bandwidth;
  };
  double Once = 1024 / M.BytesPerCycle;
  EXPECT_DOUBLE_EQ(bandwidth(2), Once); // 32 KiB of an L1 for each
  EXPECT_DOUBLE_EQ(bandwidth(4), Once);
  EXPECT_DOUBLE_EQ(bandwidth(16), 65 * Once); // nor has the L2 so much
  // What neighbours share is in the L2 once.
  W.MemoryBytes = 512;
  EXPECT_DOUBLE_EQ(bandwidth(16),
                   std::max(0.5 * Once, 65 * 1024 / M.L2BytesPerCycle));
  W.MemoryBytes = 1024;
  // What all waves touch is there once.
  W.Alone = 0;
  EXPECT_DOUBLE_EQ(bandwidth(16), Once);
}

TEST(Estimate, TheL2HasWhatTheL1Lost) {
  GpuModel M = gpuModel("sm_90");
  WaveWork W;
  W.Bytes = W.MemoryBytes = 1024;
  // 4 KiB for each of 64 warps would do, 2 KiB do not, and 50 MiB are enough.
  for (unsigned I = 0; I < 6; ++I)
    W.Again.Bytes[I] = 1024 * 1024;
  M.L1Bytes /= 2;
  EXPECT_DOUBLE_EQ(estimate(W, 16, M).Parts.Bandwidth,
                   1025 * 1024 / M.L2BytesPerCycle);
}
