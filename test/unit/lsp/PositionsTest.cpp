// Lines and UTF-16 columns.
#include "lsp/Positions.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::lsp;

namespace {

// One byte, two, three, and four (a surrogate pair).
const std::string Wide = "a\u00e9\u20ac\U0001d6fcz";

ContentChange change(Position Begin, Position End, std::string Text) {
  ContentChange C;
  C.range = Range{Begin, End};
  C.text = std::move(Text);
  return C;
}

} // namespace

TEST(Positions, CountUtf16Units) {
  Positions P(Wide);
  size_t Offsets[] = {0, 1, 3, 6, 10};
  int Units[] = {0, 1, 2, 3, 5};
  for (int I = 0; I < 5; ++I) {
    EXPECT_EQ(P.at(Offsets[I]), (Position{0, Units[I]}));
    EXPECT_EQ(P.offset({0, Units[I]}), Offsets[I]);
  }
  // In the middle of a character: where it starts.
  EXPECT_EQ(P.at(8), (Position{0, 3}));
}

TEST(Positions, LineEndsAreNoPartOfALine) {
  std::string Text = "ab\r\n\ncd";
  Positions P(Text);
  EXPECT_EQ(P.at(4), (Position{1, 0}));
  EXPECT_EQ(P.at(6), (Position{2, 1}));
  EXPECT_EQ(P.offset({0, 99}), 2u);
  EXPECT_EQ(P.offset({1, 3}), 4u);
  EXPECT_EQ(P.offset({9, 0}), Text.size());
  EXPECT_EQ(P.offset({-1, -1}), 0u);
}

TEST(Positions, ALineWithoutItsBlanks) {
  std::string Text = "x\n  y z \n";
  Positions P(Text);
  Range R = P.line(2);
  EXPECT_EQ(R.start, (Position{1, 2}));
  EXPECT_EQ(R.end, (Position{1, 5}));
  EXPECT_EQ(P.line(0).start, (Position{0, 0}));
  EXPECT_EQ(P.line(77).end, (Position{0, 0}));
}

TEST(Positions, BrokenCharactersEndSomewhere) {
  std::string Text = "\xff\xf0\xe2\x82\ny";
  Positions P(Text);
  for (size_t I = 0; I <= Text.size(); ++I)
    EXPECT_LE(P.offset(P.at(I)), Text.size());
  EXPECT_EQ(P.offset({0, 50}), 4u);
}

TEST(Positions, ChangesReplaceARangeOrAll) {
  EXPECT_EQ(changed("one\ntwo\n", change({1, 0}, {1, 3}, "2")), "one\n2\n");
  EXPECT_EQ(changed("one", change({0, 9}, {5, 0}, "!")), "one!");
  // A range that ends before it begins is an insertion.
  EXPECT_EQ(changed("one", change({0, 2}, {0, 1}, "-")), "on-e");
  ContentChange All;
  All.text = "new";
  EXPECT_EQ(changed("old", All), "new");
}

TEST(Positions, EditsAreTheLinesThatDiffer) {
  EXPECT_TRUE(editsBetween("a\nb\n", "a\nb\n").empty());
  for (auto [Before, After] :
       {std::pair<std::string, std::string>{"a\nb\nc\n", "a\nB\nc\n"},
        {"a\nb\n", "a\nx\nb\n"},
        {"a\na\na\n", "a\na\n"},
        {"a", "b"},
        {"", "x\n"},
        {"x\n", ""},
        {"a\nb", "a\nb\nc"}}) {
    auto Edits = editsBetween(Before, After);
    ASSERT_EQ(Edits.size(), 1u) << Before;
    EXPECT_EQ(Edits[0].range.start.character, 0) << Before;
    EXPECT_EQ(changed(Before, change(Edits[0].range.start, Edits[0].range.end,
                                     Edits[0].newText)),
              After);
  }
}
