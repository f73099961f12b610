// A diff's hunks, and the edits that made them.
#include "report/Hunks.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::report;

TEST(Hunks, LinesOfTheGivenText) {
  std::vector<Hunk> H = hunksOf("--- a/k.cl\n+++ b/k.cl\n"
                                "@@ -3,2 +3,3 @@ r [way]: gpu: VGPRs 3 -> 2\n"
                                " a\n-b\n+c\n+@@ d\n"
                                "@@ -9 +10 @@\n-e\n+f\n"
                                "\\ No newline at end of file\n");
  ASSERT_EQ(H.size(), 2u);
  EXPECT_EQ(H[0].First, 3u);
  EXPECT_EQ(H[0].Last, 4u);
  EXPECT_EQ(H[0].Head, "@@ -3,2 +3,3 @@");
  ASSERT_EQ(H[0].Lines.size(), 4u);
  EXPECT_EQ(H[0].Lines[3], "+@@ d");
  EXPECT_EQ(H[1].First, 9u);
  EXPECT_EQ(H[1].Last, 9u);
  EXPECT_EQ(H[1].Lines.size(), 3u);
  EXPECT_TRUE(hunksOf("").empty());
}

TEST(Hunks, AnEditTouchesTheLinesOfItsChanges) {
  select::Outcome O;
  O.Line = 1;
  EXPECT_TRUE(touches(O, "a\nb\nc\n", 1, 1));
  EXPECT_FALSE(touches(O, "a\nb\nc\n", 2, 3));
  O.Changes = Edits{{4, 1, "x"}}; // line 3
  EXPECT_FALSE(touches(O, "a\nb\nc\n", 1, 2));
  EXPECT_TRUE(touches(O, "a\nb\nc\n", 3, 3));
}
