// The probe's search and what it says of each step, on imaginary devices.
#include "instrument/Probe.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::instrument;

namespace {

/// A device with \p Registers for a work-item, slower from \p SlowFrom on.
struct Imaginary {
  unsigned SlowFrom = 1000, Registers = 1000;
  double Factor = 1.5;
  bool Tells = true;
  unsigned FailsAt = 0;
  unsigned Calls = 0, StopsAfter = 1000;

  ProbeResult search(ProbeOptions Options = {}) {
    return searchRegisters(
        Options,
        [&](unsigned N, const ProbeStep *Reference) {
          ++Calls;
          ProbeStep S;
          S.Ns = N * 10.0 * (N >= SlowFrom ? Factor : 1);
          if (Reference)
            S.Ratio = S.Ns / N / Reference->nsPerVariable();
          if (Tells) {
            S.Figures.Registers = std::min(N, Registers);
            S.Figures.SpillBytes = N > Registers ? (N - Registers) * 4 : 0;
            S.Figures.Waves = N >= SlowFrom ? 2 : 8;
            S.Figures.MostWaves = 8;
          }
          if (FailsAt && N >= FailsAt)
            S.Problem = "not built";
          return S;
        },
        [&] { return Calls >= StopsAfter; });
  }
};

std::vector<unsigned> variables(const ProbeResult &R) {
  std::vector<unsigned> Out;
  for (const ProbeStep &S : R.Steps)
    Out.push_back(S.Variables);
  return Out;
}

ProbeStep step(double Ratio, ProbeFigures F) {
  ProbeStep S;
  S.Ratio = Ratio;
  S.Figures = F;
  return S;
}

} // namespace

TEST(Probe, DoublesToTheEndWhereAllIsFlat) {
  Imaginary D;
  ProbeResult R = D.search();
  EXPECT_EQ(variables(R),
            (std::vector<unsigned>{4, 8, 16, 32, 64, 128, 256, 512}));
  EXPECT_FALSE(R.Slower);
  EXPECT_FALSE(R.Spills);
  EXPECT_EQ(R.Stopped, "");
}

TEST(Probe, FindsBothEdges) {
  Imaginary D;
  D.SlowFrom = 90;
  D.Registers = 250;
  ProbeResult R = D.search();
  ASSERT_TRUE(R.Slower && R.Spills);
  // To a sixteenth: 128 / 16 = 8 and 256 / 16 = 16.
  EXPECT_LT(R.Slower->Below, 90u);
  EXPECT_GE(R.Slower->At, 90u);
  EXPECT_LE(R.Slower->At - R.Slower->Below, 8u);
  EXPECT_LE(R.Spills->Below, 250u);
  EXPECT_GT(R.Spills->At, 250u);
  EXPECT_LE(R.Spills->At - R.Spills->Below, 16u);
  for (const ProbeStep &S : R.Steps)
    EXPECT_EQ(S.Cause, S.Variables > 250   ? ProbeCause::Spilling
                       : S.Variables >= 90 ? ProbeCause::LostOccupancy
                                           : ProbeCause::Flat)
        << S.Variables;
}

TEST(Probe, AFlatStepClearsSmallerOnes) {
  // 16 variables met something else that ran.
  ProbeResult R = searchRegisters(
      ProbeOptions(),
      [](unsigned N, const ProbeStep *) {
        ProbeStep S;
        S.Ns = N;
        S.Ratio = N == 16 || N > 70 ? 3 : 1;
        return S;
      },
      [] { return false; });
  ASSERT_TRUE(R.Slower);
  EXPECT_EQ(R.Slower->Below, 68u);
  EXPECT_EQ(R.Slower->At, 72u);
}

TEST(Probe, DoublesOnceMoreAfterSpilling) {
  Imaginary D;
  D.Registers = 60;
  std::vector<unsigned> V = variables(D.search());
  EXPECT_EQ(V.back(), 128u);
}

TEST(Probe, WithoutFiguresItStopsWhereTimeHasDoubled) {
  Imaginary D;
  D.Tells = false;
  D.SlowFrom = 40;
  D.Factor = 2.5;
  ProbeResult R = D.search();
  EXPECT_EQ(R.Steps.back().Variables, 128u);
  EXPECT_EQ(R.Steps.back().Cause, ProbeCause::Unclear);
  ASSERT_TRUE(R.Slower);
  EXPECT_EQ(R.Slower->Below, 36u);
  EXPECT_EQ(R.Slower->At, 40u);
  EXPECT_FALSE(R.Spills);
}

TEST(Probe, ABuildThatFailsEndsOneDirection) {
  Imaginary D;
  D.SlowFrom = 20;
  D.FailsAt = 128;
  ProbeResult R = D.search();
  EXPECT_EQ(R.Stopped, "128 variables: not built");
  EXPECT_EQ(R.Steps.back().Cause, ProbeCause::NotMeasured);
  // What was known before is still found.
  ASSERT_TRUE(R.Slower);
  EXPECT_EQ(R.Slower->At, 20u);
}

TEST(Probe, TheBudgetEndsIt) {
  Imaginary D;
  D.StopsAfter = 3;
  ProbeResult R = D.search();
  EXPECT_EQ(variables(R), (std::vector<unsigned>{4, 8, 16}));
  EXPECT_EQ(R.Stopped, "the budget is spent: 32 variables were not tried");
}

TEST(Probe, MostVariablesIsKept) {
  Imaginary D;
  D.Registers = 10;
  ProbeOptions Options;
  Options.MostVariables = 16;
  for (unsigned N : variables(D.search(Options)))
    EXPECT_LE(N, 16u);
}

TEST(Probe, TellsCausesApart) {
  const ProbeFigures Full{20, 0, 64, 64};
  auto cause = [&](double Ratio, ProbeFigures F) {
    return causeOf(step(Ratio, F), Full, 1.15);
  };
  EXPECT_EQ(cause(1.15, {30, 0, 64, 64}), ProbeCause::Flat);
  EXPECT_EQ(cause(1.15, {255, 4, 8, 64}), ProbeCause::FreeSpills);
  EXPECT_EQ(cause(1.2, {255, 4, 8, 64}), ProbeCause::Spilling);
  EXPECT_EQ(cause(1.2, {168, 0, 12, 64}), ProbeCause::LostOccupancy);
  EXPECT_EQ(cause(1.2, {168, 0, 64, 64}), ProbeCause::Other);
  // Without waves more registers must have cost them; the same can't have.
  EXPECT_EQ(cause(1.2, {168, 0, {}, {}}), ProbeCause::LostOccupancy);
  EXPECT_EQ(cause(1.2, {20, 0, {}, {}}), ProbeCause::Other);
  EXPECT_EQ(cause(1.2, {}), ProbeCause::Unclear);
  EXPECT_EQ(cause(9.0, {168, {}, 12, 64}), ProbeCause::Unclear);
}

TEST(Probe, SaysWhatItIs) {
  ProbeStep S = step(1.3, {168, 0, 12, 64});
  S.Cause = ProbeCause::LostOccupancy;
  EXPECT_EQ(explain(S), "lost occupancy: 12 of 64 waves a compute unit, "
                        "nothing spilled");
  S = step(4.2, {255, 1036, 8, 64});
  S.Cause = ProbeCause::Spilling;
  EXPECT_EQ(explain(S), "spilling: 1036 bytes a work-item, 8 of 64 waves a "
                        "compute unit");
  S.Figures = {};
  S.Cause = ProbeCause::Unclear;
  EXPECT_EQ(explain(S),
            "slower; time alone can't tell lost occupancy from spilling");
}
