// Lines that some compilers alone read.
#include "source/Shelter.h"
#include <gtest/gtest.h>

using namespace clrewrite;

namespace {

constexpr char Macro[] = "__AMDGCN__";

/// \p Text with the shelter of an edit that inserts \p Added where the '@' is;
/// "none" where it has none.
std::string edited(std::string Text, const char *Added, unsigned Length = 0,
                   bool Shared = false) {
  auto At = unsigned(Text.find('@'));
  Text.erase(At, 1);
  std::optional<Edit> E = sheltered({At, Length, Added, Shared}, Macro, Text);
  return E ? llvm::cantFail(applyEdits(llvm::StringRef(Text), *E)) : "none";
}

/// As compilers with the macro read \p Text, and as others do.
std::string opened(const char *Text) { return withShelters(Text, true); }
std::string closed(const char *Text) { return withShelters(Text, false); }

} // namespace

TEST(Shelter, IsPutAroundALineBeforeOrBehindAnother) {
  EXPECT_EQ(edited("a;\n  @for\n", "hint\n  "),
            "a;\n  #ifdef __AMDGCN__ // clrewrite\n  hint\n  #endif\n  for\n");
  EXPECT_EQ(edited("\ta; // b@\n\tc;\n", "\n\tif (d) return;"),
            "\ta; // b\n\t#ifdef __AMDGCN__ // clrewrite\n\tif (d) return;\n"
            "\t#endif\n\tc;\n");
  EXPECT_EQ(edited("@for", "hint\n"),
            "#ifdef __AMDGCN__ // clrewrite\nhint\n#endif\nfor");
  EXPECT_EQ(edited("a;@", "\nb;"),
            "a;\n#ifdef __AMDGCN__ // clrewrite\nb;\n#endif");
}

TEST(Shelter, HasTheLineEndingsOfTheText) {
  EXPECT_EQ(edited("a;@\r\nc;\r\n", "\nb;"),
            "a;\r\n#ifdef __AMDGCN__ // clrewrite\r\nb;\r\n#endif\r\nc;\r\n");
  EXPECT_EQ(edited("@a;\rb;\r", "c;\n"), "none");
}

TEST(Shelter, IsForWholeLinesAlone) {
  EXPECT_EQ(edited("if (a) @for\n", "hint\n"), "none");
  EXPECT_EQ(edited("  @for\n", "hint "), "none");
  EXPECT_EQ(edited("  @for\n", "hint\n"), "none") << "the indentation is lost";
  EXPECT_EQ(edited("a;@ b;\n", "\nc;"), "none");
  EXPECT_EQ(edited("@abc\n", "b\n", /*Length=*/1), "none");
  EXPECT_EQ(edited("@a\n", "b\n", 0, /*Shared=*/true), "none");
  EXPECT_EQ(edited("@a\n", "\n"), "none");
  EXPECT_EQ(edited("@a\n", "b\nc\n"), "none");
  EXPECT_EQ(edited("@a\n", "#pragma b\n"), "none");
  EXPECT_EQ(edited("@a\n", "b; /* c\n"), "none");
  EXPECT_EQ(edited("@a\n", "b \\\n"), "none");
}

TEST(Shelter, IsNoPartOfALineThatGoesOn) {
  EXPECT_EQ(edited("#define M \\\n  @for\n", "hint\n  "), "none");
  EXPECT_EQ(edited("// a ?\?/\n  @for\n", "hint\n  "), "none");
  EXPECT_EQ(edited("a \\@\n  b\n", "\nc"), "none");
  EXPECT_EQ(edited("a \\@", "\nc"), "none");
}

TEST(Shelter, IsReadOneWayOrTheOther) {
  const char *Text = "a;\n  #ifdef __AMDGCN__ // clrewrite\n  b;\n  #endif\nc;";
  EXPECT_EQ(opened(Text), "a;\n  #if 1 // clrewrite\n  b;\n  #endif\nc;");
  EXPECT_EQ(closed(Text), "a;\n  #if 0 // clrewrite\n  b;\n  #endif\nc;");
  EXPECT_EQ(withoutShelters(Text), "a;\nc;");
  const char *Said = "#ifdef M // clrewrite: 6 -> 8 waves on gfx906\r\n"
                     "b;\r\n#endif\r\n#ifdef M // clrewrite\r\nd;\r\n#endif";
  EXPECT_EQ(opened(Said), "#if 1 // clrewrite: 6 -> 8 waves on gfx906\r\n"
                          "b;\r\n#endif\r\n#if 1 // clrewrite\r\nd;\r\n#endif");
  EXPECT_EQ(withoutShelters(Said), "");
}

TEST(Shelter, IsNothingThatAUserWrote) {
  for (const char *Text :
       {"#ifdef __AMDGCN__\nb;\n#endif\n",
        "#ifdef __AMDGCN__ // for AMD\nb;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrites\nb;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite-off\nb;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite: launch global=64\nb;\n#endif\n",
        "#ifndef __AMDGCN__ // clrewrite\nb;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\nb;\n#else\nc;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\n#if A\nb;\n#endif\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\nb;\n%:else\nc;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\nb;\n?\?=else\nc;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\nb(R\"(\n#endif\n)\");\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\nb; /*\n#endif\n*/\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\nb; \\\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite \\\nb;\n#endif\n",
        "#define M \\\n#ifdef __AMDGCN__ // clrewrite\nb;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\nb;\n",
        "#ifdef __AMDGCN__ // clrewrite\n#endif\n", "", "\n"}) {
    EXPECT_EQ(opened(Text), Text);
    EXPECT_EQ(closed(Text), Text);
    EXPECT_EQ(withoutShelters(Text), Text);
  }
}

TEST(Shelter, TellsWhereItsCommentEnds) {
  std::string Added = "\n  #ifdef M // clrewrite\r\n  b;\r\n  #endif";
  EXPECT_EQ(Added.substr(0, endOfShelterComment(Added).value_or(0)),
            "\n  #ifdef M // clrewrite");
  EXPECT_FALSE(endOfShelterComment("\n  b;"));
  EXPECT_FALSE(endOfShelterComment("#ifdef M\nb;\n#endif\n"));
}
