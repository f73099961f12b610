// Measuring with LLVM: figures that facts about the GPUs pin down, guards, and
// the same bytes for rolled and unrolled loops.
#include "measure/OfflineMeter.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;

namespace {

class OfflineMeterTest : public testing::Test {
protected:
  std::unique_ptr<OfflineMeter> Meter;

  void SetUp() override {
    auto Backends = openBackends({llvm::cantFail(parseTarget("gfx906"))}, {});
    ASSERT_TRUE(bool(Backends)) << llvm::toString(Backends.takeError());
    Meter = std::make_unique<OfflineMeter>(std::move(*Backends),
                                           process::ChildLimits{60, 2});
  }

  Measurement measure(const std::string &Text, const std::string &Cpu,
                      std::vector<std::string> Kernels = {}) {
    Source S{"/test.cl", Text, {"-cl-std=CL1.2"}};
    return Meter
        ->measure({{S, llvm::cantFail(parseTarget(Cpu)), std::move(Kernels)}})
        .front();
  }
  KernelUsage one(const std::string &Text, const std::string &Cpu) {
    Measurement M = measure(Text, Cpu);
    EXPECT_EQ(M.Problem, "");
    EXPECT_EQ(M.Kernels.size(), 1u);
    return M.Kernels.empty() ? KernelUsage() : M.Kernels.front();
  }
};

std::string clobber(unsigned Vgprs) {
  return "__kernel void k(__global int *p) {"
         "  __asm__ volatile(\"\" ::: \"v" +
         std::to_string(Vgprs - 1) + "\"); p[0] = 1; }";
}

} // namespace

TEST_F(OfflineMeterTest, OccupancyStepsAreLlvms) {
  struct {
    const char *Cpu;
    unsigned Vgprs, Waves, Max;
    std::optional<unsigned> Next;
  } Cases[] = {{"gfx600", 24, 10, 10, std::nullopt},
               {"gfx600", 25, 9, 10, 1},
               {"gfx906", 37, 6, 10, 1},
               {"gfx906", 129, 1, 10, 1},
               {"gfx90a", 129, 3, 8, 1},
               {"gfx1030", 129, 7, 16, 1},
               {"gfx1100", 129, 10, 16, 9},
               {"gfx1100", 256, 5, 16, std::nullopt}};
  for (auto &C : Cases) {
    Usage U = one(clobber(C.Vgprs), C.Cpu).Figures;
    SCOPED_TRACE(std::string(C.Cpu) + " " + std::to_string(C.Vgprs));
    EXPECT_EQ(U.Vgprs, C.Vgprs);
    EXPECT_EQ(U.Occupancy, C.Waves);
    EXPECT_EQ(U.OccupancyMax, C.Max);
    if (C.Next)
      EXPECT_EQ(U.VgprsToNextStep, C.Next);
    EXPECT_EQ(U.Limiter, C.Waves == C.Max ? "none" : "VGPRs");
  }
}

TEST_F(OfflineMeterTest, LdsIsNamedAsTheLimiter) {
  Usage U = one("__kernel __attribute__((reqd_work_group_size(64, 1, 1)))"
                "void k(__global int *p) { __local int l[8192];"
                "  l[get_local_id(0)] = p[get_global_id(0)];"
                "  barrier(CLK_LOCAL_MEM_FENCE);"
                "  p[get_global_id(0)] = l[63 - get_local_id(0)]; }",
                "gfx906")
                .Figures;
  EXPECT_EQ(U.LdsBytes, 32768u);
  EXPECT_EQ(U.Limiter, "LDS");
  EXPECT_FALSE(U.VgprsToNextStep);
}

TEST_F(OfflineMeterTest, ImagesAndMathAreLinked) {
  KernelUsage K =
      one("__constant sampler_t s = CLK_FILTER_LINEAR | CLK_ADDRESS_CLAMP;"
          "__kernel void k(read_only image2d_t i, write_only image2d_t o) {"
          "  int2 at = (int2)(get_global_id(0), get_global_id(1));"
          "  write_imagef(o, at, exp(read_imagef(i, s, at))); }",
          "gfx906");
  EXPECT_EQ(K.Problem, "");
  EXPECT_TRUE(K.Figures.Vgprs && *K.Figures.Vgprs > 0);
  EXPECT_GT(K.Stored["image"], 0);
}

TEST_F(OfflineMeterTest, ADeletedKernelHasLostItsStores) {
  KernelUsage Before = one("__kernel void k(__global int *p, int v) {"
                           "  p[get_global_id(0)] = v; }",
                           "gfx906");
  KernelUsage After = one("__kernel void k(__global int *p, int v) {"
                          "  int u; u -= u; int w; if (w) p[w] = u; }",
                          "gfx906");
  std::string Which;
  EXPECT_TRUE(losesStores(Before, After, Which));
}

TEST_F(OfflineMeterTest, RollingALoopMovesTheSameBytes) {
  std::string Body = "int i = get_global_id(0); float s = 0;"
                     "for (int k = 0; k < 16; ++k) {"
                     "  s += in[k * n + i]; out[k * n + i] = s; } }";
  std::string Head = "__kernel void k(__global const float *restrict in,"
                     " __global float *restrict out, int n) {";
  std::string Rolled = Body;
  Rolled.replace(Rolled.find("for"), 0,
                 "__attribute__((opencl_unroll_hint(1)))");
  KernelUsage A = one(Head + Body, "gfx906"), B = one(Head + Rolled, "gfx906");
  EXPECT_GT(*A.Figures.Instructions, *B.Figures.Instructions);
  EXPECT_NEAR(A.Stored["arg 1"], B.Stored["arg 1"], 1);
  EXPECT_NEAR(A.Stored["arg 1"], 16 * 64 * 4, 1);
}

TEST_F(OfflineMeterTest, AlignedVectorsMoveInFewerLines) {
  auto copy = [](const std::string &Value, const std::string &From = "a") {
    return "typedef uchar16 V; V get(size_t i, const __global uchar *p) {" +
           Value +
           "} __kernel void k(const __global uchar *a, __global V *o) {"
           "  size_t i = get_global_id(0); a = " +
           From + "; o[i] = get(i, a) + get(i, a + 1024) + get(i, a + 2048); }";
  };
  std::string Plain = "return ((const __global V *)p)[i];";
  std::string Halves = "return (V)(vload8(2 * i, p), vload8(2 * i + 1, p));";
  std::string Tested = "if (((uintptr_t)p & 15) == 0) " + Plain + Halves;
  auto cycles = [&](const std::string &Text) {
    return *one(Text, "gfx600").Figures.EstCycles;
  };
  double Whole = cycles(copy(Plain)), Bytes = cycles(copy(Halves));
  EXPECT_GT(Bytes, 1.5 * Whole);
  // The side that no lane takes costs nothing, whichever it is.
  EXPECT_LT(cycles(copy(Tested)), 1.1 * Whole);
  EXPECT_GT(cycles(copy(Tested, "a + 8")), 1.5 * Whole);
  // Where gfx906 takes a vector at any address, nothing changes.
  EXPECT_EQ(*one(copy(Plain), "gfx906").Figures.EstCycles,
            *one(copy(Halves), "gfx906").Figures.EstCycles);
}

TEST_F(OfflineMeterTest, OnlyTheNamedKernels) {
  Measurement M = measure("__kernel void a(__global int *p) { p[0] = 1; }"
                          "__kernel void b(__global int *p) { p[1] = 2; }",
                          "gfx906", {"b"});
  ASSERT_EQ(M.Kernels.size(), 1u);
  EXPECT_EQ(M.Kernels.front().Kernel, "b");
}

// LLVM inlines `mix`, which is large, only where one kernel calls it, and for
// `c`, whose argument leaves little of it. So the code of each kernel depends
// on which others there are, and in which order LLVM comes to them.
TEST_F(OfflineMeterTest, AKernelIsMeasuredAsInItsFile) {
  std::string Mix = "uint mix(uint x, uint y, uint z) { if (z == 0) return x;";
  for (unsigned I = 0; I < 200; ++I)
    Mix += llvm::formatv("x = x * {0}u + y; y ^= x >> 7; x += rotate(y, z);",
                         2 * I + 3);
  Mix += "return x ^ y; }";
  auto kernel = [](llvm::StringRef Name, llvm::StringRef Argument) {
    return llvm::formatv("kernel void {0}(global uint *p, uint z) {{ "
                         "uint i = get_global_id(0);"
                         "p[i] = mix(p[i], i, {1}); }",
                         Name, Argument)
        .str();
  };
  std::string A = kernel("a", "z"), B = kernel("b", "z + 1"),
              C = kernel("c", "0");
  auto codes = [&](const std::string &Text, std::vector<std::string> Kernels) {
    Measurement M = measure(Text, "gfx906", std::move(Kernels));
    EXPECT_EQ(M.Problem, "");
    std::map<std::string, std::string> Out;
    for (const KernelUsage &K : M.Kernels)
      Out[K.Kernel] = llvm::formatv("{0}", toJSON(K));
    return Out;
  };
  EXPECT_NE(codes(Mix + A, {})["a"], codes(Mix + A + B, {})["a"]);
  for (const std::string &Text :
       {Mix + A + B, Mix + A + C, Mix + C + A, Mix + A + B + C}) {
    auto Whole = codes(Text, {});
    for (const auto &[Name, Code] : Whole)
      EXPECT_EQ(codes(Text, {Name})[Name], Code) << Name;
  }
}

TEST_F(OfflineMeterTest, CachesWithinARun) {
  std::string Text = "__kernel void k(__global int *p) { p[0] = 1; }";
  measure(Text, "gfx906");
  unsigned Compiled = Meter->compilations();
  measure(Text, "gfx906");
  EXPECT_EQ(Meter->compilations(), Compiled);
  EXPECT_EQ(Meter->cacheHits(), 1u);
}

TEST_F(OfflineMeterTest, ASourceThatDoesNotCompileSaysSo) {
  Measurement M = measure("__kernel void k() { nothing }", "gfx906");
  EXPECT_NE(M.Problem.find("does not compile for gfx906"), std::string::npos);
}
