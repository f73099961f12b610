// The page and the curves: what they say, and that text stays text.
#include "Sample.h"
#include "report/CurveChart.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::report;

namespace {

/// 10 waves up to 24 VGPRs, 6 up to 40, 2 beyond; 37 before and 24 after.
measure::OccupancySeries vgprs() {
  measure::OccupancySeries S;
  S.Axis = measure::OccupancyAxis::Vgprs;
  S.First = 1;
  S.Last = 256;
  S.Steps = {{1, 10}, {25, 6}, {41, 2}};
  S.Cap = 10;
  S.Before = {37, 6};
  S.After = {24, 10};
  return S;
}

measure::OccupancyCurves curves(measure::OccupancySeries S) {
  measure::OccupancyCurves C;
  C.Max = 10;
  C.Series = {std::move(S)};
  return C;
}

Report withCurves() {
  Report R = sample();
  R.Files[0].Curves = {{{"k", curves(vgprs())}}};
  return R;
}

bool holds(const std::string &Text, const std::string &What) {
  return Text.find(What) != std::string::npos;
}

size_t countOf(const std::string &Text, const std::string &What) {
  size_t N = 0;
  for (size_t At = Text.find(What); At != std::string::npos;
       At = Text.find(What, At + 1))
    ++N;
  return N;
}

} // namespace

TEST(Html, FiguresBeforeAndAfter) {
  std::string Page = written(writeHtml, withCurves());
  EXPECT_TRUE(holds(Page, "<span class=\"was\">37</span> → "
                          "<strong>24</strong>"));
  EXPECT_TRUE(holds(Page, "<strong>10</strong> of 10"));
  EXPECT_TRUE(holds(Page, "<code>bad.cl</code>: does not parse"));
  EXPECT_TRUE(holds(Page, "before: 37, 6 waves"));
  EXPECT_TRUE(holds(Page, "it must not"));
  EXPECT_FALSE(holds(Page, "<script"));
  EXPECT_FALSE(holds(Page, "http:") || holds(Page, "https:"))
      << "it needs nothing from elsewhere";
}

TEST(Html, TextStaysText) {
  Report R = withCurves();
  FileReport &F = R.Files[0];
  F.Path = "<script>alert(1)</script>.cl";
  F.Warnings = {{1, "k", "a < b && \"c\""}};
  F.Result.Declines[0].Reason = "<b>";
  F.Diff = "@@ -4 +4 @@\n-#define M <img src=x>\n+</pre><script>\n";
  F.Verified = {{"k", verify::Verification::Same, "on <device>"}};
  for (auto *Write : {writeHtml, writeSvg}) {
    std::string Page = written(Write, R);
    EXPECT_FALSE(holds(Page, "<script>"));
    EXPECT_FALSE(holds(Page, "<img"));
    EXPECT_FALSE(holds(Page, "<b>"));
    EXPECT_FALSE(holds(Page, "<device>"));
    EXPECT_TRUE(holds(Page, "&lt;script&gt;alert(1)"));
  }
}

TEST(Html, EditsStandBesideTheirHunk) {
  Report R = withCurves();
  FileReport &F = R.Files[0];
  F.Given = "1\n2\n3\n4\n5\n";
  F.Diff = "--- a/k.cl\n+++ b/k.cl\n@@ -4 +4 @@ r\n-4\n+four\n";
  std::string Page = written(writeHtml, R);
  size_t At = Page.find("<del>-4</del>"), Edit = Page.find("Why: gpu: occ");
  ASSERT_NE(At, std::string::npos);
  ASSERT_NE(Edit, std::string::npos);
  EXPECT_LT(At, Edit);
  // Without a diff the edit stands alone.
  F.Diff.clear();
  EXPECT_TRUE(holds(written(writeHtml, R), "Why: gpu: occ"));
}

TEST(Html, NamesOfPartsAreUnique) {
  Report R = withCurves();
  FileReport Other = R.Files[0];
  R.Files.push_back(Other);
  for (auto *Write : {writeHtml, writeSvg}) {
    std::string Page = written(Write, R);
    EXPECT_EQ(countOf(Page, "id=\"kernel-1-1-1-title\""), 1u);
    EXPECT_EQ(countOf(Page, "id=\"kernel-2-1-1-title\""), 1u);
  }
}

TEST(Html, TwiceTheSame) {
  EXPECT_EQ(written(writeHtml, withCurves()), written(writeHtml, withCurves()));
}

TEST(Html, NothingMeasured) {
  Report R = sample();
  R.Unmeasured = true;
  R.Files[0].Result.Before.clear();
  R.Files[0].Result.After.clear();
  EXPECT_TRUE(holds(written(writeHtml, R), "Legal edits"));
  EXPECT_TRUE(holds(written(writeSvg, R), "No occupancy is known"));
}

TEST(CurveChart, SaysWhatLimits) {
  measure::OccupancySeries S = vgprs();
  EXPECT_EQ(verdictOf(curves(S), S).Text, "does not limit");
  S.After = {37, 6};
  EXPECT_EQ(verdictOf(curves(S), S).Text, "limits; 24 or fewer: 10 waves");
  S.After = {50, 2};
  EXPECT_EQ(verdictOf(curves(S), S).Text, "limits; 40 or fewer: 6 waves");
  S.Cap = 2;
  EXPECT_EQ(verdictOf(curves(S), S).Text, "limits, like others");
  S.After = {30, 2};
  EXPECT_EQ(verdictOf(curves(S), S).Text, "does not limit");
}

TEST(CurveChart, AKernelWithoutLdsIsNotLimitedByIt) {
  measure::OccupancySeries S;
  S.Axis = measure::OccupancyAxis::LdsBytes;
  S.Last = 65536;
  S.Steps = {{0, 8}, {8192, 4}};
  S.Cap = 10;
  S.Before = S.After = {0, 8};
  EXPECT_EQ(verdictOf(curves(S), S).Text, "does not limit");
  S.Axis = measure::OccupancyAxis::GroupSize;
  S.First = 1;
  S.Last = 1024;
  S.Steps = {{1, 4}, {257, 10}};
  S.Before = S.After = {256, 4};
  EXPECT_EQ(verdictOf(curves(S), S).Text, "limits");
}
