#include "source/Installed.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace llvm;

// The tree itself is tested by package/install.test.
TEST(Installed, FindsNothingInABuildFolder) {
  EXPECT_TRUE(sys::fs::exists(programFolder() + "/unit-tests"));
  EXPECT_EQ(installed("clang"), "");
  EXPECT_EQ(installed("../../bin/none"), "");
}
