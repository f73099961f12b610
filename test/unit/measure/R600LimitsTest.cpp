// Occupancy on AMD's GPUs before GCN, against the steps of AMD's own profiler
// as they were published for work-groups of 256: 25 registers leave 8
// wavefronts of 32, 20 leave 12 and 12 leave 20.
#include "measure/r600/R600Limits.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;

static Usage usage(unsigned Gprs, unsigned Lds = 0,
                   std::optional<unsigned> GroupSize = std::nullopt,
                   const char *On = "redwood") {
  Usage U;
  U.Vgprs = Gprs;
  U.LdsBytes = Lds;
  addR600Occupancy(U, *r600Processor(On), GroupSize);
  return U;
}

TEST(R600Limits, RegistersGiveStepsOfWholeGroups) {
  for (auto [Gprs, Waves] : {std::pair(1u, 32u),
                             {7u, 32u},
                             {8u, 28u},
                             {12u, 20u},
                             {20u, 12u},
                             {21u, 8u},
                             {25u, 8u},
                             {31u, 8u},
                             {32u, 4u},
                             {62u, 4u}})
    EXPECT_EQ(usage(Gprs).Occupancy, Waves) << Gprs;
}

TEST(R600Limits, SmallerGroupsWhere256DoNotFit) {
  EXPECT_EQ(usage(63).Occupancy, 3u);
  EXPECT_EQ(usage(83).Occupancy, 2u);
  EXPECT_EQ(usage(125).Occupancy, 1u);
  // A kernel that requires them can't be launched.
  EXPECT_EQ(usage(63, 0, 256).Occupancy, 0u);
  EXPECT_EQ(usage(63, 0, 256).VgprsToNextStep, 1u);
}

TEST(R600Limits, SaysWhatLimitsAndHowFarTheNextStepIs) {
  Usage U = usage(25);
  EXPECT_EQ(U.OccupancyMax, 32u);
  EXPECT_EQ(U.Limiter, "VGPRs");
  EXPECT_EQ(U.VgprsToNextStep, 5u);
  EXPECT_EQ(usage(7).Limiter, "none");
  EXPECT_FALSE(usage(7).VgprsToNextStep);
}

TEST(R600Limits, EightGroupsAtMostHoweverSmall) {
  Usage U = usage(5, 0, 64);
  EXPECT_EQ(U.Occupancy, 8u);
  EXPECT_EQ(U.OccupancyMax, 32u);
  EXPECT_EQ(U.Limiter, "work-group size");
  EXPECT_FALSE(U.VgprsToNextStep);
  EXPECT_EQ(usage(5, 0, 64, "cedar").Occupancy, 16u); // wavefronts of 32
}

TEST(R600Limits, LdsLimitsWholeGroups) {
  Usage U = usage(5, 12 * 1024);
  EXPECT_EQ(U.Occupancy, 8u); // 2 of 12 KiB in 32 KiB
  EXPECT_EQ(U.Limiter, "LDS");
  EXPECT_FALSE(U.VgprsToNextStep);
  EXPECT_EQ(usage(25, 4096).Limiter, "VGPRs");
}

TEST(R600Limits, UnknownStaysUnknown) {
  Usage Nothing;
  addR600Occupancy(Nothing, *r600Processor("cayman"), std::nullopt);
  EXPECT_FALSE(Nothing.Occupancy);
  EXPECT_FALSE(Nothing.Limiter);
}
