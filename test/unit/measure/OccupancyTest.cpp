// What the steps of occupancy tell about a kernel.
#include "measure/occupancy/Occupancy.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;

/// A file of 512: 8 waves up to 64 registers, 4 up to 128, 2 up to 256.
static OccupancySteps cdna() {
  OccupancySteps S;
  for (unsigned N = 1; N <= 256; ++N)
    S.ByVgprs.push_back(N <= 64 ? 8 : N <= 128 ? 4 : 2);
  for (unsigned N = 1; N <= 102; ++N)
    S.BySgprs.push_back(N <= 80 ? 8 : 6);
  S.UnifiedFile = true;
  S.VgprGranule = 8;
  S.SgprGranule = 16;
  return S;
}

static Usage explained(unsigned Vgprs, unsigned Agprs, unsigned Waves,
                       const OccupancySteps &Steps = cdna()) {
  Usage U;
  U.Vgprs = Vgprs;
  U.Agprs = Agprs;
  U.Occupancy = Waves;
  explainOccupancy(U, Steps);
  return U;
}

TEST(Occupancy, RegistersThatAllowMoreAreNotTheLimit) {
  EXPECT_EQ(explained(64, 0, 8).Limiter, "none");
  EXPECT_EQ(explained(70, 0, 4).Limiter, "VGPRs");
  EXPECT_EQ(explained(70, 0, 4).VgprsToNextStep, 6u);
}

TEST(Occupancy, AccumulationRegistersCountAlsoPastTheCurve) {
  EXPECT_EQ(explained(62, 66, 2).Limiter, "VGPRs"); // 64 + 66 of 512
  Usage U = explained(256, 62, 1);
  EXPECT_EQ(U.Limiter, "VGPRs");
  EXPECT_EQ(U.VgprsToNextStep, 62u);
}

TEST(Occupancy, AccumulationRegistersOfAFileOfTheirOwnAreNotAdded) {
  OccupancySteps Mi100 = cdna();
  Mi100.UnifiedFile = false;
  EXPECT_EQ(explained(62, 66, 4, Mi100).VgprsToNextStep, 2u);
  EXPECT_EQ(explained(62, 66, 4, Mi100).VgprsAllocated, 72u);
  EXPECT_EQ(explained(62, 66, 2).VgprsAllocated, 136u); // 64 + 66
}

TEST(Occupancy, NamesWhatElseLimits) {
  Usage U;
  U.Vgprs = 60;
  U.Occupancy = 6;
  U.Sgprs = 90;
  explainOccupancy(U, cdna());
  EXPECT_EQ(U.Limiter, "SGPRs");
  EXPECT_EQ(U.SgprsAllocated, 96u);
  U.Sgprs = 80; // That lets 8 be.
  U.LdsBytes = 4096;
  explainOccupancy(U, cdna());
  EXPECT_EQ(U.Limiter, "LDS");
  U.LdsBytes = 0;
  U.GroupMin = U.GroupMax = 1024;
  explainOccupancy(U, cdna());
  EXPECT_EQ(U.Limiter, "work-group size");
  U.GroupMin = 1; // Any size: then it is amdgpu_waves_per_eu.
  explainOccupancy(U, cdna());
  EXPECT_EQ(U.Limiter, "attribute");
}

TEST(Occupancy, EveryWaveHasSomeRegisters) {
  EXPECT_EQ(explained(0, 0, 8).VgprsAllocated, 8u);
  OccupancySteps Rdna = cdna();
  Rdna.SgprGranule = 0;
  Rdna.FixedSgprs = 128;
  EXPECT_EQ(explained(1, 0, 8, Rdna).SgprsAllocated, 128u);
}
