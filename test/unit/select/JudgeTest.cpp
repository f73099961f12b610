// The judge, on made-up figures.
#include "select/Judge.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::select;

namespace {

Delta delta(unsigned VgprsBefore, unsigned VgprsAfter, unsigned WavesBefore,
            unsigned WavesAfter, double EstBefore = 100,
            double EstAfter = 100) {
  Delta D;
  D.Kernel = "k";
  D.Target = "gpu";
  D.Before.CodeHash = "a";
  D.After.CodeHash = "b";
  D.Before.Figures.Vgprs = VgprsBefore;
  D.After.Figures.Vgprs = VgprsAfter;
  D.Before.Figures.Occupancy = WavesBefore;
  D.After.Figures.Occupancy = WavesAfter;
  D.Before.Figures.EstCycles = EstBefore;
  D.After.Figures.EstCycles = EstAfter;
  D.After.Figures.EstBound = "issue";
  return D;
}

} // namespace

TEST(Judge, MoreWavesPay) {
  Verdict V = judge({delta(37, 24, 6, 10)}, {});
  EXPECT_TRUE(V.Pays);
  EXPECT_EQ(V.Reason, "gpu: occupancy rises from 6 to 10");
}

TEST(Judge, FewerRegistersInOneStepDoNot) {
  Verdict V = judge({delta(24, 20, 10, 10)}, {});
  EXPECT_FALSE(V.Pays);
  EXPECT_EQ(V.Reason,
            "no target gains (gpu: VGPRs 24 -> 20, occupancy 10 -> 10)");
  EXPECT_TRUE(judge({delta(24, 20, 10, 10)}, {Objective::Registers}).Pays);
}

TEST(Judge, ARisingEstimateIsRefused) {
  Verdict V = judge({delta(37, 24, 6, 10, 100, 190)}, {});
  EXPECT_FALSE(V.Pays);
  EXPECT_EQ(V.Reason,
            "gpu: the estimate rises from 100 to 190 cycles (issue-bound)");
  EXPECT_TRUE(judge({delta(37, 24, 6, 10, 100, 104)}, {{}, 0.05}).Pays);
}

TEST(Judge, OneTargetThatLosesDecides) {
  EXPECT_FALSE(judge({delta(37, 24, 6, 10), delta(20, 40, 10, 6)}, {}).Pays);
}

TEST(Judge, ScratchAndSpillsCount) {
  Delta D = delta(80, 40, 3, 6);
  D.After.Figures.ScratchBytes = 64;
  EXPECT_FALSE(judge({D}, {}).Pays);
  Delta E = delta(80, 80, 3, 3);
  E.Before.Figures.VgprSpills = 12;
  Verdict V = judge({E}, {});
  EXPECT_TRUE(V.Pays);
  EXPECT_EQ(V.Reason, "gpu: spills fall from 12 to 0");
}

TEST(Judge, ScratchThatHardlyFallsDoesNotCount) {
  auto With = [](unsigned Before, unsigned After) {
    Delta D = delta(27, 27, 9, 9);
    D.Before.Figures.ScratchBytes = Before;
    D.After.Figures.ScratchBytes = After;
    return judge({D}, {}).Pays;
  };
  EXPECT_FALSE(With(4112, 4100));
  EXPECT_FALSE(With(1000, 951));
  EXPECT_TRUE(With(1000, 950));
  EXPECT_TRUE(With(4, 0));
  EXPECT_FALSE(With(0, 0));
}

TEST(Judge, LostStoresAreNeverAGain) {
  Delta D = delta(37, 0, 6, 10, 100, 1);
  D.Before.Stored = {{"arg 0", 64}};
  for (Objective O :
       {Objective::Occupancy, Objective::Registers, Objective::Estimate}) {
    Verdict V = judge({D}, {O});
    EXPECT_FALSE(V.Pays);
    EXPECT_NE(V.Reason.find("stores fewer bytes to argument 0"),
              std::string::npos);
  }
}

TEST(Judge, WhatCannotBeMeasured) {
  Delta D = delta(37, 24, 6, 10);
  D.After.Problem = "LLVM crashed";
  EXPECT_EQ(judge({D}, {}).Reason,
            "gpu: can't be measured any more: LLVM crashed");
  D.Before.Problem = "LLVM crashed";
  EXPECT_EQ(judge({D}, {}).Reason, "nothing could be measured");
}

TEST(Judge, TheSameCodeSaysSo) {
  Delta D = delta(37, 37, 6, 6);
  D.After.CodeHash = D.Before.CodeHash;
  EXPECT_EQ(judge({D}, {}).Reason,
            "the compiler makes the same code of it on every target");
}

TEST(Judge, TheEstimateAloneCanBeTheGoal) {
  // Fewer waves, but quicker: what the other objectives refuse.
  Delta D = delta(32, 48, 8, 5, 100, 80);
  EXPECT_FALSE(judge({D}, {}).Pays);
  EXPECT_TRUE(judge({D}, {Objective::Estimate}).Pays);
  // 1 % is none.
  D = delta(32, 32, 8, 8, 1000, 991);
  EXPECT_FALSE(judge({D}, {Objective::Estimate}).Pays);
  D = delta(32, 32, 8, 8, 1000, 989);
  EXPECT_TRUE(judge({D}, {Objective::Estimate}).Pays);
}

TEST(Judge, MostWavesAreWorthAClearFall) {
  Delta D = delta(22, 102, 10, 4, 1000, 900);
  Verdict V = judge({D}, {Objective::Estimate});
  EXPECT_TRUE(V.Refused);
  EXPECT_EQ(V.Reason, "gpu: occupancy falls from 10 to 4, and the estimate by "
                      "less than 15 %");
  EXPECT_TRUE(
      judge({delta(22, 102, 10, 4, 1000, 840)}, {Objective::Estimate}).Pays);
  EXPECT_TRUE(
      judge({delta(22, 102, 10, 5, 1000, 900)}, {Objective::Estimate}).Pays);
  // What another GPU that is not asked may lose is time alone.
  EXPECT_EQ(costsTime({D}, 0), "");
}

TEST(Judge, AnEstimateByAssumedTripCountsIsToldAsOne) {
  Delta D = delta(32, 32, 8, 8, 100, 50);
  for (measure::Usage *U : {&D.Before.Figures, &D.After.Figures}) {
    U->EstFrom = "made up";
    U->EstLaunch = {64, 64};
  }
  D.Before.Figures.EstAssumed = 400;
  D.After.Figures.EstAssumed = 500;
  Verdict V = judge({D}, {});
  EXPECT_TRUE(V.Refused);
  EXPECT_EQ(V.Reason, "gpu: the estimate rises from 400 to 500 cycles "
                      "(issue-bound, by assumed trip counts)");
  D.After.Figures.EstAssumed = 100;
  EXPECT_EQ(judge({D}, {Objective::Estimate}).Reason,
            "gpu: the estimate falls from 100 to 50 cycles");
}

TEST(Judge, AFallingEstimateMayCountBesideWaves) {
  Criterion By;
  By.Faster = 0.05;
  auto held = [](Delta D) {
    D.Held = true;
    return D;
  };
  EXPECT_TRUE(judge({held(delta(32, 48, 8, 5, 100, 80))}, By).Pays);
  EXPECT_FALSE(judge({delta(32, 48, 8, 5, 100, 80)}, By).Pays);
  EXPECT_FALSE(judge({held(delta(32, 48, 8, 5, 100, 96))}, By).Pays);
  EXPECT_FALSE(judge({held(delta(32, 48, 8, 8, 100, 96))}, By).Pays);
  // What is faster on one target makes up for no waves of another.
  EXPECT_FALSE(
      judge({held(delta(32, 48, 8, 8, 100, 80)), held(delta(32, 48, 8, 5))}, By)
          .Pays);
  Delta Spills = held(delta(32, 48, 8, 8, 100, 80));
  Spills.After.Figures.VgprSpills = 1;
  EXPECT_TRUE(judge({Spills}, By).Refused);
  EXPECT_EQ(gainInWords({held(delta(32, 48, 8, 5, 120, 80))}, By),
            "1.50 times as fast on gpu, estimated");
  EXPECT_TRUE(whyNothingToGain({held(delta(24, 24, 10, 10))}, By).empty());
  EXPECT_FALSE(whyNothingToGain({}, By).empty());
}

static Delta timed(double Ratio, double Low, double High) {
  Delta D = delta(37, 50, 6, 4);
  D.Time = measure::PairedTime{1000, 1000 / Ratio, Ratio, Low, High};
  return D;
}

TEST(Judge, TimeDecidesWhateverTheRegistersDo) {
  Verdict V = judge({timed(1.3, 1.2, 1.4)}, {Objective::Time});
  EXPECT_TRUE(V.Pays);
  EXPECT_EQ(V.Reason, "gpu: time falls, 1.0 -> 0.8 us (1.30x, 1.20 to 1.40)");
  EXPECT_FALSE(judge({timed(1.3, 1.2, 1.4)}, {Objective::Occupancy}).Pays);
}

TEST(Judge, TimeMustBeatItsNoiseAndNoDeviceMayLose) {
  EXPECT_FALSE(judge({timed(1.3, 0.9, 1.4)}, {Objective::Time}).Pays);
  EXPECT_FALSE(judge({timed(1.005, 1.004, 1.006)}, {Objective::Time}).Pays);
  Verdict V =
      judge({timed(1.3, 1.2, 1.4), timed(0.8, 0.7, 0.9)}, {Objective::Time});
  EXPECT_FALSE(V.Pays);
  EXPECT_EQ(V.Reason.find("gpu: time rises"), 0u) << V.Reason;
  EXPECT_TRUE(judge({timed(1.3, 1.2, 1.4), timed(0.8, 0.7, 0.9)},
                    {Objective::Time, 0.5})
                  .Pays);
}

TEST(Judge, WhatWasNotTimedDoesNotPay) {
  Delta D = delta(37, 24, 6, 10);
  EXPECT_EQ(judge({D}, {Objective::Time}).Reason, NotTimed);
  D.TimeProblem = "exceeded 60 s";
  EXPECT_EQ(judge({D}, {Objective::Time}).Reason,
            "gpu: not timed: exceeded 60 s");
}

TEST(Judge, LostStoresAreNoGainInTimeEither) {
  Delta D = timed(5, 4, 6);
  D.Before.Stored = {{"arg 0", 64}};
  EXPECT_FALSE(judge({D}, {Objective::Time}).Pays);
}

TEST(Judge, UnknownFiguresSayNothing) {
  Delta D = delta(37, 24, 6, 10);
  D.Before.Figures = D.After.Figures = measure::Usage();
  EXPECT_EQ(judge({D}, {}).Reason,
            "no target gains (gpu: VGPRs ? -> ?, occupancy ? -> ?)");
  D.Before.Figures.Occupancy = 6;
  EXPECT_FALSE(judge({D}, {}).Pays);
}

TEST(Judge, TellsInAFewWordsWhatIsGained) {
  auto words = [](std::vector<Delta> List, Objective Goal) {
    return gainInWords(List, {Goal});
  };
  Delta Waves = delta(37, 24, 6, 10, 112, 100);
  EXPECT_EQ(words({Waves}, Objective::Occupancy), "6 -> 10 warps on gpu");
  Waves.After.Figures.Sgprs = 8;
  EXPECT_EQ(words({Waves}, Objective::Occupancy), "6 -> 10 waves on gpu");
  EXPECT_EQ(words({Waves}, Objective::Estimate),
            "1.12 times as fast on gpu, estimated");
  EXPECT_EQ(words({Waves}, Objective::Time), "");
  Waves.Time = measure::PairedTime{150, 100, 1.5, 1.4, 1.6};
  EXPECT_EQ(words({Waves}, Objective::Time),
            "1.50 times as fast on gpu, measured");
  // The first that gains is named, by its kernel where there are several.
  Delta Same = delta(24, 20, 10, 10);
  EXPECT_EQ(words({Same, Waves}, Objective::Occupancy), "6 -> 10 waves on gpu");
  Same.Kernel = "other";
  EXPECT_EQ(words({Same, Waves}, Objective::Occupancy),
            "6 -> 10 waves in k on gpu");
  EXPECT_EQ(words({Same}, Objective::Occupancy), "");
  EXPECT_EQ(words({Same}, Objective::Registers), "24 -> 20 VGPRs on gpu");
  Delta Spills = delta(80, 80, 3, 3);
  Spills.Before.Figures.VgprSpills = 5;
  EXPECT_EQ(words({Spills}, Objective::Occupancy), "5 -> 0 spills on gpu");
  Spills.Before.Figures.ScratchBytes = 24;
  Spills.After.Figures.ScratchBytes = 0;
  EXPECT_EQ(words({Spills}, Objective::Occupancy),
            "24 -> 0 bytes of scratch on gpu");
}
