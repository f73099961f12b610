// Live registers: kernels whose numbers the text itself pins down.
#include "measure/OfflineMeter.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;
using namespace llvm;

namespace {

class PressureTest : public testing::Test {
protected:
  std::unique_ptr<OfflineMeter> Meter;

  void SetUp() override {
    auto Backends = openBackends({cantFail(parseTarget("gfx906"))}, {});
    ASSERT_TRUE(bool(Backends)) << llvm::toString(Backends.takeError());
    Meter = std::make_unique<OfflineMeter>(std::move(*Backends),
                                           process::ChildLimits{60, 2});
  }

  static MeasureRequest request(const std::string &Text, const char *Cpu,
                                const char *Path = "/test.cl") {
    return {{Path, Text, {"-cl-std=CL1.2"}}, cantFail(parseTarget(Cpu)), {}};
  }
  Pressure one(const std::string &Text, const char *Cpu) {
    PressureReport R = Meter->pressure({request(Text, Cpu)}).front();
    EXPECT_EQ(R.Problem, "");
    EXPECT_EQ(R.Kernels.size(), 1u);
    return R.Kernels.empty() ? Pressure() : R.Kernels.front().Live;
  }
};

/// Sixteen words that live over a loop which needs few more.
const char *Kept = R"(__kernel void k(__global const uint16 *in,
    __global uint *out, int n) {
  uint16 w = in[get_global_id(0)];
  uint a = 1;
  for (int i = 0; i < n; ++i)
    a = a * a + out[i * 64];
  out[get_global_id(0)] = a + w.s0 * w.s1 * w.s2 * w.s3 * w.s4 * w.s5 *
    w.s6 * w.s7 * w.s8 * w.s9 * w.sa * w.sb * w.sc * w.sd * w.se * w.sf;
}
)";

/// Sixteen loaded words, all of which the last line needs.
const char *Wide = R"(__kernel void k(__global const float16 *in,
    __global float16 *out) {
  int i = get_global_id(0);
  float16 v = in[i];
  float s = v.s0 + v.s1 + v.s2 + v.s3;
  out[i] = v * s;
}
)";

} // namespace

TEST_F(PressureTest, WhatLivesOverALoopIsAtTheBoundary) {
  for (const char *Cpu : {"gfx600", "gfx906", "gfx1030", "gfx90a"}) {
    SCOPED_TRACE(Cpu);
    Pressure P = one(Kept, Cpu);
    // The words and the sum, and nothing like twice that.
    EXPECT_GE(P.Boundary, 16u);
    EXPECT_LE(P.Boundary, 24u);
    EXPECT_GE(P.SourceOrder, P.Boundary);
    EXPECT_GE(P.Lines.at(6), 16u);
  }
}

TEST_F(PressureTest, AStraightKernelHasNoBoundary) {
  for (const char *Cpu : {"gfx600", "gfx906", "gfx1030", "gfx1100"}) {
    SCOPED_TRACE(Cpu);
    Pressure P = one(Wide, Cpu);
    EXPECT_EQ(P.Boundary, 0u);
    EXPECT_GE(P.SourceOrder, 16u);
    EXPECT_GE(P.Allocated, 16u);
    EXPECT_LT(P.Lines.at(3), 16u);
    EXPECT_GE(P.Lines.at(6), 16u);
    EXPECT_TRUE(P.worstLine() >= 4 && P.worstLine() <= 6);
  }
}

TEST_F(PressureTest, AHelpersLinesAreItsOwn) {
  Pressure P = one("float4 twice(float4 v) {\n"
                   "  return v * v.wzyx;\n"
                   "}\n"
                   "__kernel void k(__global float4 *p) {\n"
                   "  p[get_global_id(0)] = twice(p[get_global_id(0)]);\n"
                   "}\n",
                   "gfx906");
  EXPECT_TRUE(P.Lines.count(2));
  EXPECT_TRUE(P.Lines.count(5));
}

TEST_F(PressureTest, NeverMoreThanTheKernelHas) {
  for (const char *Cpu : {"gfx600", "gfx906", "gfx1030", "gfx1100"})
    for (const char *Text : {Kept, Wide}) {
      SCOPED_TRACE(Cpu);
      Measurement M = Meter->measure({request(Text, Cpu)}).front();
      EXPECT_LE(one(Text, Cpu).Allocated, *M.Kernels.front().Figures.Vgprs);
    }
}

/// Line tables must not change what they tell about.
TEST_F(PressureTest, LinesChangeNoCode) {
  for (const char *Name :
       {"bicubic", "sobel16", "md5x", "softmax64", "kuwahara_image", "hist"}) {
    SCOPED_TRACE(Name);
    auto Text = MemoryBuffer::getFile(CLREWRITE_SOURCE_DIR "/bench/corpus/" +
                                      std::string(Name) + ".cl");
    ASSERT_TRUE(bool(Text));
    for (const char *Cpu : {"gfx600", "gfx906", "gfx1030", "gfx1100"}) {
      SCOPED_TRACE(Cpu);
      MeasureRequest R = request((*Text)->getBuffer().str(), Cpu);
      Measurement M = Meter->measure({R}).front();
      PressureReport P = Meter->pressure({R}).front();
      ASSERT_EQ(M.Kernels.size(), P.Kernels.size());
      for (size_t I = 0; I < M.Kernels.size(); ++I)
        EXPECT_EQ(M.Kernels[I].CodeHash, P.Kernels[I].CodeHash);
    }
  }
}

TEST_F(PressureTest, WhatCannotBeKnownIsSaid) {
  PressureReport R = Meter->pressure({request("oops", "gfx906")}).front();
  EXPECT_NE(R.Problem.find("does not compile for gfx906"), std::string::npos);
  R = Meter
          ->pressure({request("int f(int); __kernel void k(__global int *p) "
                              "{ *p = f(*p); }",
                              "gfx906")})
          .front();
  ASSERT_EQ(R.Kernels.size(), 1u);
  EXPECT_EQ(R.Kernels[0].Problem, "not measurable: calls undefined f");
}

TEST(Pressure, ThereAndBack) {
  PressureReport R;
  R.Kernels.push_back({"k", "", {1, 2, 3, 4, {{7, 4}, {9, 4}, {8, 1}}}, "C"});
  EXPECT_EQ(R.Kernels[0].Live.worstLine(), 7u);
  EXPECT_EQ(Pressure().worstLine(), 0u);
  PressureReport Back;
  json::Path::Root Root;
  ASSERT_TRUE(fromJSON(toJSON(R), Back, Root));
  EXPECT_EQ(toJSON(Back), toJSON(R));
}
