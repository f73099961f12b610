// Rates by peaks, and reading peaks.
#include "measure/Work.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;

TEST(Work, TheSlowerOfMemoryAndOperations) {
  Peaks P{100, 1000};
  KernelWork W;
  W.Flops = 40;
  auto R = rateFor(8, W, P); // 80 ps of memory, 40 ps of operations
  ASSERT_TRUE(R);
  EXPECT_TRUE(R->ByMemory);
  EXPECT_DOUBLE_EQ(R->ItemsPerSecond, 100e9 / 8);
  W.Flops = 200;
  R = rateFor(8, W, P);
  EXPECT_FALSE(R->ByMemory);
  EXPECT_DOUBLE_EQ(R->ItemsPerSecond, 1000e9 / 200);
  W.Flops = 0;
  EXPECT_FALSE(rateFor(0, W, P));
}

TEST(Work, DoublesHaveARateOfTheirOwn) {
  Peaks P{100, 1000};
  KernelWork W;
  W.Flops = 30;
  W.DoubleFlops = 10;
  EXPECT_DOUBLE_EQ(rateFor(0, W, P)->ItemsPerSecond, 1000e9 / 30);
  P.GDoubles = 100;
  EXPECT_DOUBLE_EQ(rateFor(0, W, P)->ItemsPerSecond, 1e12 / (20 + 100));
}

TEST(Work, AWavesLoadsAreShared) {
  KernelWork W;
  W.WaveLanes = 64;
  W.Global.LoadBytes = 4;
  W.Uniform.LoadBytes = 64;
  W.WaveBytes = 640;
  EXPECT_DOUBLE_EQ(W.requestedBytes(), 5);
  EXPECT_DOUBLE_EQ(W.movedBytes(), 10);
}

TEST(Work, TablesOfCards) {
  EXPECT_DOUBLE_EQ(tablePeaks("gfx906").GBytesPerSecond, 1024);
  // 60 compute units x 64 lanes x 2 x 1.75 GHz
  EXPECT_DOUBLE_EQ(tablePeaks("gfx906").GFlops, 60 * 64 * 2 * 1.75);
  EXPECT_DOUBLE_EQ(tablePeaks("sm_90").GFlops, 132 * 128 * 2 * 1.98);
  EXPECT_DOUBLE_EQ(*tablePeaks("sm_90").GDoubles, 132 * 64 * 2 * 1.98);
}

static std::string problemOf(llvm::StringRef Text) {
  auto P = parsePeaks("p.json", Text);
  return P ? "" : llvm::toString(P.takeError());
}

TEST(Work, PeaksFromAFile) {
  auto P = parsePeaks("p.json",
                      R"({"schema": 1, "kind": "peak", "device": {"name": "X"},
                    "peaks": {"bandwidth_gb_s": 4000.5, "float_gflop_s": 60000,
                              "half_gflop_s": null, "double_gflop_s": 30000,
                              "int_gop_s": 1}})");
  ASSERT_TRUE(bool(P));
  EXPECT_DOUBLE_EQ(P->GBytesPerSecond, 4000.5);
  EXPECT_DOUBLE_EQ(P->GFlops, 60000);
  EXPECT_FALSE(P->GHalfs);
  EXPECT_DOUBLE_EQ(*P->GDoubles, 30000);
  EXPECT_EQ(P->From, "measured on X");
}

TEST(Work, PeaksThatAreNone) {
  auto Starts = [](llvm::StringRef Text, llvm::StringRef With) {
    return llvm::StringRef(problemOf(Text)).starts_with(With);
  };
  EXPECT_TRUE(Starts("{", "p.json: is not JSON; give what 'clrewrite peak"));
  EXPECT_TRUE(Starts("[1]", "p.json: holds no peaks"));
  EXPECT_TRUE(
      Starts(R"({"kind": "probe", "peaks": {}})", "p.json: holds no peaks"));
  EXPECT_TRUE(Starts(R"({"kind": "peak", "peaks": {"bandwidth_gb_s": null,
                         "float_gflop_s": 3}})",
                     "p.json: has no peak bandwidth"));
}

TEST(Work, ThroughJson) {
  WorkReport R;
  KernelWork &W = R.Kernels.emplace_back();
  W.Kernel = "k";
  W.WaveLanes = 32;
  W.Global.Loads = 1.5;
  W.ConditionalFlops = 7;
  W.Guesses.push_back({12, 16, true, {0, 3}});
  WorkReport Back;
  llvm::json::Path::Root Root;
  ASSERT_TRUE(fromJSON(toJSON(R), Back, Root));
  EXPECT_EQ(llvm::json::Value(toJSON(R)), llvm::json::Value(toJSON(Back)));
  EXPECT_EQ(Back.Kernels[0].Guesses[0].Arguments,
            (std::vector<unsigned>{0, 3}));
}
