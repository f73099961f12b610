// Unified diffs.
#include "pipeline/Diff.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::pipeline;

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

TEST(Diff, NamesAreAsPatchReadsThem) {
  auto name = [](llvm::StringRef Path) {
    std::string Diff = llvm::cantFail(unifiedDiff(Path, "a\n", "b\n"));
    return llvm::StringRef(Diff).drop_front(4).split('\n').first.str();
  };
  EXPECT_EQ(name("./dir/k.cl"), "a/dir/k.cl");
  EXPECT_EQ(name("/dir/k.cl"), "a/dir/k.cl");
  EXPECT_EQ(name("my dir/k.cl"), "a/my dir/k.cl\t");
  EXPECT_EQ(name("a\"\\\t.cl"), "\"a/a\\\"\\\\\\011.cl\"");
  EXPECT_EQ(name("\xc3\xa4.cl"), "a/\xc3\xa4.cl");
}
