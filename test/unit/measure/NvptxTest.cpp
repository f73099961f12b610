// Measuring for NVIDIA with LLVM and ptxas; skipped where there is no ptxas.
#include "../OnPath.h"
#include "measure/OfflineMeter.h"
#include "measure/nvptx/Ptxas.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;

namespace {

class NvptxTest : public testing::Test {
protected:
  void SetUp() override {
    if (findPtxas().empty())
      GTEST_SKIP() << "no ptxas on PATH";
  }

  static Measurement measure(const std::string &Text, const char *Cpu,
                             std::vector<std::string> Kernels = {}) {
    Target On = llvm::cantFail(parseTarget(Cpu));
    auto Backends = openBackends({On}, {});
    EXPECT_TRUE(bool(Backends)) << llvm::toString(Backends.takeError());
    OfflineMeter M(std::move(*Backends), {60, 2});
    Source S{"/test.cl", Text, {"-cl-std=CL1.2"}};
    return M.measure({{S, On, std::move(Kernels)}}).front();
  }
};

} // namespace

TEST_F(NvptxTest, FiguresOfAKernel) {
  Measurement M = measure("kernel void k(global int *p) {"
                          "  local int t[256]; int x = get_local_id(0);"
                          "  t[x] = p[x]; barrier(CLK_LOCAL_MEM_FENCE);"
                          "  p[x] = t[255 - x]; }",
                          "sm_90");
  ASSERT_EQ(M.Problem, "");
  ASSERT_EQ(M.Kernels.size(), 1u);
  const KernelUsage &K = M.Kernels[0];
  ASSERT_TRUE(K.measured()) << K.Problem;
  EXPECT_GT(K.Figures.Vgprs.value_or(0), 3u);
  EXPECT_LT(K.Figures.Vgprs.value_or(99), 33u);
  EXPECT_EQ(K.Figures.LdsBytes, 1024u);
  EXPECT_EQ(K.Figures.ScratchBytes, 0u);
  EXPECT_EQ(K.Figures.OccupancyMax, 64u);
  EXPECT_FALSE(K.Figures.Sgprs);
  EXPECT_GT(K.Figures.EstCycles.value_or(0), 0);
  EXPECT_GT(K.Figures.Instructions.value_or(0), 5u);
  EXPECT_FALSE(K.CodeHash.empty());
  EXPECT_FALSE(K.Stored.empty());
}

TEST_F(NvptxTest, NativeFunctionsAreApproximate) {
  for (const char *Type : {"float", "float4"})
    for (const char *Name : {"exp", "exp2", "exp10", "log", "log2", "log10",
                             "sin", "cos", "tan", "sqrt", "rsqrt", "recip"}) {
      auto text = [&](const char *Prefix) {
        return llvm::formatv("kernel void k(global {0} *p) {{"
                             "  p[get_global_id(0)] = "
                             "{1}{2}(p[get_global_id(0)]); }",
                             Type, Prefix, Name)
            .str();
      };
      Measurement M = measure(text("native_"), "sm_90");
      ASSERT_EQ(M.Kernels.size(), 1u) << Name << ": " << M.Problem;
      ASSERT_TRUE(M.Kernels[0].measured()) << Name << M.Kernels[0].Problem;
      if (std::string(Name) == "recip")
        continue;
      Measurement Exact = measure(text(""), "sm_90");
      ASSERT_EQ(Exact.Kernels.size(), 1u) << Name << ": " << Exact.Problem;
      EXPECT_LE(M.Kernels[0].Figures.Instructions,
                Exact.Kernels[0].Figures.Instructions)
          << Name;
    }
}

TEST_F(NvptxTest, AnUndefinedCallCostsItsKernelOnly) {
  Measurement M = measure("int elsewhere(int);"
                          "kernel void a(global int *p) { p[0] = 1; }"
                          "kernel void b(global int *p) { p[0] = "
                          "elsewhere(p[1]); }",
                          "sm_80");
  ASSERT_EQ(M.Kernels.size(), 2u) << M.Problem;
  EXPECT_TRUE(M.Kernels[0].measured());
  EXPECT_NE(M.Kernels[1].Problem.find("calls undefined elsewhere"),
            std::string::npos);
}

TEST_F(NvptxTest, OnlyTheKernelsAskedFor) {
  Measurement M = measure("kernel void a(global int *p) { p[0] = 1; }"
                          "kernel void b(global int *p) { a(p); p[1] = 2; }",
                          "sm_75", {"b"});
  ASSERT_EQ(M.Kernels.size(), 1u) << M.Problem;
  EXPECT_EQ(M.Kernels[0].Kernel, "b");
  EXPECT_TRUE(M.Kernels[0].measured());
}

/// The estimate of the only kernel of \p Text.
static double estimated(const Measurement &M) {
  EXPECT_EQ(M.Problem, "");
  return M.Kernels.empty() ? 0 : M.Kernels[0].Figures.EstAssumed.value_or(0);
}

TEST_F(NvptxTest, WholeVectorsAreEstimatedFasterThanTheirElements) {
  double Elements = estimated(
      measure("kernel void k(global const uchar *a, global uchar *b) {"
              "  size_t x = get_global_id(0); vstore16(vload16(x, a), x, b); }",
              "sm_90"));
  double Whole = estimated(
      measure("kernel void k(global const uchar16 *a, global uchar16 *b) {"
              "  size_t x = get_global_id(0); b[x] = a[x]; }",
              "sm_90"));
  EXPECT_GT(Elements, 4 * Whole);
}

TEST_F(NvptxTest, RowsAreTakenToBeFarApart) {
  auto rows = [](const std::string &Ways) {
    return estimated(
        measure("kernel void k(global float *o, int pitch, int n) {"
                "  size_t i = get_global_id(0) * 8; float v[2][8];"
                "  for (int k = 0; k < 8; ++k)"
                "    for (int j = 0; j < 2; ++j) v[j][k] = i * k + j;" +
                    Ways + "}",
                "sm_90"));
  };
  std::string Whole = "for (int j = 0; j < 2; ++j)"
                      "  *(global float8 *)(o + j * pitch + i) ="
                      "      vload8(0, v[j]);";
  std::string Single = "for (int k = 0; k < 8; ++k)"
                       "  for (int j = 0; j < 2; ++j)"
                       "    o[j * pitch + i + k] = v[j][k];";
  auto tested = [&](const std::string &Test) {
    return rows("if (" + Test + ") {" + Whole + "} else {" + Single + "}");
  };
  double Vectors = rows(Whole);
  EXPECT_GT(rows(Single), 2 * Vectors);
  // The side that no lane takes costs nothing.
  EXPECT_LT(tested("pitch >= 8 || pitch <= -8"), 1.2 * Vectors);
  EXPECT_LT(tested("!(pitch < 8 && pitch > -8)"), 1.2 * Vectors);
  // What an argument is otherwise, nobody knows.
  EXPECT_GT(tested("n < 3 || n > 8"), 2 * Vectors);
}

TEST_F(NvptxTest, LoopsAndUnitsCountInTheEstimate) {
  auto text = [](const char *Body) {
    return std::string("kernel void k(global float *p, int n) {"
                       "  size_t x = get_global_id(0); float s = p[x];"
                       "  for (int i = 0; i < 4 * n; ++i) ") +
           Body + " p[x] = s; }";
  };
  double Floats = estimated(measure(text("s = s * s + 1;"), "sm_90"));
  double Doubles = estimated(measure(text("s = (double)s * s + 1;"), "sm_75"));
  double Special = estimated(measure(text("s = native_sin(s);"), "sm_90"));
  EXPECT_GT(Special, Floats);
  EXPECT_GT(Doubles, 8 * Floats);
}

TEST_F(NvptxTest, LoadsOfRestrictBuffersCount) {
  auto text = [](const char *Qualifiers) {
    return std::string("kernel void k(global const float *") + Qualifiers +
           " a, global float *" + Qualifiers +
           " b) { size_t x = get_global_id(0); float s = 0;"
           "  for (int i = 0; i < 8; ++i) s += a[x * 32 + i]; b[x] = s; }";
  };
  double Plain = estimated(measure(text(""), "sm_90"));
  double Restrict = estimated(measure(text("restrict"), "sm_90"));
  EXPECT_NEAR(Restrict, Plain, 0.05 * Plain);
}

TEST_F(NvptxTest, ATestOfTheGroupsSizeStays) {
  auto text = [](const char *Guard) {
    return std::string("kernel void k(global float *p) {"
                       "  size_t x = get_global_id(0); float s = p[x];") +
           Guard + " { p[x] = s * s; } }";
  };
  EXPECT_GT(estimated(measure(text("if (get_local_size(0))"), "sm_90")),
            estimated(measure(text(""), "sm_90")));
}

TEST_F(NvptxTest, TheRestOfAnUnrolledLoopIsNotTakenForARunOfItsOwn) {
  auto text = [](const char *Hint) {
    return std::string("kernel void k(global float *p, int n) {"
                       "  size_t x = get_global_id(0); float s = p[x];") +
           Hint + " for (int i = 0; i < n; ++i) s = s * s + i; p[x] = s; }";
  };
  EXPECT_LE(estimated(measure(text("__attribute__((opencl_unroll_hint(4)))"),
                              "sm_90")),
            estimated(measure(text("__attribute__((opencl_unroll_hint(1)))"),
                              "sm_90")));
}

TEST_F(NvptxTest, PtxasSaysWhatItDoesNotKnow) {
  auto R = assemble(findPtxas(), ".version 1.0\nnonsense\n", "sm_90", {});
  ASSERT_FALSE(bool(R));
  EXPECT_EQ(llvm::toString(R.takeError()).find("ptxas: "), 0u);
}

static std::string whyNot(const process::ChildLimits &Limits) {
  auto R = assemble(findPtxas(), "", "sm_90", Limits);
  return R ? "" : llvm::toString(R.takeError());
}

TEST(Ptxas, HasALimitOfTime) {
  test::OnPath Fake("ptxas", "sleep 100");
  EXPECT_EQ(whyNot({/*Seconds=*/1}), "ptxas: exceeded 1 s");
}

#if !__has_feature(address_sanitizer)
TEST(Ptxas, HasALimitOfMemory) {
  test::OnPath Fake("ptxas", "echo error: $(ulimit -v) >&2; exit 1");
  EXPECT_EQ(whyNot({60, 1, /*Memory=*/1024}), "ptxas: error: 1048576");
}
#endif

TEST_F(NvptxTest, ALoopThatRunsAFewTimesIsNoRemainder) {
  auto Kernel = [](const std::string &Head) {
    return "kernel void k(global const float *a, global float *o, int n) {"
           "  int g = get_global_id(0); float t = 0;" +
           Head +
           "    t += native_sin(a[g * 64 + i * 5]) * a[g + i * 100];"
           "    o[g + i] = t; } }";
  };
  std::string Loop = "for (int i = 0; i < (n & 7); i++) {";
  Measurement Rolled =
      measure(Kernel("__attribute__((opencl_unroll_hint(1)))" + Loop), "sm_90");
  Measurement Plain = measure(Kernel(Loop), "sm_90");
  Measurement Once = measure(Kernel("{ int i = n & 1;"), "sm_90");
  for (const Measurement *M : {&Rolled, &Plain, &Once}) {
    ASSERT_EQ(M->Kernels.size(), 1u) << M->Problem;
    EXPECT_GT(M->Kernels[0].Stored.count("arg 1"), 0u);
  }
  auto Cycles = [](const Measurement &M) {
    return M.Kernels[0].Figures.EstAssumed.value_or(0);
  };
  EXPECT_GT(Cycles(Rolled), 2 * Cycles(Once));
  EXPECT_LT(Cycles(Rolled), 20 * Cycles(Once));
  EXPECT_GT(Cycles(Plain), 2 * Cycles(Once));
}

TEST_F(NvptxTest, ALoopOfAFunctionIsThatOfItsKernel) {
  std::string Body = "{ float s = 0; for (int i = 0; i < n; i++)"
                     "  s += a[i * 7]; return s; }";
  Measurement Called =
      measure("static float f(global const float *a, int n) " + Body +
                  "kernel void k(global const float *a, global float *o) {"
                  "  int g = get_global_id(0);"
                  "  o[g] = f(a + g, 16) * f(a + 2 * g, 12); }",
              "sm_90");
  Measurement Written =
      measure("kernel void k(global const float *a, global float *o) {"
              "  int g = get_global_id(0); float s = 0, t = 0;"
              "  global const float *b = a + g, *c = a + 2 * g;"
              "  for (int i = 0; i < 16; i++) s += b[i * 7];"
              "  for (int i = 0; i < 12; i++) t += c[i * 7]; o[g] = s * t; }",
              "sm_90");
  ASSERT_EQ(Called.Kernels.size(), 1u) << Called.Problem;
  ASSERT_EQ(Written.Kernels.size(), 1u) << Written.Problem;
  EXPECT_EQ(Called.Kernels[0].Figures.Vgprs, Written.Kernels[0].Figures.Vgprs);
  EXPECT_NEAR(double(*Called.Kernels[0].Figures.Instructions),
              double(*Written.Kernels[0].Figures.Instructions), 12);
}

TEST_F(NvptxTest, LoadsOfABufferThatNothingElseLeadsToWaitForNoStore) {
  auto latency = [](const char *Body, const char *Restrict) {
    Measurement M =
        measure(llvm::formatv("kernel void k(global const float *{0} a,"
                              "              global float *{0} o, int n) {{"
                              "  float s = 0; int g = get_global_id(0);"
                              "  for (int i = 0; i < n; i++) {{ {1} } }",
                              Restrict, Body),
                "sm_90");
    const auto &Parts = M.Kernels[0].Figures.EstParts;
    return Parts ? Parts->Latency : 0;
  };
  const char *Both = "s = s * 0.5f + a[i * 64 + g]; o[i * 64 + g] = s;";
  // The back end reads this one through a pointer that moves.
  const char *One = "s = s * 0.5f + a[i]; o[g] = s;";
  for (const char *Body : {Both, One}) {
    EXPECT_GT(latency(Body, ""), 2 * latency(Body, "restrict")) << Body;
    EXPECT_GT(latency(Body, "restrict"), 0) << Body;
  }
}

TEST_F(NvptxTest, ABarrierBesideALoopDoesNotKeepItFromBeingCounted) {
  auto instructions = [](const char *Before) {
    Measurement M = measure(
        llvm::formatv("kernel void k(global const float *a, global float *o,"
                      "              int n) {{ float s = 0; {0}"
                      "  for (int i = get_local_id(0); i < n;"
                      "       i += (int)get_local_size(0)) s += a[i];"
                      "  o[get_global_id(0)] = s; }",
                      Before),
        "sm_90");
    return M.Kernels[0].Figures.Instructions.value_or(0);
  };
  EXPECT_NEAR(double(instructions("barrier(CLK_GLOBAL_MEM_FENCE);")),
              double(instructions("")), 10);
}

TEST_F(NvptxTest, ImagesAreMeasured) {
  // NVIDIA's driver 580.159.04 tells 46 registers of this kernel.
  Measurement M = measure(
      "kernel void k(read_only image2d_t in, global float *out) {"
      "  int x = get_global_id(0) & 255, y = get_global_id(1) & 511;"
      "  float4 sum = 0;"
      "  for (int i = 0; i < 32; i++) sum += read_imagef(in, (int2)(x + i, y));"
      "  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] ="
      "      sum.x + sum.y + sum.z + sum.w; }",
      "sm_90");
  ASSERT_EQ(M.Kernels.size(), 1u) << M.Problem;
  ASSERT_TRUE(M.Kernels[0].measured()) << M.Kernels[0].Problem;
  EXPECT_NEAR(M.Kernels[0].Figures.Vgprs.value_or(0), 46, 4);
}

TEST_F(NvptxTest, AnImageThatIsChosenIsOneOfBoth) {
  // The optimiser makes one read of the two, whose image is a choice.
  Measurement M = measure(
      "kernel void k(read_only image2d_t a, read_only image2d_t b,"
      "              sampler_t s, write_only image2d_t out, int n) {"
      "  int2 at = (int2)(get_global_id(0), get_global_id(1)); float4 v;"
      "  if (n > 3) v = read_imagef(a, s, at); else v = read_imagef(b, s, at);"
      "  for (int i = 0; i < n; ++i) v += read_imagef(b, s, at + i);"
      "  write_imagef(out, at, v); }",
      "sm_90");
  ASSERT_EQ(M.Kernels.size(), 1u) << M.Problem;
  EXPECT_TRUE(M.Kernels[0].measured()) << M.Kernels[0].Problem;
}

TEST_F(NvptxTest, WhatNvidiasDriverOffersOfImagesParses) {
  Measurement M = measure("kernel void k(read_only image1d_buffer_t in,"
                          "              write_only image3d_t out) {"
                          "  int4 at = (int4)(get_global_id(0), 1, 2, 0);"
                          "  write_imagef(out, at, read_imagef(in, at.x)); }",
                          "sm_90");
  ASSERT_EQ(M.Kernels.size(), 1u) << M.Problem;
  EXPECT_TRUE(M.Kernels[0].measured()) << M.Kernels[0].Problem;
}
