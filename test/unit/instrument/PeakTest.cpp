// Peaks: sizes, bounds, kernels that copy, and the multiply-adds' model.
#include "instrument/Peak.h"
#include <cmath>
#include <gtest/gtest.h>
#include <set>

using namespace clrewrite;
using namespace clrewrite::instrument;
using namespace llvm;

static DeviceFacts h200() {
  DeviceFacts D;
  D.Type = "gpu";
  D.ComputeUnits = 132;
  D.ClockMHz = 1980;
  D.ComputeCapability = "9.0";
  return D;
}

TEST(Peak, BoundsComeFromUnitsAndClock) {
  // 132 * 128 * 1980 MHz * 2.
  EXPECT_NEAR(*peakBound(h200(), MadType::Float).Gops, 66908.16, 0.01);
  EXPECT_NEAR(*peakBound(h200(), MadType::Double).Gops, 33454.08, 0.01);
  EXPECT_EQ(peakBound(h200(), MadType::Float).From,
            "132 units x 128 a clock x 1980 MHz x 2");
  DeviceFacts Amd;
  Amd.ComputeUnits = 60;
  Amd.ClockMHz = 1000;
  Amd.Simds = 4;
  Amd.SimdWidth = 16;
  Amd.SimdInstructionWidth = 1;
  EXPECT_NEAR(*peakBound(Amd, MadType::Float).Gops, 7680, 0.01);
  EXPECT_FALSE(peakBound(Amd, MadType::Double).Gops);
}

TEST(Peak, NoBoundIsSaidToBeNone) {
  DeviceFacts D = h200();
  D.ComputeCapability = "99.0";
  EXPECT_FALSE(peakBound(D, MadType::Float).Gops);
  EXPECT_EQ(peakBound(D, MadType::Float).From,
            "compute capability 99.0 is not in the table");
  D = h200();
  D.ClockMHz = 0;
  EXPECT_EQ(peakBound(D, MadType::Float).From, "the driver tells no clock");
  EXPECT_FALSE(peakBound(DeviceFacts(), MadType::Float).Gops);
}

TEST(Peak, BuffersAreLargerThanTheCacheAndFit) {
  constexpr uint64_t MiB = 1 << 20;
  DeviceFacts D = h200();
  D.GlobalBytes = int64_t(140000 * MiB);
  D.MaxAllocBytes = int64_t(35000 * MiB);
  D.CacheBytes = int64_t(4 * MiB);
  EXPECT_EQ(copyBytes(D), 256 * MiB);
  D.CacheBytes = int64_t(300 * MiB);
  EXPECT_EQ(copyBytes(D), 1024 * MiB);
  D.MaxAllocBytes = int64_t(100 * MiB);
  EXPECT_EQ(copyBytes(D), 64 * MiB);
  D.GlobalBytes = int64_t(256 * MiB);
  EXPECT_EQ(copyBytes(D), 32 * MiB);
  D.Type = "cpu";
  EXPECT_EQ(copyBytes(D), 16 * MiB);
  D.GlobalBytes = D.MaxAllocBytes = int64_t(16384 * MiB);
  D.CacheBytes = int64_t(260 * MiB);
  EXPECT_EQ(copyBytes(D), 256 * MiB);
  D.CacheBytes.reset();
  EXPECT_EQ(copyBytes(D), 64 * MiB);
  EXPECT_EQ(copyBytes(DeviceFacts()), 128 * MiB); // of an assumed 1 GiB
}

TEST(Peak, CopyKernelsCopyEachFloatOnce) {
  constexpr uint64_t Bytes = LeastCopyBytes;
  for (const CopyWay &W : copyWays()) {
    json::Value V = wayJson(W, Bytes, 256);
    if (W.Driver) {
      EXPECT_EQ(V, json::Value(nullptr));
      continue;
    }
    EXPECT_EQ((*V.getAsObject()->getArray("global"))[0],
              json::Value(int64_t(Bytes / 4 / W.Width)));
  }
  EXPECT_EQ(
      (*wayJson({false, 1, 1}, Bytes, 64).getAsObject()->getArray("local"))[0],
      json::Value(64));
  // The text's index for a stride, as this loop has it, meets each once.
  json::Value V = wayJson({false, 1, 8}, Bytes, 64);
  EXPECT_NE(V.getAsObject()->getString("source")->find(
                "size_t at = (i & 2047u) * 8u + (i >> 11);"),
            StringRef::npos);
  std::set<uint64_t> Seen;
  for (uint64_t I = 0; I < Bytes / 4; ++I)
    Seen.insert((I & 2047) * 8 + (I >> 11));
  EXPECT_EQ(Seen.size(), Bytes / 4);
  EXPECT_EQ(*Seen.rbegin(), Bytes / 4 - 1);
}

TEST(Peak, ModelFollowsTheMapByHand) {
  // One iteration, one chain, scalar floats, seed 2: starts at 3/512.
  float Fused = 3.0f / 512, Apart = Fused;
  for (unsigned I = 0; I < MadUnroll; ++I) {
    Fused = std::fma(Fused, Fused, MadAddend);
    volatile float Product = Apart * Apart;
    Apart = Product + MadAddend;
  }
  auto bitsOf = [](float F) { return bit_cast<uint32_t>(F); };
  EXPECT_EQ(madResults(MadType::Float, 1, 1, true)[0][2], bitsOf(Fused));
  EXPECT_EQ(madResults(MadType::Float, 1, 1, false)[0][2], bitsOf(Apart));
  EXPECT_NE(bitsOf(Fused), bitsOf(Apart));
}

TEST(Peak, ModelStaysBoundedAndTellsStepsApart) {
  for (MadType T :
       {MadType::Float, MadType::Half, MadType::Double, MadType::Int})
    for (unsigned Width : {1u, 2u}) {
      auto Right = madResults(T, Width, 64, true);
      auto Fewer = madResults(T, Width, 63, true);
      for (size_t I = 0; I < Right.size(); ++I)
        EXPECT_NE(Right[I], Fewer[I]) << nameOf(T).str() << Width;
      EXPECT_NE(Right[0], Right[1]);
    }
  // Never an infinity or a NaN: their exponents are all ones.
  auto Floats = madResults(MadType::Float, 1, 4096, true);
  for (uint32_t Word : Floats[0])
    EXPECT_NE(Word >> 23 & 0xff, 0xffu);
  auto Halves = madResults(MadType::Half, 1, 4096, true);
  for (uint32_t Word : Halves[0])
    EXPECT_NE(Word >> 10 & 0x1f, 0x1fu);
}

TEST(Peak, KernelsHaveTheirChains) {
  std::string Text = madKernels(MadType::Half, 2);
  EXPECT_NE(Text.find("cl_khr_fp16 : enable"), std::string::npos);
  EXPECT_EQ(StringRef(Text).count("kernel void mad"), 4u);
  EXPECT_EQ(StringRef(Text).count("x7 = x7 * x7 + a;"), MadUnroll);
  EXPECT_EQ(StringRef(Text).count("x0 = x0 * x0 + a;"), 4 * MadUnroll);
  std::string Int = madKernels(MadType::Int, 1);
  EXPECT_EQ(Int.find("pragma"), std::string::npos);
  EXPECT_EQ(StringRef(Int).count("x7 = x7 * m + a;"), MadUnroll);
}
