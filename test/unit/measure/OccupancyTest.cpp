// What an occupancy curve tells about a kernel.
#include "measure/Occupancy.h"
#include <gtest/gtest.h>

using namespace clrewrite;

/// A file of 512: 8 waves up to 64 registers, 4 up to 128, 2 up to 256.
static OccupancyCurve cdna() {
  OccupancyCurve C;
  for (unsigned N = 1; N <= 256; ++N)
    C.push_back(N <= 64 ? 8 : N <= 128 ? 4 : 2);
  return C;
}

static Usage explained(unsigned Vgprs, unsigned Agprs, unsigned Waves) {
  Usage U;
  U.Vgprs = Vgprs;
  U.Agprs = Agprs;
  U.Occupancy = Waves;
  explainOccupancy(U, cdna());
  return U;
}

TEST(Occupancy, RegistersThatAllowMoreAreNotTheLimit) {
  EXPECT_EQ(explained(64, 0, 8).Limiter, "none");
  EXPECT_EQ(explained(70, 0, 4).Limiter, "VGPRs");
  EXPECT_EQ(explained(70, 0, 4).VgprsToNextStep, 6u);
  EXPECT_EQ(explained(60, 0, 4).Limiter, "SGPRs");
}

TEST(Occupancy, AccumulationRegistersCountAlsoPastTheCurve) {
  EXPECT_EQ(explained(62, 66, 2).Limiter, "VGPRs"); // 64 + 66 of 512
  Usage U = explained(256, 62, 1);
  EXPECT_EQ(U.Limiter, "VGPRs");
  EXPECT_EQ(U.VgprsToNextStep, 62u);
}
