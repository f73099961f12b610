// Measuring for AMD's GPUs before GCN.
#include "measure/r600/R600.h"
#include "measure/OfflineMeter.h"
#include "measure/r600/R600Limits.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;

namespace {

/// A section of these register and value pairs.
std::string section(std::initializer_list<std::pair<uint32_t, uint32_t>> List) {
  std::string Out;
  for (auto [Register, Value] : List)
    for (uint32_t Word : {Register, Value})
      for (unsigned Shift = 0; Shift < 32; Shift += 8)
        Out += char(Word >> Shift & 0xff);
  return Out;
}

class R600Test : public testing::Test {
protected:
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

TEST(R600Config, PairsOfEachFunction) {
  auto List = parseR600Config(section({{0x288D4, 0x217},
                                       {0x2880C, 0},
                                       {0x288E8, 64},
                                       {0x288D4, 5},
                                       {0x2880C, 0},
                                       {0x288E8, 0}}));
  ASSERT_EQ(List.size(), 2u);
  EXPECT_EQ(List[0].Gprs, 0x17u);
  EXPECT_EQ(List[0].StackEntries, 2u);
  EXPECT_EQ(List[0].LdsBytes, 256u);
  EXPECT_EQ(List[1].Gprs, 5u);
  EXPECT_EQ(List[1].StackEntries, 0u);
  EXPECT_EQ(List[1].LdsBytes, 0u);
}

TEST(R600Config, WhatIsNoSuchSectionHasNoFunctions) {
  EXPECT_TRUE(parseR600Config("").empty());
  EXPECT_TRUE(parseR600Config("seven b").empty());
  EXPECT_TRUE(parseR600Config(section({{0x288E8, 64}})).empty());
}

TEST_F(R600Test, FiguresOfAKernel) {
  Measurement M = measure("kernel void k(global int *p) {"
                          "  local int t[256]; int x = get_local_id(0);"
                          "  t[x] = p[x]; barrier(CLK_LOCAL_MEM_FENCE);"
                          "  if (p[x + 1] > 3) p[x] = t[255 - x]; }",
                          "redwood");
  ASSERT_EQ(M.Problem, "");
  ASSERT_EQ(M.Kernels.size(), 1u);
  const KernelUsage &K = M.Kernels[0];
  ASSERT_TRUE(K.measured()) << K.Problem;
  EXPECT_GT(K.Figures.Vgprs.value_or(0), 1u);
  EXPECT_LT(K.Figures.Vgprs.value_or(99), 10u);
  EXPECT_EQ(K.Figures.StackEntries, 1u);
  EXPECT_EQ(K.Figures.LdsBytes, 1024u);
  EXPECT_EQ(K.Figures.ScratchBytes, 0u);
  EXPECT_EQ(K.Figures.OccupancyMax, 32u);
  EXPECT_FALSE(K.Figures.Sgprs);
  EXPECT_FALSE(K.Figures.EstCycles);
  EXPECT_GT(K.Figures.Instructions.value_or(0), 5u);
  EXPECT_FALSE(K.CodeHash.empty());
  EXPECT_EQ(K.Stored.count("arg 0"), 1u);
}

TEST_F(R600Test, EveryProcessorHasItsLibrary) {
  for (const R600Processor &P : r600Table()) {
    Measurement M = measure("kernel void a(global float *p) { p[0] = 1; }"
                            "kernel void b(global float *p) {"
                            "  size_t x = get_global_id(0);"
                            "  vstore4(exp(vload4(x, p)), x, p); }",
                            P.Name.data());
    ASSERT_EQ(M.Problem, "") << P.Name.str();
    ASSERT_EQ(M.Kernels.size(), 2u);
    for (const KernelUsage &K : M.Kernels)
      EXPECT_TRUE(K.measured()) << P.Name.str() << ": " << K.Problem;
    EXPECT_LT(M.Kernels[0].Figures.Vgprs, M.Kernels[1].Figures.Vgprs);
  }
}

TEST_F(R600Test, HelpersAreInlinedWhateverTheySay) {
  Measurement M = measure("__attribute__((noinline)) int f(int x)"
                          "{ return x * 3; }"
                          "kernel void k(global int *p) { p[0] = f(p[1]); }",
                          "cayman");
  ASSERT_EQ(M.Kernels.size(), 1u) << M.Problem;
  EXPECT_TRUE(M.Kernels[0].measured()) << M.Kernels[0].Problem;
}

TEST_F(R600Test, AnUndefinedCallCostsItsKernelOnly) {
  Measurement M = measure("kernel void a(global int *p) { p[0] = 1; }"
                          "kernel void b(global int *p) {"
                          "  mem_fence(CLK_GLOBAL_MEM_FENCE); p[0] = 1; }",
                          "cypress");
  ASSERT_EQ(M.Kernels.size(), 2u) << M.Problem;
  EXPECT_TRUE(M.Kernels[0].measured()) << M.Kernels[0].Problem;
  EXPECT_NE(M.Kernels[1].Problem.find("calls undefined mem_fence"),
            std::string::npos)
      << M.Kernels[1].Problem;
}

TEST_F(R600Test, ACrashCostsItsKernelOnly) {
  Measurement M = measure("kernel void a(global int *p) { p[0] = 1; }"
                          "kernel void b(global int *p) {"
                          "  p[1] = atomic_inc(p); }",
                          "barts", {"a", "b"});
  ASSERT_EQ(M.Kernels.size(), 2u) << M.Problem;
  EXPECT_TRUE(M.Kernels[0].measured()) << M.Kernels[0].Problem;
  EXPECT_NE(M.Kernels[1].Problem.find("Cannot select"), std::string::npos)
      << M.Kernels[1].Problem;
}

TEST_F(R600Test, OnlyTheKernelsAskedFor) {
  Measurement M = measure("kernel void a(global int *p) { p[0] = 1; }"
                          "kernel void b(global int *p) { a(p); p[1] = 2; }",
                          "turks", {"b"});
  ASSERT_EQ(M.Kernels.size(), 1u) << M.Problem;
  EXPECT_EQ(M.Kernels[0].Kernel, "b");
  EXPECT_TRUE(M.Kernels[0].measured()) << M.Kernels[0].Problem;
}
