// What an access to LDS or to private memory costs depends on the words that
// the lanes of a wave have, as executed waves tell or, without a launch, what
// the index is computed from. A bank of LDS gives one
// word at a time (the models' sources are in Estimate.cpp), and the lanes'
// words at one private address are beside each other.
#include "PartsOf.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;

namespace {

/// LDS cycles of a kernel whose work-items do \p What with tile, an array of
/// 2,048 words, and with l, their number.
double lds(const std::string &What, const char *Cpu) {
  return partsOf(llvm::formatv(
                     "kernel void k(global const int *in, global int *out,"
                     "              int n) {{"
                     "  local int tile[2048] __attribute__((aligned(16)));"
                     "  int l = get_local_id(0), v = 0;"
                     "  {0}"
                     "  out[get_global_id(0)] = v; }",
                     What),
                 Cpu)
      .Lds;
}

struct Gpu {
  const char *Cpu;
  unsigned Lanes;
  double Pass; ///< cycles
};
constexpr Gpu Gpus[] = {
    {"gfx906", 64, 4}, {"gfx1030", 32, 2}, {"sm_90", 32, 4}};

/// The same, where they read the word at \p Index. It is volatile, so that the
/// compiler does not know that nothing was written there.
double reading(const char *Index, const char *Cpu) {
  return lds(llvm::formatv("v = ((volatile local int *)tile)[{0}];", Index),
             Cpu);
}

} // namespace

TEST(LaneCosts, LanesInOneBankWaitForEachOther) {
  for (const Gpu &Each : Gpus) {
    double Halves = Each.Lanes / 32, One = Halves * Each.Pass;
    EXPECT_EQ(reading("l", Each.Cpu), One) << Each.Cpu;
    EXPECT_EQ(reading("l * 2", Each.Cpu), 2 * One) << Each.Cpu;
    EXPECT_EQ(reading("l * 8", Each.Cpu), 8 * One) << Each.Cpu;
    EXPECT_EQ(reading("l * 32", Each.Cpu), 32 * One) << Each.Cpu;
    // Rows of 31 words have their columns in all banks.
    EXPECT_EQ(reading("l * 31", Each.Cpu), One) << Each.Cpu;
  }
}

TEST(LaneCosts, LanesWithOneWordShareIt) {
  for (const Gpu &Each : Gpus) {
    double One = Each.Lanes / 32 * Each.Pass;
    EXPECT_EQ(reading("get_group_id(0)", Each.Cpu), One) << Each.Cpu;
    EXPECT_EQ(reading("l / 4 * 32", Each.Cpu), 8 * One) << Each.Cpu;
  }
}

TEST(LaneCosts, WithoutALaunchTheIndexTells) {
  const char *Text =
      "kernel {0} void k(global const int *in, global int *out, int n) {{"
      "  local int tile[2048];"
      "  int x = get_local_id(0), y = get_local_id(1);"
      "  {2} out[get_global_id(0)] = ((volatile local int *)tile)[{1}]; }";
  auto cycles = [&](const char *Index, const char *Cpu, const char *Group = "",
                    const char *Guard = "") {
    return partsOf(llvm::formatv(Text, Group, Index, Guard), Cpu,
                   /*Launched=*/false)
        .Lds;
  };
  const char *Tiles = "__attribute__((reqd_work_group_size(8, 8, 1)))",
             *Few = "__attribute__((reqd_work_group_size(16, 1, 1)))",
             *Large = "__attribute__((reqd_work_group_size(256, 1, 1)))";
  for (const Gpu &Each : Gpus) {
    double Halves = Each.Lanes / 32, One = Halves * Each.Pass;
    EXPECT_EQ(cycles("x", Each.Cpu), One) << Each.Cpu;
    EXPECT_EQ(cycles("x * 32", Each.Cpu), 32 * One) << Each.Cpu;
    EXPECT_EQ(cycles("x * 32 + y", Each.Cpu, Tiles), 8 * One) << Each.Cpu;
    EXPECT_EQ(cycles("x * 33 + y * 8", Each.Cpu, Tiles), One) << Each.Cpu;
    // A quarter of a wave is active, or half of it.
    EXPECT_EQ(cycles("x * 32", Each.Cpu, Few), 16 * Each.Pass) << Each.Cpu;
    // Other waves come there, and nobody knows with which lanes.
    EXPECT_EQ(cycles("x * 32", Each.Cpu, Large, "if (x >= 128)"), One)
        << Each.Cpu;
    EXPECT_EQ(cycles("x * 32", Each.Cpu, Large, "if (x < 16)"), 16 * Each.Pass)
        << Each.Cpu;
    // What is made up has no banks.
    EXPECT_EQ(cycles("n > 3 ? x * 32 : x", Each.Cpu), One) << Each.Cpu;
    EXPECT_EQ(cycles("x * n", Each.Cpu), One) << Each.Cpu;
    EXPECT_EQ(cycles("in[x] & 2047", Each.Cpu), One) << Each.Cpu;
  }
}

TEST(LaneCosts, WideAccessesTakeAsManyPassesAsTheyHaveWords) {
  const char *Wide = "int4 w = ((volatile local int4 *)tile)[{0}];"
                     "v = w.x + w.y + w.z + w.w;";
  for (const Gpu &Each : Gpus) {
    double One = Each.Lanes / 32 * Each.Pass;
    EXPECT_EQ(lds(llvm::formatv(Wide, "l"), Each.Cpu), 4 * One) << Each.Cpu;
    // NVIDIA's read what all lanes want once.
    EXPECT_EQ(lds(llvm::formatv(Wide, "get_group_id(0)"), Each.Cpu),
              Each.Cpu == std::string("sm_90") ? One : 4 * One)
        << Each.Cpu;
  }
}

TEST(LaneCosts, AtomicsOnOneWordWaitForEachOther) {
  for (const Gpu &Each : Gpus) {
    double One = Each.Lanes / 32 * Each.Pass;
    EXPECT_EQ(lds("atomic_xor(&tile[l], l);", Each.Cpu), One) << Each.Cpu;
    EXPECT_EQ(lds("atomic_xor(&tile[l & 3], l);", Each.Cpu), 8 * One)
        << Each.Cpu;
    EXPECT_EQ(lds("atomic_cmpxchg(&tile[n], l, n);", Each.Cpu), 32 * One)
        << Each.Cpu;
  }
}

TEST(LaneCosts, PtxasAddsUpWhatAllLanesDoToOneCounter) {
  EXPECT_EQ(lds("atomic_xor(&tile[n], l);", "sm_90"), 4);
  EXPECT_EQ(lds("v = atomic_xor(&tile[n], l);", "sm_90"), 32 * 4);
}

TEST(LaneCosts, LanesWithOtherIndicesInAPrivateArrayHaveOtherLines) {
  auto vmem = [](const char *Index, const char *Cpu) {
    return partsOf(llvm::formatv(
                       "kernel void k(global const int *in, global int *out,"
                       "              int n) {{"
                       "  volatile int a[256]; int l = get_local_id(0), g ="
                       "    get_global_id(0);"
                       "  a[{0}] = g;"
                       "  out[g] = a[n]; }",
                       Index),
                   Cpu)
        .Vmem;
  };
  // A store of 64 lanes has 4 lines of 64 bytes where all have the same index,
  // else 64; one of 32 lanes has one, else 32. What fills only parts of its
  // sectors costs more on NVIDIA's GPUs.
  auto more = [&](const char *Cpu) {
    return vmem("l + 1", Cpu) - vmem("n + 1", Cpu);
  };
  EXPECT_EQ(more("gfx906"), (64 - 4) * 4);
  EXPECT_EQ(more("gfx1030"), (32 - 1) * 2);
  EXPECT_EQ(more("sm_90"), 32 * 12 - 4);
}

TEST(LaneCosts, LoadsOfNvidiaTakeWordsFromBanks) {
  // Each lane loads a float, or four, so many floats behind the lane before.
  auto vmem = [](const char *Type, int Apart, const char *Cpu) {
    const char *Text =
        "kernel void k(global const {0} *in, global {0} *out, int n) {{"
        "  int l = get_local_id(0);"
        "  global const float *at = (global const float *)in + l * {1};"
        "  out[get_global_id(0)] = *(global const {0} *)at; }";
    double With = partsOf(llvm::formatv(Text, Type, Apart), Cpu,
                          /*Launched=*/false)
                      .Vmem,
           Stored = partsOf(llvm::formatv(Text, Type, *Type == 'f' ? 4 : 1),
                            Cpu, /*Launched=*/false)
                        .Vmem;
    return With - Stored;
  };
  // A row of 128 bytes has its columns in one bank: 32 passes, of which the
  // partition has a fourth of each cycle. Rows of 132 bytes lie in 32 lines,
  // of which four are looked up a cycle.
  EXPECT_DOUBLE_EQ(vmem("float", 32, "sm_90") - vmem("float", 33, "sm_90"),
                   4 * (32 - 8));
  EXPECT_DOUBLE_EQ(vmem("float", 12, "sm_90"), vmem("float", 4, "sm_90"));
  EXPECT_DOUBLE_EQ(vmem("float", 8, "sm_90") - vmem("float", 4, "sm_90"),
                   4 * (8 - 4));
  // Four floats of a lane are in four banks, and cost no more.
  EXPECT_DOUBLE_EQ(vmem("float4", 32, "sm_90") - vmem("float4", 36, "sm_90"),
                   4 * (32 - 8));
}

TEST(LaneCosts, StoresOfNvidiaGoThroughTheL1EachTime) {
  auto vmem = [](const char *Body, const char *Cpu) {
    return partsOf(llvm::formatv(
                       "kernel void k(global int4 *in, global int *out, int n) "
                       "{{ int g = get_global_id(0), l = get_local_id(0);"
                       "  for (int i = 0; i < n; i++) {{ {0}; }"
                       "  out[g] = 1; }",
                       Body),
                   Cpu)
        .Vmem;
  };
  // 512 bytes a turn, or 128, at 4800 * 2000 / 4850 bytes a cycle of 528
  // partitions; the load takes words of four banks, or of one, four cycles
  // each.
  const double Byte = 528 / (4800.0 * 2000 / 4850);
  EXPECT_NEAR(vmem("in[l] += out[i]", "sm_90") -
                  vmem("((global int *)in)[l] += out[i]", "sm_90"),
              20 * (512 - 128) * Byte + 4 * (4 - 1), 0.1);
  // A lane alone is stored with its vector.
  EXPECT_NEAR(vmem("in[l].y += out[i]", "sm_90"),
              vmem("in[l] += out[i]", "sm_90"), 1);
}

TEST(LaneCosts, WhatIsLeftOverByALoopRunsWhereSomethingIs) {
  // The made-up count is a multiple of 32, so that no turn is left over.
  const char *Text =
      "kernel void k(global const float *in, global float *out, int n) {{"
      "  int i = get_global_id(0), j = 0; float v = 0; {0}"
      "  for (; n - j > 3; j += 4)"
      "    v += in[i * n + j] * in[i * n + j + 1]"
      "       * in[i * n + j + 2] * in[i * n + j + 3];"
      "  {1} out[i] = v; }";
  const char *Rest = "for (; j < n; j++) v += in[i * n + j];",
             *Guard = "if (i >= n) return;";
  for (const char *Cpu : {"gfx906", "sm_90"})
    for (const char *Before : {"", Guard}) {
      auto parts = [&](const char *Behind) {
        return partsOf(llvm::formatv(Text, Before, Behind), Cpu,
                       /*Launched=*/false);
      };
      EXPECT_NEAR(parts(Rest).Vmem, parts("").Vmem, 0.02 * parts("").Vmem)
          << Cpu;
      EXPECT_GT(parts("for (j = 0; j < n; j++) v += in[i * n + j];").Vmem,
                1.5 * parts("").Vmem)
          << Cpu;
    }
}

TEST(LaneCosts, WhatElementsOfAVectorLeadToIsWhatLoadsOfThemDo) {
  // Each turn reads four places that four loads, or one, have told.
  const char *Text =
      "kernel void k(global const int *in, global float *out, int n,"
      "              global const float *x) {{"
      "  int i = get_global_id(0); float v = 0;"
      "  for (int j = 0; j < n; j++) {{"
      "    global const int *at = in + (j * 4096 + i) * 4;"
      "    {0}"
      "    v += x[a] + x[b] + x[c] + x[d]; }"
      "  out[i] = v; }";
  for (const char *Cpu : {"gfx906", "sm_90"}) {
    auto vmem = [&](const char *Read) {
      return partsOf(llvm::formatv(Text, Read), Cpu, /*Launched=*/false).Vmem;
    };
    double Vector = vmem("int4 q = *(global const int4 *)at;"
                         "int a = q.x, b = q.y, c = q.z, d = q.w;"),
           Scalar = vmem("int a = at[0], b = at[1], c = at[2], d = at[3];"),
           Beside = vmem("int4 q = *(global const int4 *)at;"
                         "int a = i, b = i + 4096, c = i + q.x - q.x, d = i;"),
           Computed = vmem("int4 q = *(global const int4 *)at + n;"
                           "int a = q.x, b = q.y, c = q.z, d = q.w;");
    EXPECT_GT(Vector, 2 * Beside) << Cpu;
    EXPECT_NEAR(Vector, Scalar, 0.5 * Scalar) << Cpu;
    EXPECT_NEAR(Computed, Scalar, 0.5 * Scalar) << Cpu;
  }
}

TEST(LaneCosts, BytesThatAreStoredCountWhereverTheyLie) {
  const char *Text = "kernel void k(global const int *in, global uchar *out,"
                     "              int n) {{"
                     "  int i = get_global_id(0); out[i * {0}] = in[i]; }";
  for (const char *Cpu : {"gfx906", "sm_90"}) {
    auto stored = [&](const char *Step) {
      Target On = llvm::cantFail(parseTarget(Cpu));
      OfflineMeter Meter(llvm::cantFail(openBackends({On}, {})), {60, 2});
      MeasureRequest Request{
          {"/test.cl", llvm::formatv(Text, Step).str(), {}}, On, {}};
      return Meter.measure({Request}).front().Kernels.front().Stored;
    };
    EXPECT_EQ(stored("1"), stored("512")) << Cpu;
  }
}

TEST(LaneCosts, BuffersBeginWithALine) {
  // A kernel for AMD loads its two pointers as one vector. Sixteen lanes read
  // or write one line of 64 bytes, which takes 4 cycles.
  EXPECT_EQ(partsOf("kernel void k(global const float *in, global float *out,"
                    "              int n) {"
                    "  int i = get_global_id(0); out[i] = in[i]; }",
                    "gfx906", /*Launched=*/false)
                .Vmem,
            2 * 4 * 4);
}

TEST(LaneCosts, RowsThatDataBoundHaveTheTurnsOfALoopThatNothingCounts) {
  const char *Text =
      "kernel void k(global const int *start, global float *out, int n,"
      "              global const float *x) {{"
      "  int i = get_global_id(0); float v = 0;"
      "  int first = {0}, end = {1};"
      "  for (int j = first; j < end; j++) v += x[j];"
      "  out[i] = v; }";
  for (const char *Cpu : {"gfx906", "sm_90"}) {
    auto loads = [&](const char *First, const char *End) {
      return partsOf(llvm::formatv(Text, First, End), Cpu, /*Launched=*/false)
          .Vmem;
    };
    double Rows = loads("start[i]", "start[i + 1]"),
           Counted = loads("i * 16", "i * 16 + n / 20"); // n counts as 320
    EXPECT_GT(Rows, 0.5 * Counted) << Cpu;
    EXPECT_LT(Rows, 2 * Counted) << Cpu;
  }
}

TEST(LaneCosts, ALoopUpToAnAlignedAddressEndsThere) {
  // The row begins two floats behind a multiple of 16 bytes: what follows the
  // first loop is reached.
  const char *Text =
      "kernel void k(global const float *in, global float *out, int n) {{"
      "  int i = get_global_id(0), j = 2; float v = 0;"
      "  for (; j < n && ((uintptr_t)(in + i * n + j) & 15) != 0; j++)"
      "    v += in[i * n + j];"
      "  {0}"
      "  out[i] = v; }";
  const char *Vectors = "for (; n - j > 3; j += 4) {"
                        "  float4 q = *(global const float4 *)(in + i * n + j);"
                        "  v += q.x + q.y + q.z + q.w; }",
             *Rest = "for (; j < n; j++) v += in[i * n + j];",
             *All = "for (j = 2; j < n; j++) v += in[i * n + j];";
  for (const char *Cpu : {"gfx906", "sm_90"}) {
    auto vmem = [&](std::string Behind) {
      return partsOf(llvm::formatv(Text, Behind), Cpu, /*Launched=*/false).Vmem;
    };
    double Peeled = vmem(""), Whole = vmem(Vectors);
    EXPECT_GT(Whole, 4 * Peeled) << Cpu;
    EXPECT_LT(Peeled, 0.05 * vmem(All)) << Cpu;
    EXPECT_NEAR(vmem(std::string(Vectors) + Rest), Whole, 0.05 * Whole) << Cpu;
  }
}
