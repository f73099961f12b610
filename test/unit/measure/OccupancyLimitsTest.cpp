// Limits by one resource at a time, against what AMD's and NVIDIA's documents
// say, and granules against the same.
#include "measure/occupancy/OccupancyLimits.h"
#include "measure/amdgcn/AmdgcnBackend.h"
#include "measure/amdgcn/AmdgcnProbe.h"
#include "measure/amdgcn/AmdgcnSteps.h"
#include "llvm/TargetParser/TargetParser.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;

namespace {

Target target(const char *Name) {
  auto T = parseTarget(Name);
  EXPECT_TRUE(bool(T));
  return *T;
}

/// The child inherits the back end.
OccupancyLimits limits(const char *Name, const OccupancyNeeds &Needs) {
  registerAmdgcn();
  auto All = occupancyLimits(target(Name), Needs);
  EXPECT_EQ(All.size(), 1u);
  return All.empty() ? OccupancyLimits() : All.front();
}

} // namespace

TEST(OccupancyLimits, EachResourceByItself) {
  // A group of 64 work-items is one wave. LLVM lets gfx600 have 32 KiB of LDS a
  // compute unit: two groups on four SIMDs.
  OccupancyNeeds N;
  N.Vgprs = 37;
  N.Sgprs = 60;
  N.LdsBytes = 16384;
  N.GroupMin = N.GroupMax = 64;
  OccupancyLimits L = limits("gfx600", N);
  EXPECT_EQ(L.Max, 10u);
  EXPECT_EQ(L.ByVgprs, 6u);
  EXPECT_EQ(L.BySgprs, 8u); // 512 by 64
  EXPECT_EQ(L.ByLds, 1u);
  EXPECT_EQ(L.ByWorkGroup, 10u);
  EXPECT_EQ(L.All, 1u);
}

TEST(OccupancyLimits, LargeGroupsAreResidentWhole) {
  // 40 waves a compute unit hold two groups of 16: 32, 8 a SIMD.
  OccupancyNeeds N;
  N.GroupMin = N.GroupMax = 1024;
  EXPECT_EQ(limits("gfx906", N).ByWorkGroup, 8u);
  EXPECT_EQ(limits("gfx906", N).All, 8u);
  EXPECT_EQ(limits("gfx906", N).BySgprs, 10u);
}

TEST(OccupancyLimits, WavesOf64TakeTwiceTheRegisters) {
  OccupancyNeeds N;
  N.Vgprs = 100;
  EXPECT_EQ(limits("gfx1030", N).ByVgprs, 9u); // 1024 by 112
  N.WaveSize = 64;
  EXPECT_EQ(limits("gfx1030", N).ByVgprs, 4u); // 512 by 104
  EXPECT_EQ(limits("gfx906", N).ByVgprs, 2u);  // It has no other.
}

TEST(OccupancyLimits, AccumulationRegistersShareTheFileFromCdna2On) {
  OccupancyNeeds N;
  N.Vgprs = 60;
  N.Agprs = 60;
  EXPECT_EQ(limits("gfx90a", N).ByVgprs, 4u); // 512 by 120
  EXPECT_EQ(limits("gfx908", N).ByVgprs, 4u); // 256 by 60, beside 256
}

TEST(OccupancyLimits, NvidiaCountsWarpsOfAMultiprocessor) {
  OccupancyNeeds N;
  N.Vgprs = 40;
  N.LdsBytes = 16384;
  N.GroupMin = N.GroupMax = 64;
  OccupancyLimits L = limits("sm_90", N);
  EXPECT_EQ(L.Max, 64u);
  EXPECT_EQ(L.ByVgprs, 48u);
  EXPECT_EQ(L.BySgprs, 64u);
  EXPECT_EQ(L.ByLds, 26u);
  EXPECT_EQ(L.ByWorkGroup, 64u);
  EXPECT_EQ(L.All, 26u);
}

TEST(OccupancyLimits, TheNextStepIsTheMostThatGivesMore) {
  registerAmdgcn();
  OccupancyNeeds N;
  N.Vgprs = 37;
  N.Sgprs = 60;
  N.LdsBytes = 16384;
  N.GroupMin = N.GroupMax = 256;
  Target Tahiti = target("gfx600");
  EXPECT_EQ(nextBelow(Tahiti, N, &OccupancyNeeds::Vgprs, 6), 36u);
  EXPECT_EQ(nextBelow(Tahiti, N, &OccupancyNeeds::Sgprs, 8), 56u);
  // Groups of four waves, one a SIMD: five of them have 64 KiB by 5.
  EXPECT_EQ(nextBelow(target("gfx906"), N, &OccupancyNeeds::LdsBytes, 4),
            13107u);
  EXPECT_FALSE(nextBelow(Tahiti, N, &OccupancyNeeds::Vgprs, 10));
  EXPECT_EQ(nextBelow(target("sm_90"), N, &OccupancyNeeds::Vgprs, 48), 32u);
}

TEST(OccupancyLimits, NothingIsSaidOfADevice) {
  EXPECT_TRUE(occupancyLimits(target("device"), OccupancyNeeds()).empty());
}

TEST(AmdgcnSteps, GranulesAreThoseOfTheIsaDocuments) {
  struct {
    const char *Cpu;
    unsigned WaveSize, Vgprs, Sgprs;
  } Cases[] = {
      {"gfx600", 64, 4, 8},   {"gfx701", 64, 4, 8},   {"gfx803", 64, 4, 16},
      {"gfx906", 64, 4, 16},  {"gfx908", 64, 4, 16},  {"gfx90a", 64, 8, 16},
      {"gfx942", 64, 8, 16},  {"gfx1010", 32, 8, 0},  {"gfx1010", 64, 4, 0},
      {"gfx1030", 32, 16, 0}, {"gfx1030", 64, 8, 0},  {"gfx1100", 32, 24, 0},
      {"gfx1100", 64, 12, 0}, {"gfx1102", 32, 16, 0}, {"gfx1201", 32, 24, 0}};
  for (auto &C : Cases) {
    SCOPED_TRACE(std::string(C.Cpu) + " " + std::to_string(C.WaveSize));
    OccupancySteps S = amdgcnSteps(C.Cpu, C.WaveSize);
    EXPECT_EQ(S.WaveSize, C.WaveSize);
    EXPECT_EQ(S.VgprGranule, C.Vgprs);
    EXPECT_EQ(S.SgprGranule, C.Sgprs);
    EXPECT_EQ(S.BySgprs.empty(), C.Sgprs == 0);
  }
}

TEST(AmdgcnSteps, ScalarRegistersLimitOnGcn) {
  // 512 of them a SIMD: ten waves of 48, five of 102.
  OccupancyCurve C = amdgcnSteps("gfx600", 0).BySgprs;
  ASSERT_GE(C.size(), 102u);
  EXPECT_EQ(C[47], 10u);
  EXPECT_EQ(C[48], 9u);
  EXPECT_EQ(C[101], 5u);
}

/// The first and the last number on \p Curve, and both sides of each step.
static std::vector<unsigned> edges(const OccupancyCurve &Curve) {
  std::vector<unsigned> Out{1, unsigned(Curve.size())};
  for (unsigned N = 1; N < Curve.size(); ++N)
    if (Curve[N - 1] != Curve[N])
      Out.insert(Out.end(), {N, N + 1});
  return Out;
}

/// LLVM's waves fall as registers rise, so that where they are \p Curve's at
/// its edges they are so everywhere.
static void expectLlvms(llvm::StringRef Cpu, unsigned WaveSize,
                        unsigned OccupancyNeeds::*Register,
                        const OccupancyCurve &Curve) {
  std::vector<OccupancyNeeds> Asked;
  std::vector<unsigned> Expected;
  for (unsigned N : edges(Curve)) {
    OccupancyNeeds Needs;
    Needs.WaveSize = WaveSize;
    Needs.*Register = N;
    Asked.push_back(Needs);
    Expected.push_back(Curve[N - 1]);
  }
  EXPECT_EQ(probeAmdgcn(Cpu, Asked), Expected);
}

TEST(AmdgcnSteps, AreThoseOfLlvmForEveryProcessor) {
  registerAmdgcn();
  llvm::SmallVector<llvm::StringRef> Cpus;
  llvm::AMDGPU::fillValidArchListAMDGCN(Cpus);
  EXPECT_GT(Cpus.size(), 40u);
  for (llvm::StringRef Cpu : Cpus)
    for (unsigned WaveSize : {32u, 64u}) {
      SCOPED_TRACE(Cpu.str() + " " + std::to_string(WaveSize));
      OccupancySteps S = amdgcnSteps(Cpu, WaveSize);
      ASSERT_EQ(S.ByVgprs.size(), 256u);
      if (S.WaveSize != WaveSize) // it has waves of the other size alone
        continue;
      expectLlvms(Cpu, WaveSize, &OccupancyNeeds::Vgprs, S.ByVgprs);
      if (!S.BySgprs.empty())
        expectLlvms(Cpu, WaveSize, &OccupancyNeeds::Sgprs, S.BySgprs);
    }
}
