// Sites of a text that is built in several ways.
#include "pipeline/Builds.h"
#include "gtest/gtest.h"

using namespace clrewrite;
using namespace clrewrite::pipeline;

namespace {

rewrite::Candidate site(unsigned Offset, std::string NewText) {
  rewrite::Candidate C;
  C.Rewrite = "r";
  C.Function = "f";
  C.Kernels = {"k"};
  C.Line = 1;
  C.Offset = Offset;
  C.Alternatives.push_back({"way",
                            rewrite::Safety::Exact,
                            "",
                            {Edit{Offset, 1, std::move(NewText)}}});
  return C;
}

Sight sight(std::vector<rewrite::Candidate> Sites) {
  Sight S;
  S.Found.Candidates = std::move(Sites);
  S.Found.Kernels = {{"k", 1}};
  return S;
}

/// What is found where the first build has \p First and the second \p Second.
rewrite::Findings both(
    Sight First, Sight Second,
    llvm::function_ref<void(rewrite::Findings &)> Sift =
        [](rewrite::Findings &) {}) {
  Source Text{"f.cl", "0123456789\n", {}};
  std::vector<Build> Builds(2);
  Builds[0].Name = "one";
  Builds[1].Name = "two";
  Builds[1].Options = {"-DTWO"};
  return lookInAll(
             Text, Builds, 1,
             [&](const Source &S, const Build &) {
               return S.Options.empty() ? First : Second;
             },
             Sift)
      .Found;
}

} // namespace

TEST(Builds, ASiteOfAllIsKept) {
  rewrite::Findings F = both(sight({site(3, "x")}), sight({site(3, "x")}));
  ASSERT_EQ(F.Candidates.size(), 1u);
  EXPECT_TRUE(F.Declines.empty());
}

TEST(Builds, WhatIsSiftedOutIsSoInEach) {
  unsigned Sifted = 0;
  auto sift = [&](rewrite::Findings &F) {
    for (const rewrite::Candidate &C : F.Candidates)
      F.Declines.push_back(
          {C.Rewrite, C.Function, C.Kernels, C.Line, C.Offset, "not wanted"});
    Sifted += unsigned(F.Candidates.size());
    F.Candidates.clear();
  };
  rewrite::Findings F =
      both(sight({site(3, "x")}), sight({site(3, "x"), site(5, "x")}), sift);
  EXPECT_EQ(Sifted, 3u);
  EXPECT_TRUE(F.Candidates.empty());
  ASSERT_EQ(F.Declines.size(), 2u);
  EXPECT_EQ(F.Declines[0].Reason, "not wanted");
  EXPECT_EQ(F.Declines[1].Reason, "not wanted");
}

TEST(Builds, OtherEditsInOneAreNotPossible) {
  rewrite::Findings F = both(sight({site(3, "x")}), sight({site(3, "y")}));
  EXPECT_TRUE(F.Candidates.empty());
  ASSERT_EQ(F.Declines.size(), 1u);
  EXPECT_EQ(F.Declines[0].Reason, "not possible in the build 'two'");
}

TEST(Builds, ASiteThatOneLacksIsNotPossible) {
  EXPECT_TRUE(both(sight({site(3, "x")}), sight({})).Candidates.empty());
  rewrite::Findings F = both(sight({}), sight({site(3, "x")}));
  EXPECT_TRUE(F.Candidates.empty());
  ASSERT_EQ(F.Declines.size(), 1u);
  EXPECT_EQ(F.Declines[0].Reason, "possible in the build 'two' only");
}

TEST(Builds, ADeclinedSiteOfOneIsDeclined) {
  Sight Declines = sight({});
  Declines.Found.Declines.push_back({"r", "f", {"k"}, 1, 3, "it must not"});
  auto reason = [](const rewrite::Findings &F) {
    EXPECT_TRUE(F.Candidates.empty());
    EXPECT_EQ(F.Declines.size(), 1u);
    return F.Declines.empty() ? "" : F.Declines[0].Reason;
  };
  EXPECT_EQ(reason(both(sight({site(3, "x")}), Declines)),
            "it must not (in the build 'two')");
  EXPECT_EQ(reason(both(Declines, sight({site(3, "x")}))),
            "it must not (in the build 'one')");
  EXPECT_EQ(reason(both(Declines, Declines)), "it must not");
}

TEST(Builds, WhereOneSkipsTheTextTheOthersDecide) {
  Sight Skips = sight({});
  Skips.Found.Skipped = {{2, 8}};
  EXPECT_EQ(both(sight({site(3, "x")}), Skips).Candidates.size(), 1u);
  EXPECT_EQ(both(Skips, sight({site(3, "x")})).Candidates.size(), 1u);
  EXPECT_TRUE(both(sight({site(8, "x")}), Skips).Candidates.empty());
}

TEST(Builds, WhatOneBuildAssumesIsAssumed) {
  Sight Assumes = sight({site(3, "x")});
  rewrite::Alternative &A = Assumes.Found.Candidates[0].Alternatives[0];
  A.Class = rewrite::Safety::Assumes;
  A.Note = "no overlap";
  for (rewrite::Findings F : {both(sight({site(3, "x")}), Assumes),
                              both(Assumes, sight({site(3, "x")}))}) {
    ASSERT_EQ(F.Candidates.size(), 1u);
    EXPECT_EQ(F.Candidates[0].Alternatives[0].Class, rewrite::Safety::Assumes);
    EXPECT_EQ(F.Candidates[0].Alternatives[0].Note, "no overlap");
  }
}

TEST(Builds, SkippedIsWhatEachBuildSkips) {
  Sight A = sight({}), B = sight({});
  A.Found.Skipped = {{1, 4}, {6, 9}};
  B.Found.Skipped = {{3, 8}};
  EXPECT_EQ(both(A, B).Skipped,
            (std::vector<std::pair<unsigned, unsigned>>{{3, 4}, {6, 8}}));
  EXPECT_TRUE(both(A, sight({})).Skipped.empty());
}

TEST(Builds, KernelsOfOneAreMeasuredThereOnly) {
  struct Counting : measure::Meter {
    std::vector<measure::MeasureRequest> Seen;
    std::vector<measure::Measurement>
    measure(llvm::ArrayRef<measure::MeasureRequest> Requests) override {
      Seen.insert(Seen.end(), Requests.begin(), Requests.end());
      return std::vector<measure::Measurement>(Requests.size());
    }
  } Inner;
  std::vector<Build> Builds(2);
  Builds[0].Kernels = {"k", "m"};
  Builds[1].Kernels = {"m"};
  Builds[1].Before = "#define B\n";
  std::vector<measure::Target> On =
      targetsOf({measure::Target{"gpu", "gpu"}}, Builds);
  Source Text{"f.cl", "text", {}};
  BuildsMeter M(Inner, Builds, 1);
  EXPECT_EQ(M.measure({{Text, On[0], {"k"}}, {Text, On[1], {"k"}}}).size(), 2u);
  ASSERT_EQ(Inner.Seen.size(), 1u);
  EXPECT_EQ(Inner.Seen[0].What.Text, "text");
  M.measure({{Text, On[1], {"k", "m"}}});
  ASSERT_EQ(Inner.Seen.size(), 2u);
  EXPECT_EQ(Inner.Seen[1].Kernels, std::vector<std::string>{"m"});
  EXPECT_EQ(Inner.Seen[1].What.Text, "#define B\n#line 1 \"f.cl\"\ntext");
}

TEST(Unit, PlacesCountFromTheText) {
  Build B;
  B.Before = "#define N 4\n";
  B.After = "\nkernel void g() {}\n";
  Source Text{"f.cl", "kernel void f() {}\n// more\n", {}};
  std::string All = whole(Text, B).Text;
  unsigned Start = unsigned(All.find("kernel void f"));
  EXPECT_EQ(All.substr(0, Start), "#define N 4\n#line 1 \"f.cl\"\n");
  rewrite::Findings F;
  rewrite::Candidate In = site(Start + 2, "x"), Head = In, Behind = In;
  In.Line = Head.Line = 3;
  Head.Rewrite = "with-macro";
  Head.Alternatives[0].Changes.push_back({0, 0, "#define M\n", true});
  Behind.Rewrite = "reaches-out";
  Behind.Alternatives[0].Changes.push_back({unsigned(All.size()) - 1, 1, ""});
  F.Candidates = {In, Head, Behind, site(3, "x")};
  F.Kernels = {{"f", 3}, {"g", 6}};
  F = withinText(F, Text, B);
  ASSERT_EQ(F.Candidates.size(), 2u);
  EXPECT_EQ(F.Candidates[0].Offset, 2u);
  EXPECT_EQ(F.Candidates[0].Line, 1u);
  EXPECT_EQ(F.Candidates[1].Alternatives[0].Changes[1].Offset, 0u);
  EXPECT_EQ(F.Kernels[0].Line, 1u);
  EXPECT_EQ(F.Kernels[1].Line, 0u);
}

TEST(Unit, ATextMayHaveADriversOptionOfItsOwn) {
  Build B;
  B.Options = {"-DX"};
  B.DeviceOptions = "-DX";
  Source Text{"/k.cl", "t", {}};
  EXPECT_EQ(whole(Text, B).DeviceOptions, "-DX");
  Text.DeviceOptions = "-limit";
  EXPECT_EQ(whole(Text, B).DeviceOptions, "-DX -limit");
  EXPECT_EQ(whole(Text, B).Options, B.Options);
}

TEST(Unit, APlainBuildChangesNothing) {
  Source Text{"f.cl", "text", {}};
  EXPECT_EQ(whole(Text, Build()).Text, "text");
  EXPECT_EQ(whole(Text, Build(), 7).Text, "#line 7 \"f.cl\"\ntext");
}
