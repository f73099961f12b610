// Taking steps out of a version, on letters.
#include "select/Variant.h"
#include "gtest/gtest.h"

using namespace clrewrite;
using namespace clrewrite::select;

namespace {

llvm::Expected<rewrite::Findings> nothing(const Source &) {
  return rewrite::Findings();
}

Step step(Edits Changes) {
  Step S;
  S.Changes = std::move(Changes);
  return S;
}

/// \p Rounds of steps, made of \p Given one after the other.
Variant made(const Source &Given, std::vector<std::vector<Edits>> Rounds) {
  Variant V(Given, rewrite::Findings());
  for (const std::vector<Edits> &Round : Rounds) {
    std::vector<Step> New;
    for (const Edits &E : Round)
      New.push_back(step(E));
    V = llvm::cantFail(V.with(std::move(New), nothing));
  }
  return V;
}

/// The text without step \p I; "none" where it can't be taken out.
std::string without(Variant V, size_t I) {
  std::optional<std::vector<Step>> Left = V.stepsWithout(I);
  if (!Left)
    return "none";
  EXPECT_EQ(Left->size(), V.Steps.size() - 1);
  V.leave(std::move(*Left));
  return V.Text.Text;
}

} // namespace

TEST(Variant, AStepThatNothingStandsOnCanBeTakenOut) {
  Source Given{"/k.cl", "axb--c", {}};
  // x becomes [yy], then what that holds [z], while c becomes dd.
  Variant V =
      made(Given, {{{{1, 1, "[yy]"}}}, {{{2, 2, "z"}}, {{8, 1, "dd"}}}});
  ASSERT_EQ(V.Text.Text, "a[z]b--dd");
  EXPECT_EQ(without(V, 0), "none");
  EXPECT_EQ(without(V, 1), "a[yy]b--dd");
  EXPECT_EQ(without(V, 2), "a[z]b--c");
}

TEST(Variant, LaterStepsMoveWithTheText) {
  Source Given{"/k.cl", "a b c d", {}};
  Variant V = made(Given, {{{{0, 1, "first"}}, {{4, 1, "third"}}},
                           {{{6, 1, "second"}}},
                           {{{13, 5, "3"}, {19, 1, "fourth"}}}});
  ASSERT_EQ(V.Text.Text, "first second 3 fourth");
  EXPECT_EQ(without(V, 0), "a second 3 fourth");
  EXPECT_EQ(without(V, 1), "none"); // the last one edits it
  EXPECT_EQ(without(V, 2), "first b 3 fourth");
  EXPECT_EQ(without(V, 3), "first second third d");
}

TEST(Variant, StepsCanBeTakenOutOneAfterTheOther) {
  Source Given{"/k.cl", "axbxc", {}};
  Variant V =
      made(Given, {{{{1, 1, "(y)"}}}, {{{2, 1, "zz"}}}, {{{6, 1, "_"}}}});
  ASSERT_EQ(V.Text.Text, "a(zz)b_c");
  V.leave(*V.stepsWithout(1));
  EXPECT_EQ(V.Text.Text, "a(y)b_c");
  V.leave(*V.stepsWithout(0));
  EXPECT_EQ(V.Text.Text, "axb_c");
  V.leave(*V.stepsWithout(0));
  EXPECT_EQ(V.Text.Text, "axbxc");
  EXPECT_TRUE(V.Steps.empty());
}

TEST(Variant, WhatIsInsertedOnceForTwoStaysForTheOther) {
  Source Given{"/k.cl", "a;b;", {}};
  Edit Macro{0, 0, "#define CUT\n", /*Shared=*/true};
  Variant V = made(Given, {{{Macro, {2, 0, "CUT;"}}, {Macro, {4, 0, "CUT;"}}}});
  ASSERT_EQ(V.Text.Text, "#define CUT\na;CUT;b;CUT;");
  EXPECT_EQ(without(V, 0), "#define CUT\na;b;CUT;");
  EXPECT_EQ(without(V, 1), "#define CUT\na;CUT;b;");
}

TEST(Variant, InsertionsEdgeToEdgeAreNotToldApart) {
  Source Given{"/k.cl", "ab", {}};
  Variant V = made(Given, {{{{1, 0, "1"}}}, {{{2, 0, "2"}}}});
  ASSERT_EQ(V.Text.Text, "a12b");
  EXPECT_EQ(without(V, 0), "none");
  EXPECT_EQ(without(V, 1), "a1b");
}
