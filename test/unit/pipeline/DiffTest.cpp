// Unified diffs.
#include "pipeline/Diff.h"
#include <gtest/gtest.h>

using namespace clrewrite;

TEST(Diff, IsUnifiedAndLabelled) {
  auto D = unifiedDiff("dir/k.cl", "a\nb\n", "a\nc");
  ASSERT_TRUE(bool(D));
  EXPECT_EQ(*D, "--- a/dir/k.cl\n+++ b/dir/k.cl\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
                "\\ No newline at end of file\n");
}

TEST(Diff, OfEqualTextsIsEmpty) {
  auto D = unifiedDiff("k.cl", "a\n", "a\n");
  ASSERT_TRUE(bool(D));
  EXPECT_EQ(*D, "");
}
