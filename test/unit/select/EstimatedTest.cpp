// Edits that are kept since they save time by the estimate, where no clock
// decides: those of rewrites of which the estimate can tell.
#include "Letters.h"

using namespace clrewrite;
using namespace clrewrite::select;

namespace {

/// Every letter is a site: an 'm' of align-access, which changes how memory is
/// accessed, a 'u' of limit-unroll, a 'w' of schedule-cut. Each may become its
/// capital letter.
llvm::Expected<rewrite::Findings> sites(const Source &S) {
  rewrite::Findings F;
  F.Kernels = {{"k", 1, {}}};
  for (unsigned I = 0; I < S.Text.size(); ++I) {
    char Letter = S.Text[I];
    const char *Rewrite = Letter == 'm'   ? "align-access"
                          : Letter == 'u' ? "limit-unroll"
                          : Letter == 'w' ? "schedule-cut"
                                          : nullptr;
    if (!Rewrite)
      continue;
    rewrite::Candidate C = candidateAt(I, Rewrite);
    rewrite::Alternative A;
    A.Label = "capital";
    A.Changes = {{I, 1, std::string(1, char(Letter - 'a' + 'A'))}};
    C.Alternatives = {A};
    F.Candidates.push_back(C);
  }
  return F;
}

/// An 'M' or a 'U' saves Saved cycles of 100, an 'M' costs Lost waves of 8 and
/// a 'W' gains one; on the target "other" nothing saves a cycle.
class Cycles : public LetterMeter {
public:
  double Saved = 20;
  unsigned Lost = 0;

protected:
  void change(const measure::MeasureRequest &R,
              measure::Measurement &M) override {
    llvm::StringRef Text = R.What.Text;
    measure::Usage &U = M.Kernels.front().Figures;
    unsigned Fewer = unsigned(Text.count('M')) * Lost;
    U.Vgprs = 20;
    U.OccupancyMax = 8;
    U.Occupancy = std::min<unsigned>(8, 8 - Fewer + unsigned(Text.count('W')));
    U.EstCycles = 100;
    if (R.On.Name != "other")
      *U.EstCycles -= Saved * double(Text.count('M') + Text.count('U'));
  }
};

/// A target of the family whose estimate was held against a clock.
SelectOptions timedOptions(Objective Goal) {
  SelectOptions O = options(Goal);
  O.Targets = {llvm::cantFail(measure::parseTarget("sm_90"))};
  return O;
}

std::string kept(const std::string &Text, Cycles &M,
                 Objective Goal = Objective::Auto,
                 std::vector<const char *> Others = {}) {
  SelectOptions O = timedOptions(Goal);
  for (const char *Name : Others)
    O.Targets.push_back({Name, Name});
  return run(Text, O, sites, M).Result.Text;
}

} // namespace

TEST(Estimated, MemoryEditsAreKeptAtFullOccupancy) {
  Cycles M;
  EXPECT_EQ(kept("mu", M), "Mu")
      << "limit-unroll is not one of which the estimate can tell";
  EXPECT_EQ(kept("mu", M, Objective::Occupancy), "mu");
  EXPECT_EQ(kept("mu", M, Objective::Estimate), "MU");
}

TEST(Estimated, WhatNoClockHasHeldCountsForNothing) {
  Cycles M;
  SelectOptions O = options(Objective::Auto);
  O.Targets = {llvm::cantFail(measure::parseTarget("gfx906"))};
  EXPECT_EQ(run("m", O, sites, M).Result.Text, "m");
}

TEST(Estimated, SmallGainsAreNone) {
  Cycles M;
  M.Saved = 4;
  EXPECT_EQ(kept("m", M), "m");
}

TEST(Estimated, TheReasonIsTheEstimate) {
  Cycles M;
  Selection S = run("m", timedOptions(Objective::Auto), sites, M);
  ASSERT_EQ(S.Outcomes.size(), 1u);
  EXPECT_EQ(S.Outcomes.front().Reason,
            "sm_90: the estimate falls from 100 to 80 cycles");
}

TEST(Estimated, CyclesMakeUpForAllWavesOnTheirTargetForHalfOnOthers) {
  Cycles M;
  M.Lost = 6;
  EXPECT_EQ(kept("m", M), "M");
  EXPECT_EQ(kept("m", M, Objective::Auto, {"other"}), "m")
      << "a fourth of the waves is left there, and there are no fewer cycles";
  M.Lost = 4;
  EXPECT_EQ(kept("m", M, Objective::Auto, {"other"}), "M");
  M.Saved = 4;
  EXPECT_EQ(kept("m", M, Objective::Auto, {"other"}), "m")
      << "no target is faster";
}

TEST(Estimated, WavesAreSparedWhicheverTargetIsMeasuredFirst) {
  Cycles M;
  M.Lost = 4;
  for (Objective Goal : {Objective::Auto, Objective::Occupancy}) {
    SelectOptions O = timedOptions(Goal);
    O.Targets.insert(O.Targets.begin(), {"other", "other"});
    EXPECT_EQ(run("m", O, sites, M).Result.Text,
              Goal == Objective::Auto ? "M" : "m");
  }
}

TEST(Estimated, WavesAreNotSparedWhereNothingIsEstimated) {
  class None : public Cycles {
    void change(const measure::MeasureRequest &R,
                measure::Measurement &Out) override {
      Cycles::change(R, Out);
      if (R.On.Name == "other")
        Out.Kernels.front().Figures.EstCycles = std::nullopt;
    }
  } M;
  M.Lost = 4;
  EXPECT_EQ(kept("m", M, Objective::Auto, {"other"}), "m");
}

TEST(Estimated, OtherEditsStartFromThere) {
  Cycles M;
  M.Lost = 2;
  // The waves that 'M' has lost are won back by the others, one each; a 'u'
  // beside them saves cycles alone.
  EXPECT_EQ(kept("mwwu", M), "MWWu");
}

TEST(Estimated, ABystanderMayRefuseThem) {
  class Costs : public Cycles {
    void change(const measure::MeasureRequest &R,
                measure::Measurement &Out) override {
      measure::Usage &U = Out.Kernels.front().Figures;
      double Sign = R.On.Name == "beside" ? 1 : -1;
      U.EstCycles =
          100 + Sign * 20.0 * double(llvm::StringRef(R.What.Text).count('M'));
    }
  } M;
  SelectOptions O = timedOptions(Objective::Auto);
  EXPECT_EQ(run("m", O, sites, M).Result.Text, "M");
  O.Bystanders = {{"beside", "beside"}};
  EXPECT_EQ(run("m", O, sites, M).Result.Text, "m");
}
