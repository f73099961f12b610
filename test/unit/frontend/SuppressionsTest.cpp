// Comments that suppress: which there are, and what they cover.
#include "frontend/Suppressions.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::frontend;

/// A line a suppression: what it says, its line, and what it covers.
static std::string covered(const std::string &Text) {
  std::string Out;
  for (const Suppression &S : suppressionsIn(Text).List)
    Out += S.spelled() + " in " + std::to_string(S.Line) + ": <" +
           Text.substr(S.Covers.Begin, S.Covers.End - S.Covers.Begin) + ">\n";
  return Out;
}

static std::string problems(const std::string &Text) {
  std::string Out;
  for (const auto &P : suppressionsIn(Text).Problems)
    Out += std::to_string(P.Line) + ": " + P.Message + "\n";
  return Out;
}

TEST(Suppressions, OfLines) {
  EXPECT_EQ(covered("a;\nb; // NOCLREWRITE\nc;\n"),
            "NOCLREWRITE in 2: <b; // NOCLREWRITE\n>\n");
  EXPECT_EQ(covered("b; /* NOCLREWRITE(x, y): why */ b;\nc;"),
            "NOCLREWRITE(x,y) in 1: <b; /* NOCLREWRITE(x, y): why */ b;\n>\n");
  EXPECT_EQ(covered("a; // NOCLREWRITENEXTLINE(x)\nb;\nc;\n"),
            "NOCLREWRITENEXTLINE(x) in 1: <// NOCLREWRITENEXTLINE(x)\nb;\n>\n");
  // In parentheses behind a space stands a reason.
  EXPECT_EQ(covered("b; // NOCLREWRITE (see above)\n"),
            "NOCLREWRITE in 1: <b; // NOCLREWRITE (see above)\n>\n");
}

TEST(Suppressions, TheLastLine) {
  std::string Text = "a;\nb; // NOCLREWRITE";
  Suppressions S = suppressionsIn(Text);
  ASSERT_EQ(S.List.size(), 1u);
  // What is put in at the end is in the line.
  EXPECT_EQ(S.List[0].Covers.End, Text.size() + 1);
  EXPECT_EQ(covered("a; // NOCLREWRITENEXTLINE"),
            "NOCLREWRITENEXTLINE in 1: <// NOCLREWRITENEXTLINE>\n");
  EXPECT_EQ(covered("a; // NOCLREWRITENEXTLINE\n"),
            "NOCLREWRITENEXTLINE in 1: <// NOCLREWRITENEXTLINE\n>\n");
}

TEST(Suppressions, CarriageReturns) {
  EXPECT_EQ(covered("a;\r\n// NOCLREWRITENEXTLINE(x)\r\nb;\r\nc;\r\n"),
            "NOCLREWRITENEXTLINE(x) in 2: "
            "<// NOCLREWRITENEXTLINE(x)\r\nb;\r\n>\n");
}

TEST(Suppressions, WhereAWordCounts) {
  std::string On = "NOCLREWRITE";
  for (const char *Text :
       {"//NOCLREWRITE", "/// NOCLREWRITE", "/*NOCLREWRITE*/",
        "/** NOCLREWRITE: why */", "// NOLINT // NOCLREWRITE",
        "/* why\n * NOCLREWRITE */", "// why \\\n NOCLREWRITE",
        "#define A b // NOCLREWRITE",
        "#if 0\n// don't NOCLREWRITE\n"
        "// NOCLREWRITE\n#endif"})
    EXPECT_EQ(suppressionsIn(Text).List.size(), 1u) << Text;
  for (const char *Text :
       {"NOCLREWRITE", "\"// NOCLREWRITE\"", "// about NOCLREWRITE",
        "// nocLrewrite", "'// NOCLREWRITE'", "// clrewrite-only",
        "// clrewrite: launch global=64"}) {
    EXPECT_TRUE(suppressionsIn(Text).Marks.empty()) << Text;
    EXPECT_EQ(problems(Text), "") << Text;
  }
}

TEST(Suppressions, OffAndOn) {
  EXPECT_EQ(covered("a;\nb; // clrewrite-off\nc; /* clrewrite-on */ d;\n"),
            "clrewrite-off in 2: <// clrewrite-off\nc; /* clrewrite-on */>\n");
  EXPECT_EQ(covered("// clrewrite-off: to the end\na;\n// clrewrite-off\nb;\n"),
            "clrewrite-off in 1: "
            "<// clrewrite-off: to the end\na;\n// clrewrite-off\nb;\n>\n");
  EXPECT_EQ(problems("// clrewrite-off\n// clrewrite-on\n"), "");
}

TEST(Suppressions, BeginAndEndPairByTheirRules) {
  EXPECT_EQ(covered("// NOCLREWRITEBEGIN(x)\n1;\n// NOCLREWRITEBEGIN(y, z)\n"
                    "2;\n// NOCLREWRITEEND(x)\n3;\n// NOCLREWRITEEND(z,y)\n4;"),
            "NOCLREWRITEBEGIN(x) in 1: <// NOCLREWRITEBEGIN(x)\n1;\n"
            "// NOCLREWRITEBEGIN(y, z)\n2;\n// NOCLREWRITEEND(x)>\n"
            "NOCLREWRITEBEGIN(y,z) in 3: <// NOCLREWRITEBEGIN(y, z)\n2;\n"
            "// NOCLREWRITEEND(x)\n3;\n// NOCLREWRITEEND(z,y)>\n");
}

TEST(Suppressions, WhatIsNotPaired) {
  EXPECT_EQ(problems("a;\n// NOCLREWRITEBEGIN(x)\nb;\n"),
            "2: NOCLREWRITEBEGIN(x) has no NOCLREWRITEEND(x) after it, so it "
            "holds to the end: add one\n");
  EXPECT_EQ(covered("a;\n// NOCLREWRITEBEGIN(x)\nb;\n"),
            "NOCLREWRITEBEGIN(x) in 2: <// NOCLREWRITEBEGIN(x)\nb;\n>\n");
  EXPECT_EQ(problems("// NOCLREWRITEEND\n"),
            "1: NOCLREWRITEEND has no NOCLREWRITEBEGIN before it: add one, or "
            "remove it\n");
  EXPECT_EQ(problems("// NOCLREWRITEBEGIN(x)\n// NOCLREWRITEEND\n"),
            "1: NOCLREWRITEBEGIN(x) has no NOCLREWRITEEND(x) after it, so it "
            "holds to the end: add one\n"
            "2: NOCLREWRITEEND has no NOCLREWRITEBEGIN before it: add one, or "
            "remove it; the one in line 1 is NOCLREWRITEBEGIN(x)\n");
  EXPECT_EQ(problems("// clrewrite-on\n"),
            "1: clrewrite-on has no clrewrite-off before it: add one, or "
            "remove it\n");
}

TEST(Suppressions, WhatIsMalformed) {
  EXPECT_EQ(problems("// NOCLREWRITE()\n"),
            "1: the list names no rewrite, so all are suppressed: name some, "
            "or leave the parentheses out\n");
  EXPECT_EQ(problems("// NOCLREWRITE(x\n"),
            "1: the list of rewrites has no ')', so all are suppressed: add "
            "it\n");
  EXPECT_EQ(problems("// NOCLREWRITELINE\n"),
            "1: NOCLREWRITELINE means nothing (known: NOCLREWRITE, "
            "NOCLREWRITENEXTLINE, NOCLREWRITEBEGIN, NOCLREWRITEEND)\n");
  EXPECT_EQ(problems("// clrewrite-off(x)\n"),
            "1: clrewrite-off and clrewrite-on are for all rewrites: "
            "NOCLREWRITEBEGIN(name) and NOCLREWRITEEND(name) are for some\n");
  EXPECT_EQ(covered("// clrewrite-off(x)\n"),
            "clrewrite-off in 1: <// clrewrite-off(x)\n>\n");
}

TEST(Suppressions, WhereALineOfItsOwnIsAComment) {
  auto takes = [](const std::string &Text) {
    return takesCommentLine(Text, Text.find("HERE"));
  };
  EXPECT_TRUE(takes("HERE"));
  EXPECT_TRUE(takes("a;\r\nHERE"));
  EXPECT_TRUE(takes("f(a,\nHERE)"));
  EXPECT_TRUE(takes("// a\nHERE"));
  EXPECT_FALSE(takes("#define A b; \\\nHERE"));
  EXPECT_FALSE(takes("#define A b; \\\r\nHERE"));
  EXPECT_FALSE(takes("/* a\nHERE */"));
}
