// Applying, rebasing and comparing edits.
#include "source/Edit.h"
#include <gtest/gtest.h>

using namespace clrewrite;

static std::string applied(llvm::StringRef Text, Edits List) {
  auto R = applyEdits(Text, List);
  if (!R) {
    return "error: " + llvm::toString(R.takeError());
  }
  return *R;
}

TEST(Edit, AppliesInAnyOrder) {
  EXPECT_EQ(applied("one two three", {{8, 5, "3"}, {0, 3, "1"}}), "1 two 3");
  EXPECT_EQ(applied("ab", {{1, 0, "-"}}), "a-b");
  EXPECT_EQ(applied("ab", {{2, 0, "c"}}), "abc");
  EXPECT_EQ(applied("", {}), "");
}

TEST(Edit, RefusesOverlapAndTheEnd) {
  EXPECT_EQ(applied("abcdef", {{0, 3, "x"}, {2, 2, "y"}}),
            "error: edits overlap at byte 2");
  EXPECT_EQ(applied("abc", {{1, 0, "x"}, {1, 0, "y"}}),
            "error: edits overlap at byte 1");
  EXPECT_EQ(applied("abc", {{2, 2, "x"}}),
            "error: an edit ends at byte 4 of a text of 3");
}

TEST(Edit, SharesAnInsertion) {
  // Two edit sets define a macro at 0, and each uses it.
  Edit Definition{0, 0, "#", true}, Other{0, 0, "%", true};
  Edits A{Definition, {1, 0, "x"}}, B{Definition, {2, 0, "y"}};
  EXPECT_FALSE(overlap(A, B));
  EXPECT_EQ(applied("abc", {A[0], A[1], B[0], B[1]}), "#axbyc");
  EXPECT_EQ(*rebase({{6, 0, "z"}}, {A[0], A[1], B[0], B[1]}),
            (Edits{{3, 0, "z"}}));
  EXPECT_TRUE(overlap({Definition}, {Other}));
  EXPECT_EQ(applied("abc", {Definition, Other}),
            "error: edits overlap at byte 0");
  EXPECT_EQ(applied("abc", {{0, 0, "#"}, {0, 0, "#"}}),
            "error: edits overlap at byte 0");
}

TEST(Edit, InsertsBesideAReplacement) {
  EXPECT_EQ(applied("abc", {{1, 0, "x"}, {1, 1, "B"}}), "axBc");
}

TEST(Edit, TakesTheLineEndingOfTheText) {
  EXPECT_EQ(applied("a\r\nb\r\n", {{1, 0, "1\n2"}}), "a1\r\n2\r\nb\r\n");
  EXPECT_EQ(applied("a\nb\n", {{1, 0, "1\r\n2"}}), "a1\n2\nb\n");
  EXPECT_EQ(lineEnding("no line"), "\n");
}

TEST(Edit, RebasesPastEarlierEdits) {
  // "abcdef" -> "aXXXcdef"; then c, at 4, is replaced.
  Edits First{{1, 1, "XXX"}}, Later{{4, 1, "C"}};
  auto Back = rebase(Later, First);
  ASSERT_TRUE(Back);
  EXPECT_EQ(*Back, (Edits{{2, 1, "C"}}));
  // Both together on the original give the same as one after the other.
  Edits All = First;
  All.insert(All.end(), Back->begin(), Back->end());
  EXPECT_EQ(applied("abcdef", All), applied(applied("abcdef", First), Later));
}

TEST(Edit, RebaseCountsTheLineEndingsThatWereWritten) {
  std::string Text = "a\r\nb\r\nc\r\n";
  Edits First = withEndingsOf(Text, {{3, 0, "x\ny\n"}});
  std::string After = applied(Text, First);
  EXPECT_EQ(After, "a\r\nx\r\ny\r\nb\r\nc\r\n");
  std::optional<Edits> Back =
      rebase({{unsigned(After.find('c')), 1, "C"}}, First);
  ASSERT_TRUE(Back);
  EXPECT_EQ(*Back, (Edits{{6, 1, "C"}}));
}

TEST(Edit, RebaseKnowsWhatItCanNotPlace) {
  Edits First{{1, 1, "XXX"}};
  EXPECT_FALSE(rebase({{2, 1, "Y"}}, First)); // within inserted text
  EXPECT_FALSE(rebase({{0, 3, "Y"}}, First)); // reaching into it
  EXPECT_TRUE(rebase({{0, 1, "Y"}}, First));  // up to it
}

TEST(Edit, OverlapIsSymmetric) {
  Edits A{{0, 4, ""}}, B{{3, 2, ""}}, C{{4, 1, ""}};
  EXPECT_TRUE(overlap(A, B));
  EXPECT_TRUE(overlap(B, A));
  EXPECT_FALSE(overlap(A, C));
}
