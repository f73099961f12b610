// .ze_info of Intel's binaries. The files in Inputs are what Intel's compiler
// (IGC 22.43, for DG2) wrote for kernels of ours; the text in ReadsEachKernel
// has what newer versions add, after the format's description.
#include "ZeInfo.h"
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace clrewrite::device;

TEST(ZeInfo, ReadsEachKernel) {
  FiguresByKernel Found = parseZeInfo(R"(---
version:         '1.39'
kernels:
  - name:            blur
    execution_env:
      barrier_count:   1
      grf_count:       128
      simd_size:       16
      slm_size:        4096
      spill_size:      640
      private_size:    256
    payload_arguments:
      - arg_type:        arg_bypointer
        offset:          0
        size:            8
    per_thread_memory_buffers:
      - type:            scratch
        usage:           spill_fill_space
        size:            1024
  - name:            'copy'
    execution_env:
      grf_count:       256
      simd_size:       32
functions:
  - name:            helper
    execution_env:
      grf_count:       1
...
)");
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found["blur"].GrfCount, 128u);
  EXPECT_EQ(Found["blur"].SimdWidth, 16u);
  EXPECT_EQ(Found["blur"].LdsBytes, 4096u);
  EXPECT_EQ(Found["blur"].SpillBytes, 640u);
  EXPECT_EQ(Found["blur"].ScratchBytes, 256u);
  EXPECT_EQ(Found["copy"].GrfCount, 256u);
  EXPECT_FALSE(Found["copy"].SpillBytes);
  EXPECT_FALSE(Found["blur"].Vgprs);
}

static std::string saved(const char *Name) {
  std::ifstream In(std::string(DEVICE_TEST_INPUTS "/") + Name);
  std::stringstream Text;
  Text << In.rdbuf();
  EXPECT_FALSE(Text.str().empty());
  return Text.str();
}

TEST(ZeInfo, ReadsTheCompilersOwnText) {
  FiguresByKernel Found = parseZeInfo(saved("dg2.ze_info"));
  ASSERT_EQ(Found.size(), 3u);
  EXPECT_EQ(Found["scale"].GrfCount, 128u);
  EXPECT_EQ(Found["scale"].SimdWidth, 32u);
  EXPECT_FALSE(Found["scale"].ScratchBytes);
  // A private array of 40 float16.
  EXPECT_EQ(Found["spilling"].ScratchBytes, 2560u);
  EXPECT_EQ(Found["spilling"].SimdWidth, 16u);
  EXPECT_EQ(Found["group_sum"].LdsBytes, 256u);
  EXPECT_FALSE(Found["group_sum"].ScratchBytes);
}

TEST(ZeInfo, AHardwareThreadsScratchIsItsWorkItems) {
  FiguresByKernel Found = parseZeInfo(saved("dg2-scratch.ze_info"));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found["mix"].SimdWidth, 8u);
  EXPECT_EQ(Found["mix"].ScratchBytes, 16384u / 8);
  EXPECT_FALSE(Found["mix"].SpillBytes);
}

TEST(ZeInfo, SurvivesOtherText) {
  EXPECT_TRUE(parseZeInfo("").empty());
  EXPECT_TRUE(parseZeInfo("kernels:\n").empty());
  EXPECT_TRUE(parseZeInfo("  - name: x\n").empty());
  EXPECT_TRUE(readZebin("\x7f"
                        "ELF")
                  .empty());
}
