// Figures in words.
#include "lsp/Figures.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::lsp;

namespace {

ViewFigures figures() {
  ViewFigures F;
  F.Target = "gfx600";
  F.Now.Vgprs = 37;
  F.Now.Occupancy = 6;
  F.Now.OccupancyMax = 10;
  F.Now.Limiter = "VGPRs";
  F.Now.VgprsToNextStep = 1;
  F.Then = F.Now;
  return F;
}

} // namespace

TEST(Figures, ALens) {
  EXPECT_EQ(lensText(figures()),
            "VGPR 37 \u00b7 6 of 10 waves \u00b7 next step at 36 (gfx600)");
}

TEST(Figures, SpillsAreInWords) {
  ViewFigures F = figures();
  F.Now.VgprSpills = 1;
  F.Now.SgprSpills = 12;
  F.Now.ScratchBytes = 64;
  F.Now.VgprsToNextStep.reset();
  EXPECT_EQ(lensText(F), "VGPR 37 \u00b7 6 of 10 waves \u00b7 1 VGPR spilled "
                         "\u00b7 12 SGPRs spilled \u00b7 64 B of scratch "
                         "\u00b7 limited by VGPRs (gfx600)");
}

TEST(Figures, TheLineWithMostAliveIsNamed) {
  ViewFigures F = figures();
  F.Live = {{4, 10}, {7, 31}, {9, 31}};
  EXPECT_NE(lensText(F).find("most alive in line 7 (31)"), std::string::npos);
}

TEST(Figures, WhatIsUnknownIsNotZero) {
  ViewFigures F;
  F.Target = "t";
  EXPECT_EQ(lensText(F), "no figures (t)");
  F.Problem = "exceeded 60 s";
  EXPECT_EQ(lensText(F), "not measured: exceeded 60 s (t)");
}

TEST(Figures, ATableHasBothVersions) {
  ViewFigures F = figures();
  F.Then.Vgprs = 24;
  F.Then.Occupancy = 10;
  F.Then.Limiter = "none";
  F.Then.VgprsToNextStep.reset();
  std::string Table = figuresTable({"k", 3, {F}});
  EXPECT_NE(Table.find("| gfx600 | 37 \u2192 24 | ? | ? | ? | ? | 6 \u2192 10 "
                       "of 10 | none | ? |"),
            std::string::npos)
      << Table;
  F.Problem = "a | b\nc";
  EXPECT_NE(figuresTable({"k", 3, {F}}).find("| gfx600 | a \\| b c |"),
            std::string::npos);
}
