// Ranges of lines, and how edits move them.
#include "source/Ranges.h"
#include <gtest/gtest.h>

using namespace clrewrite;

TEST(Ranges, OfLines) {
  Ranges R = bytesOf("ab\ncd\nef", {{2, 2}});
  ASSERT_EQ(R.size(), 1u);
  EXPECT_EQ(R[0].Begin, 3u);
  EXPECT_EQ(R[0].End, 6u);
  EXPECT_TRUE(liesWithin({3, 3, "x"}, R));
  EXPECT_TRUE(liesWithin({3, 0, "x"}, R));
  EXPECT_FALSE(liesWithin({2, 2, "x"}, R));
  EXPECT_FALSE(liesWithin({6, 0, "x"}, R)); // before the next line
  EXPECT_TRUE(bytesOf("ab\n", {{3, 9}}).empty());
}

TEST(Ranges, LineNumbers) {
  EXPECT_EQ(lineNumbers({{3, 3}, {7, 8}}), "3, 7-8");
  EXPECT_EQ(lineNumbers({{3, 3}, {4, 5}, {6, 6}, {8, 8}}), "3-6, 8");
  std::vector<LineRange> Many;
  for (size_t Line = 1; Line <= 20; Line += 2)
    Many.push_back({Line, Line});
  EXPECT_EQ(lineNumbers(Many), "1, 3, 5, 7, 9, 11, 13, 15, 17, 19");
  Many.push_back({30, 31});
  Many.push_back({40, 40});
  EXPECT_EQ(lineNumbers(Many),
            "1, 3, 5, 7, 9, 11, 13, 15, 17, 19 and 2 more places");
}

TEST(Ranges, TouchingOnesAreOne) {
  Ranges R = bytesOf("ab\ncd\nef", {{3, 7}, {2, 2}});
  ASSERT_EQ(R.size(), 1u);
  EXPECT_TRUE(liesWithin({4, 3, ""}, R));
  EXPECT_TRUE(liesWithin({8, 0, "x"}, R)); // at the end of the text
}

TEST(Ranges, MoveAlong) {
  Ranges R = bytesOf("ab\ncd\nef\n", {{2, 2}});
  // "#\n" before it, twice asked for and made once; "c" becomes "123".
  Edit Shared{0, 0, "#\n", true};
  moveAlong(R, {Shared, Shared, {3, 1, "123"}, {6, 0, "z", true}});
  EXPECT_EQ(R[0].Begin, 5u);
  EXPECT_EQ(R[0].End, 10u);
}

TEST(Ranges, SkippedLinesWithCode) {
  std::string Text = "#ifdef A\nint a;\n\n#else\nint b;\n#endif\n"
                     "#if B\n#define C \\\n  1\n// nothing\n#endif\n";
  auto At = [&](const char *What) { return unsigned(Text.find(What)); };
  auto Lines =
      linesSkipped(Text, {{At("#ifdef A"), At("#else")},
                          {At("#if B"), unsigned(Text.rfind("#endif"))}});
  ASSERT_EQ(Lines.size(), 1u);
  EXPECT_EQ(Lines[0].First, 2u);
  EXPECT_EQ(Lines[0].Last, 3u);
  EXPECT_TRUE(linesSkipped(Text, {{0, 1}, {0, 9}, {3, 3}}).empty());
}
