// .ze_info of Intel's binaries. The text is written after the format's
// description; no saved one of a real driver was at hand.
#include "ZeInfo.h"
#include <gtest/gtest.h>

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

TEST(ZeInfo, SurvivesOtherText) {
  EXPECT_TRUE(parseZeInfo("").empty());
  EXPECT_TRUE(parseZeInfo("kernels:\n").empty());
  EXPECT_TRUE(parseZeInfo("  - name: x\n").empty());
  EXPECT_TRUE(readZebin("\x7f"
                        "ELF")
                  .empty());
}
