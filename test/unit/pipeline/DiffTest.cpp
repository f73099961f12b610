// Unified diffs.
#include "pipeline/Diff.h"
#include "../OnPath.h"
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

TEST(Diff, HasALimitOfTime) {
  test::OnPath Fake("diff", "sleep 100");
  auto D = unifiedDiff("k.cl", "a\n", "b\n", {/*Seconds=*/1});
  ASSERT_FALSE(bool(D));
  EXPECT_EQ(llvm::toString(D.takeError()),
            "k.cl: its diff is left out: diff exceeded 1 s");
}

#if !__has_feature(address_sanitizer)
TEST(Diff, HasALimitOfMemory) {
  test::OnPath Fake("diff", "ulimit -v; exit 1");
  EXPECT_EQ(llvm::cantFail(unifiedDiff("k.cl", "a\n", "b\n")), "4194304\n");
}
#endif

// One diff that fails costs no other.
TEST(Diff, OthersAreShown) {
  test::OnPath Fake("diff", "case $3 in *slow*) exit 2;; esac\n"
                            "echo shown; exit 1");
  report::Report R;
  for (const char *Path : {"slow.cl", "quick.cl"}) {
    report::FileReport &F = R.Files.emplace_back();
    F.Path = Path;
    F.Given = "a\n";
    F.Result.Result.Text = "b\n";
    F.Result.Outcomes.emplace_back().Applied = true;
  }
  std::vector<Unit> Units(2);
  std::string From;
  EXPECT_EQ(llvm::toString(showDiffs(R, Units, From)),
            "slow.cl: its diff is left out: diff ended with status 2");
  EXPECT_EQ(R.Files[0].Diff, "");
  EXPECT_EQ(R.Files[1].Diff, "shown\n");
}
