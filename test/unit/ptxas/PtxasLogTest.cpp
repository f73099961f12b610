// ptxas's lines in NVIDIA's build log.
#include "ptxas/PtxasLog.h"
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace clrewrite;
using namespace clrewrite::ptxas;

TEST(PtxasLog, ReadsKernelsSpillsAndSharedMemory) {
  auto Found = parsePtxasLog(R"(
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'f' for 'sm_90a'
ptxas info    : Function properties for f
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, 380 bytes cmem[0]
ptxas info    : Compiling entry function 'g' for 'sm_90a'
ptxas info    : Function properties for g
ptxas         .     1048 bytes stack frame, 1036 bytes spill stores, 2072 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 1024 bytes smem, 380 bytes cmem[0]
ptxas info    : Function properties for helper
ptxas         .     8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
)");
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found["f"].Registers, 32u);
  EXPECT_EQ(Found["f"].SpillStoreBytes, 0u);
  EXPECT_EQ(Found["f"].StackBytes, 0u);
  EXPECT_EQ(Found["f"].SharedBytes, 0u);
  EXPECT_EQ(Found["f"].Arch, "sm_90a");
  EXPECT_EQ(Found["g"].Registers, 255u);
  EXPECT_EQ(Found["g"].SpillStoreBytes, 1036u);
  EXPECT_EQ(Found["g"].SpillLoadBytes, 2072u);
  EXPECT_EQ(Found["g"].StackBytes, 1048u);
  EXPECT_EQ(Found["g"].SharedBytes, 1024u);
}

// The build log of an H200's driver (580.159.04) for two kernels of ours: one
// with 80 float4 in registers, one with 256 ints of local memory.
TEST(PtxasLog, ReadsARealDriversLog) {
  std::ifstream In(PTXAS_TEST_INPUTS "/h200-580.159.log");
  std::stringstream Text;
  Text << In.rdbuf();
  auto Found = parsePtxasLog(Text.str());
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found["part"].Registers, 11u);
  EXPECT_EQ(Found["part"].SharedBytes, 1028u);
  EXPECT_EQ(Found["part"].SpillStoreBytes, 0u);
  EXPECT_EQ(Found["part"].Arch, "sm_90a");
  EXPECT_EQ(Found["many"].Registers, 255u);
  EXPECT_EQ(Found["many"].StackBytes, 440u);
  EXPECT_EQ(Found["many"].SpillStoreBytes, 724u);
  EXPECT_EQ(Found["many"].SpillLoadBytes, 752u);
  EXPECT_EQ(Found["many"].SharedBytes, 0u);
}

TEST(PtxasLog, HasNothingWhereTheCacheAnswered) {
  EXPECT_TRUE(parsePtxasLog("").empty());
  EXPECT_TRUE(parsePtxasLog("warning: 3 registers were mentioned\n").empty());
}

TEST(PtxasLog, LeavesUnknownWhatIsNotThere) {
  auto Found = parsePtxasLog("ptxas info : Compiling entry function 'f' for "
                             "'sm_75'\r\nptxas info : Used 8 registers\r\n");
  EXPECT_EQ(Found["f"].Registers, 8u);
  EXPECT_FALSE(Found["f"].SpillStoreBytes);
  EXPECT_FALSE(Found["f"].StackBytes);
}
