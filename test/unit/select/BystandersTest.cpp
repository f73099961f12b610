// GPUs that no target stands for, on letters.
#include "Letters.h"
#include "measure/TargetFamily.h"
#include "llvm/ADT/STLExtras.h"

using namespace clrewrite;
using namespace clrewrite::select;

namespace {

/// On the target "gpu" each letter that is done is a register less, and costs
/// nothing. On "other" an 's' that is done costs 10 cycles.
class TwoFamilies : public LetterMeter {
public:
  unsigned OfOther = 0;

protected:
  void change(const measure::MeasureRequest &R,
              measure::Measurement &M) override {
    llvm::StringRef Text = R.What.Text;
    measure::Usage &U = M.Kernels.front().Figures;
    if (R.On.Name == "gpu") {
      U.Vgprs = unsigned(1 + Text.count('x') + Text.count('s'));
      U.EstCycles = 10;
      return;
    }
    EXPECT_TRUE(R.EstimateOnly);
    ++OfOther;
    U = {};
    U.EstCycles = 100 + 10.0 * double(Text.count('!'));
  }
};

SelectOptions beside(Objective Goal) {
  SelectOptions O = options(Goal);
  O.Bystanders = {{"other", "other"}};
  return O;
}

} // namespace

TEST(Bystanders, RefuseWhatCostsThemTime) {
  TwoFamilies M;
  Selection S = run("xs", beside(Objective::Registers), letters, M);
  EXPECT_EQ(S.Result.Text, "os");
  // They have no figures of their own.
  EXPECT_EQ(S.Before.size(), 1u);
  auto Refused = llvm::find_if(
      S.Outcomes, [](const Outcome &O) { return !O.Applied && O.Offset == 1; });
  ASSERT_NE(Refused, S.Outcomes.end());
  EXPECT_EQ(Refused->Reason, "pays, but costs time on a bystander: other: the "
                             "estimate rises from 100 to "
                             "110 cycles (issue-bound)");
}

TEST(Bystanders, AreLeftOutWhereTheUserSaysSo) {
  TwoFamilies M;
  Selection S = run("xs", options(Objective::Registers), letters, M);
  EXPECT_EQ(S.Result.Text, "o!");
  EXPECT_EQ(M.OfOther, 0u);
}

TEST(Bystanders, MayLoseWhatTargetsMayLose) {
  TwoFamilies M;
  SelectOptions O = beside(Objective::Registers);
  O.JudgedBy.MaxSlowdown = 0.1;
  EXPECT_EQ(run("xs", O, letters, M).Result.Text, "o!");
}

TEST(Bystanders, AreAskedOfWhatPaysAlone) {
  // 5 that stay leave one wave, however many go.
  TwoFamilies M;
  Selection S =
      run("xxxxxxxxx", beside(Objective::Occupancy), firstLetters(4), M);
  EXPECT_FALSE(S.changed());
  EXPECT_EQ(M.OfOther, 0u);
}

TEST(Bystanders, ThatCannotBeMeasuredSayNothing) {
  class Silent : public TwoFamilies {
    void change(const measure::MeasureRequest &R,
                measure::Measurement &M) override {
      TwoFamilies::change(R, M);
      if (R.On.Name == "other")
        M = {{}, "does not compile for other"};
    }
  } M;
  EXPECT_EQ(run("xs", beside(Objective::Registers), letters, M).Result.Text,
            "o!");
}

namespace {

/// As letters, which rewrite \p Name finds.
Finder foundBy(const char *Name) {
  return [=](const Source &S) {
    llvm::Expected<rewrite::Findings> F = letters(S);
    for (rewrite::Candidate &C : F->Candidates)
      C.Rewrite = Name;
    return F;
  };
}

/// Beside \p Other, where each letter costs nothing and saves a register.
Selection besides(measure::Target Other, const char *Rewrite, LetterMeter &M) {
  SelectOptions O = options(Objective::Registers);
  O.Bystanders = {std::move(Other)};
  return run("x", O, foundBy(Rewrite), M);
}

} // namespace

TEST(Bystanders, KeepRewritesAwayThatAreOftenSlowerThere) {
  TwoFamilies M;
  measure::Target Nvidia = llvm::cantFail(measure::parseTarget("sm_90"));
  Selection S = besides(Nvidia, "limit-unroll", M);
  EXPECT_FALSE(S.changed());
  ASSERT_FALSE(S.Outcomes.empty());
  EXPECT_EQ(S.Outcomes.front().Reason,
            "edits of this rewrite are often slower on a bystander, sm_90: "
            "tried with --only-target alone");
  EXPECT_EQ(S.Outcomes.front().Left, WhyNot::ForTargets);
  EXPECT_EQ(M.OfOther, 0u) << "it is not compiled";
}

namespace {

/// An 'x' may get a shelter around a line before it, in which it is an 'o', and
/// which saves a register.
llvm::Expected<rewrite::Findings> shelters(const Source &S) {
  rewrite::Findings F;
  F.Kernels = {{"k", 1, {}}};
  rewrite::Candidate C = candidateAt(0, "limit-unroll");
  rewrite::Alternative A;
  A.Label = "alone";
  A.Sheltered = true;
  A.Changes = {{0, 0, "#ifdef __AMDGCN__ // clrewrite\n(o)\n#endif\n"}};
  C.Alternatives = {A};
  if (S.Text.find("clrewrite") == std::string::npos)
    F.Candidates.push_back(C);
  return F;
}

/// As \p shelters, beside \p Other.
Selection sheltered(const char *Other, unsigned &OfOther) {
  class Meter : public TwoFamilies {
    void change(const measure::MeasureRequest &R,
                measure::Measurement &M) override {
      TwoFamilies::change(R, M);
      if (R.On.Name == "gpu" && R.What.Text.find("(o)") != std::string::npos)
        --*M.Kernels.front().Figures.Vgprs;
    }
  } M;
  SelectOptions O = options(Objective::Registers);
  O.Bystanders = {llvm::cantFail(measure::parseTarget(Other))};
  Selection S = run("xx\n", O, shelters, M);
  OfOther = M.OfOther;
  return S;
}

} // namespace

TEST(Bystanders, DoNotKeepAwayWhatTheirCompilersSkip) {
  unsigned Asked = 0;
  EXPECT_TRUE(sheltered("sm_90", Asked).changed());
  EXPECT_EQ(Asked, 0u) << "it is the text that it was";
}

TEST(Bystanders, OfWhichTheCompilersReadAShelterAreAsked) {
  unsigned Asked = 0;
  EXPECT_TRUE(sheltered("gfx1100", Asked).changed());
  EXPECT_GT(Asked, 0u);
}

TEST(Bystanders, LetOtherRewritesBeTried) {
  TwoFamilies M;
  measure::Target Nvidia = llvm::cantFail(measure::parseTarget("sm_90"));
  EXPECT_TRUE(besides(Nvidia, "share-window", M).changed());
}

TEST(Bystanders, OnWhichNothingWasTimedKeepNoRewriteAway) {
  TwoFamilies M;
  measure::Target Amd = llvm::cantFail(measure::parseTarget("gfx1100"));
  EXPECT_TRUE(besides(Amd, "limit-unroll", M).changed());
}

namespace {

/// A letter, which \p Rewrite makes a register cheaper, on a GPU of NVIDIA's.
Selection onNvidia(const char *Rewrite, Objective Goal) {
  TwoFamilies M;
  SelectOptions O = options(Goal);
  O.Targets.front().Family =
      llvm::cantFail(measure::parseTarget("sm_90")).Family;
  // From 130 registers to 128: a wave more.
  return run(std::string(129, 'x'), O, foundBy(Rewrite), M);
}

} // namespace

TEST(SparedTargets, HaveNoEditsThatAreOftenSlowerThereByDefault) {
  Selection S = onNvidia("limit-unroll", Objective::Auto);
  EXPECT_FALSE(S.changed());
  ASSERT_FALSE(S.Outcomes.empty());
  EXPECT_EQ(S.Outcomes.front().Reason,
            "edits of this rewrite are often slower on gpu, where no clock "
            "decides here: tried with --objective=time and a device, or for "
            "waves with --objective=occupancy");
  EXPECT_EQ(S.Outcomes.front().Left, WhyNot::ForWaves);
}

TEST(SparedTargets, HaveThemWhereTheUserAsksForWaves) {
  EXPECT_TRUE(onNvidia("limit-unroll", Objective::Occupancy).changed());
}

TEST(SparedTargets, HaveOtherEdits) {
  EXPECT_TRUE(onNvidia("share-window", Objective::Auto).changed());
}
