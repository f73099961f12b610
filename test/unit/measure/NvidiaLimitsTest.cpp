// Occupancy on NVIDIA GPUs, against steps worked out by hand from the limits
// of a multiprocessor and known for sm_90: 64 warps up to 32 registers, 48 up
// to 40, 40 up to 48, 36 up to 56, 32 up to 64.
#include "measure/nvptx/NvidiaLimits.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;

static Usage usage(const char *Arch, unsigned Registers, unsigned Lds = 0,
                   unsigned GroupSize = 256) {
  Usage U;
  U.Vgprs = Registers;
  U.LdsBytes = Lds;
  U.GroupMin = U.GroupMax = GroupSize;
  addNvidiaOccupancy(U, Arch, GroupSize);
  return U;
}

TEST(NvidiaLimits, RegistersGiveSteps) {
  for (auto [Registers, Warps] : {std::pair(1u, 64u),
                                  {32u, 64u},
                                  {33u, 48u},
                                  {40u, 48u},
                                  {41u, 40u},
                                  {48u, 40u},
                                  {49u, 36u},
                                  {56u, 36u},
                                  {57u, 32u},
                                  {64u, 32u},
                                  {65u, 28u},
                                  {128u, 16u},
                                  {129u, 12u},
                                  {255u, 8u}})
    EXPECT_EQ(usage("sm_90", Registers).Occupancy, Warps) << Registers;
  EXPECT_EQ(usage("sm_75", 64).Occupancy, 32u);
  EXPECT_EQ(usage("sm_86", 40).Occupancy, 48u);
  EXPECT_EQ(usage("sm_120", 48).Occupancy, 40u);
}

TEST(NvidiaLimits, SaysWhatLimitsAndHowFarTheNextStepIs) {
  Usage U = usage("sm_90a", 35);
  EXPECT_EQ(U.OccupancyMax, 64u);
  EXPECT_EQ(U.Limiter, "VGPRs");
  EXPECT_EQ(U.VgprsToNextStep, 3u);
  EXPECT_EQ(usage("sm_90", 32).Limiter, "none");
}

TEST(NvidiaLimits, SharedMemoryLimitsWholeGroups) {
  // 228 KiB hold 13 groups of 16 KiB and the system's 1 KiB each; two warps.
  Usage U = usage("sm_90", 10, 16384, 64);
  EXPECT_EQ(U.Occupancy, 26u);
  EXPECT_EQ(U.Limiter, "LDS");
  EXPECT_FALSE(U.VgprsToNextStep);
  // Turing keeps nothing for the system: 4 groups.
  EXPECT_EQ(usage("sm_75", 10, 16384, 64).Occupancy, 8u);
}

TEST(NvidiaLimits, AWarpHasRegistersInUnitsOf256) {
  EXPECT_EQ(usage("sm_90", 35).VgprsAllocated, 40u);
  EXPECT_EQ(usage("sm_90", 40).VgprsAllocated, 40u);
  EXPECT_EQ(usage("sm_90", 255).VgprsAllocated, 256u);
  EXPECT_EQ(usage("sm_90", 35).WaveSize, 32u);
  EXPECT_FALSE(usage("sm_90", 35).SgprsAllocated);
}

TEST(NvidiaLimits, GroupsAreResidentWhole) {
  // Turing has 16 groups at most, of a warp each here.
  EXPECT_EQ(usage("sm_75", 10, 0, 32).Occupancy, 16u);
  EXPECT_EQ(usage("sm_75", 10, 0, 32).Limiter, "work-group size");
  // 48 warps hold one group of 32.
  EXPECT_EQ(usage("sm_86", 10, 0, 1024).Occupancy, 32u);
  EXPECT_EQ(usage("sm_90", 10, 0, 1024).Occupancy, 64u);
  // What is assumed takes nothing away.
  for (const NvidiaLimits &L : nvidiaTable())
    EXPECT_EQ(warpsByGroupSize(L, AssumedGroupSize), L.Warps) << L.Arch.str();
}

TEST(NvidiaLimits, UnknownStaysUnknown) {
  EXPECT_FALSE(usage("sm_35", 32).Occupancy);
  Usage Nothing;
  addNvidiaOccupancy(Nothing, "sm_90", 256);
  EXPECT_FALSE(Nothing.Occupancy);
}
