// Occupancy curves: bisected on a made-up GPU, where every value is known, and
// read off LLVM, where the published steps of real ones pin them down.
#include "measure/occupancy/OccupancyCurves.h"
#include "llvm/Support/MathExtras.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;

namespace {

/// 256 registers in fours, 800 scalar ones in sixteens, 64 KiB of LDS, four
/// SIMDs, ten waves of 64 each.
unsigned madeUp(const OccupancyNeeds &N) {
  unsigned ByVgprs = N.Vgprs ? 256 / llvm::alignTo(N.Vgprs, 4) : 10;
  unsigned BySgprs = N.Sgprs ? 800 / llvm::alignTo(N.Sgprs, 16) : 10;
  unsigned Waves = llvm::divideCeil(N.GroupMax, 64);
  unsigned Groups = std::min(40 / Waves, 65536 / std::max(N.LdsBytes, 1u));
  unsigned ByGroup = llvm::divideCeil(Groups * Waves, 4);
  return std::min({10u, ByVgprs, BySgprs, std::max(1u, ByGroup)});
}

struct Asked {
  unsigned Questions = 0, Kernels = 0;
};

OccupancyCurves curves(NeedsPair K, Asked *Count = nullptr) {
  Target On = llvm::cantFail(parseTarget("gfx906"));
  return curvesOf(On, {K},
                  [&](llvm::ArrayRef<OccupancyNeeds> Each) {
                    std::vector<unsigned> Waves;
                    for (const OccupancyNeeds &N : Each)
                      Waves.push_back(madeUp(N));
                    if (Count) {
                      ++Count->Questions;
                      Count->Kernels += unsigned(Each.size());
                    }
                    return Waves;
                  })
      .front();
}

const OccupancySeries &series(const OccupancyCurves &C, OccupancyAxis Axis) {
  for (const OccupancySeries &S : C.Series)
    if (S.Axis == Axis)
      return S;
  ADD_FAILURE() << "no such curve";
  return C.Series.front();
}

NeedsPair same(OccupancyNeeds N) { return {N, N}; }

} // namespace

TEST(OccupancyCurves, EveryValueIsTheGpusOwn) {
  OccupancyNeeds N;
  N.Vgprs = 37;
  N.Sgprs = 90;
  N.LdsBytes = 9000;
  OccupancyCurves C = curves(same(N));
  ASSERT_EQ(C.Series.size(), 4u);
  for (const OccupancySeries &S : C.Series)
    for (unsigned X = S.First; X <= S.Last; ++X) {
      OccupancyNeeds At = N;
      switch (S.Axis) {
      case OccupancyAxis::Vgprs:
        At.Vgprs = X;
        break;
      case OccupancyAxis::Sgprs:
        At.Sgprs = X;
        break;
      case OccupancyAxis::LdsBytes:
        At.LdsBytes = X;
        break;
      case OccupancyAxis::GroupSize:
        At.GroupMin = At.GroupMax = X;
        break;
      }
      ASSERT_EQ(S.waves(X), madeUp(At)) << int(S.Axis) << " at " << X;
    }
}

TEST(OccupancyCurves, TheKernelStandsOnItsCurves) {
  OccupancyNeeds Before, After;
  Before.Vgprs = 37;
  After.Vgprs = 24;
  OccupancyCurves C = curves({Before, After});
  EXPECT_EQ(C.Max, 10u);
  EXPECT_TRUE(C.GroupAssumed);
  const OccupancySeries &V = series(C, OccupancyAxis::Vgprs);
  EXPECT_EQ(V.Before.At, 37u);
  EXPECT_EQ(V.Before.Waves, 6u);
  EXPECT_EQ(V.After.At, 24u);
  EXPECT_EQ(V.After.Waves, 10u);
  for (const OccupancySeries &S : C.Series)
    EXPECT_EQ(S.waves(S.After.At), S.After.Waves) << int(S.Axis);
}

TEST(OccupancyCurves, TheRestIsACap) {
  OccupancyNeeds N;
  N.Vgprs = 100; // 2 waves
  N.LdsBytes = 16384;
  OccupancyCurves C = curves(same(N));
  EXPECT_EQ(series(C, OccupancyAxis::LdsBytes).Cap, 2u);
  EXPECT_EQ(series(C, OccupancyAxis::LdsBytes).alone(16384), 4u);
  EXPECT_EQ(series(C, OccupancyAxis::LdsBytes).waves(16384), 2u);
  EXPECT_EQ(series(C, OccupancyAxis::Vgprs).Cap, 4u);
}

TEST(OccupancyCurves, FewQuestions) {
  Asked Count;
  OccupancyNeeds N;
  N.Vgprs = 20;
  curves(same(N), &Count);
  EXPECT_LE(Count.Questions, 18u); // 64 KiB bisected, and the points
  EXPECT_LE(Count.Kernels, 400u);
}

TEST(OccupancyCurves, WithoutAnswersThereIsNone) {
  Target On = llvm::cantFail(parseTarget("gfx906"));
  std::vector<OccupancyCurves> C =
      curvesOf(On, {same({})}, [](llvm::ArrayRef<OccupancyNeeds>) {
        return std::vector<unsigned>();
      });
  ASSERT_EQ(C.size(), 1u);
  EXPECT_TRUE(C.front().Series.empty());
}

namespace {

OccupancyCurves real(const std::string &Cpu, OccupancyNeeds N) {
  Target On = llvm::cantFail(parseTarget(Cpu));
  return curvesOf(On, {same(N)},
                  [&](llvm::ArrayRef<OccupancyNeeds> Each) {
                    return wavesFor(On, Each);
                  })
      .front();
}

/// The largest value that \p S has for each count of waves, "10:24 9:28 ...".
std::string lastOf(const OccupancySeries &S) {
  std::string Out;
  for (size_t I = 0; I < S.Steps.size(); ++I) {
    unsigned End = I + 1 < S.Steps.size() ? S.Steps[I + 1].From - 1 : S.Last;
    Out += (I ? " " : "") + std::to_string(S.Steps[I].Waves) + ":" +
           std::to_string(End);
  }
  return Out;
}

} // namespace

// Of 256 registers a lane in groups of four: AMD, "Vega" 7 nm Instruction Set
// Architecture, and the OpenCL optimisation guide's table of VGPRs and waves.
TEST(OccupancyCurves, VegaByVgprs) {
  OccupancyNeeds N;
  N.Vgprs = 25;
  OccupancyCurves C = real("gfx906", N);
  ASSERT_FALSE(C.Series.empty());
  EXPECT_EQ(C.Max, 10u);
  EXPECT_EQ(lastOf(series(C, OccupancyAxis::Vgprs)),
            "10:24 9:28 8:32 7:36 6:40 5:48 4:64 3:84 2:128 1:256");
  EXPECT_EQ(series(C, OccupancyAxis::Vgprs).After.Waves, 9u);
}

// The steps of GCNSubtarget::getOccupancyWithNumSGPRs in LLVM 22: gfx8 and
// gfx9, and those before; on RDNA each wave has all.
TEST(OccupancyCurves, ScalarRegistersLimitOnGcnAlone) {
  OccupancyCurves C = real("gfx906", {});
  EXPECT_EQ(lastOf(series(C, OccupancyAxis::Sgprs)), "10:80 9:88 8:100 7:102");
  EXPECT_EQ(lastOf(series(real("gfx600", {}), OccupancyAxis::Sgprs)),
            "10:48 9:56 8:64 7:72 6:80 5:102");
  for (const OccupancySeries &S : real("gfx1100", {}).Series)
    EXPECT_NE(S.Axis, OccupancyAxis::Sgprs);
}

// 64 KiB of LDS hold a group of 256 work-items (four waves, one a SIMD) once
// for each wave a SIMD.
TEST(OccupancyCurves, LdsAndWorkGroups) {
  OccupancyNeeds N;
  N.LdsBytes = 16384;
  OccupancyCurves C = real("gfx906", N);
  const OccupancySeries &Lds = series(C, OccupancyAxis::LdsBytes);
  EXPECT_EQ(Lds.After.Waves, 4u);
  EXPECT_EQ(Lds.alone(65536), 1u);
  EXPECT_EQ(Lds.alone(32768), 2u);
  EXPECT_EQ(Lds.alone(6553), 10u);
  EXPECT_EQ(Lds.alone(6554), 9u);
  const OccupancySeries &Group = series(C, OccupancyAxis::GroupSize);
  EXPECT_EQ(Group.First, 1u);
  EXPECT_EQ(Group.waves(64), 1u);
  EXPECT_EQ(Group.waves(256), 4u);
  EXPECT_EQ(Group.waves(512), 8u);
}

TEST(OccupancyCurves, NvidiaCountsWarps) {
  OccupancyNeeds N;
  N.Vgprs = 40;
  OccupancyCurves C = real("sm_90", N);
  ASSERT_EQ(C.Series.size(), 3u);
  EXPECT_EQ(C.Terms.Waves, "warps");
  EXPECT_EQ(C.Max, 64u);
  EXPECT_EQ(series(C, OccupancyAxis::Vgprs).After.Waves, 48u);
  EXPECT_EQ(series(C, OccupancyAxis::Vgprs).waves(32), 64u);
  EXPECT_EQ(series(C, OccupancyAxis::Vgprs).waves(255), 8u);
}
