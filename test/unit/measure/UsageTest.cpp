// Figures through JSON, and the guard against lost stores.
#include "measure/Usage.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;

TEST(Usage, UnknownStaysUnknown) {
  Usage U;
  U.Vgprs = 37;
  U.EstBound = "issue";
  Usage Back;
  llvm::json::Path::Root Root;
  ASSERT_TRUE(fromJSON(toJSON(U), Back, Root));
  EXPECT_EQ(Back.Vgprs, 37u);
  EXPECT_EQ(Back.EstBound, "issue");
  EXPECT_FALSE(Back.Occupancy);
  EXPECT_FALSE(Back.EstCycles);
}

TEST(Usage, LosingAnObjectIsNoGain) {
  KernelUsage Before, After;
  Before.Stored = {{"arg 1", 1024}, {"arg 2", 256}};
  std::string Which;
  After.Stored = {{"arg 1", 1024}, {"arg 2", 256}};
  EXPECT_FALSE(losesStores(Before, After, Which));
  After.Stored = {{"arg 1", 1024}};
  EXPECT_TRUE(losesStores(Before, After, Which));
  EXPECT_EQ(Which, "arg 2");
  After.Stored = {{"arg 1", 512}, {"arg 2", 256}};
  EXPECT_TRUE(losesStores(Before, After, Which));
  EXPECT_EQ(Which, "arg 1");
  After.Stored = {};
  EXPECT_TRUE(losesStores(Before, After, Which));
}

TEST(Usage, BytesThatChangeTheirNameAreNotLost) {
  KernelUsage Before, After;
  std::string Which;
  Before.Stored = {{"memory", 1024}};
  After.Stored = {{"arg 1", 1024}};
  EXPECT_FALSE(losesStores(Before, After, Which));
  EXPECT_FALSE(losesStores(After, Before, Which));
  // What was stored elsewhere all along makes up for nothing, nor twice.
  Before.Stored = {{"arg 1", 1024}, {"arg 2", 1024}, {"memory", 512}};
  After.Stored = {{"arg 1", 1024}, {"memory", 512}};
  EXPECT_TRUE(losesStores(Before, After, Which));
  EXPECT_EQ(Which, "arg 2");
  After.Stored = {{"memory", 512 + 1024}};
  EXPECT_TRUE(losesStores(Before, After, Which));
  After.Stored = {{"arg 1", 1024 + 512}, {"arg 2", 512}};
  EXPECT_TRUE(losesStores(Before, After, Which));
}
