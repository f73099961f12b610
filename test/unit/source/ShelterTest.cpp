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
std::string opened(const char *Text) { return withShelters(Text, Macro); }
std::string closed(const char *Text) { return withShelters(Text, ""); }

constexpr char Nvidia[] = "__NVPTX__";

/// A shelter with lines for two sorts of compilers and for the others.
constexpr char Three[] =
    "a;\n"
    "  #ifdef __AMDGCN__ // clrewrite: 3 -> 5 waves on gfx906\n"
    "  b;\n"
    "  #elif defined(__NVPTX__) // clrewrite\n"
    "  c;\n"
    "  d;\n"
    "  #else\n"
    "  e;\n"
    "  #endif\n"
    "f;\n";

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
  EXPECT_EQ(readBy(Text, Macro), "a;\n  b;\nc;");
  EXPECT_EQ(readBy(Text, ""), "a;\nc;");
  EXPECT_EQ(readBy(Text, "OTHER"), "a;\nc;");
  const char *Said = "#ifdef M // clrewrite: 6 -> 8 waves on gfx906\r\n"
                     "b;\r\n#endif\r\n#ifdef M // clrewrite\r\nd;\r\n#endif";
  EXPECT_EQ(withShelters(Said, "M"),
            "#if 1 // clrewrite: 6 -> 8 waves on gfx906\r\n"
            "b;\r\n#endif\r\n#if 1 // clrewrite\r\nd;\r\n#endif");
  EXPECT_EQ(readBy(Said, ""), "");
}

TEST(Shelter, MayHoldLinesForSeveralAndForTheOthers) {
  EXPECT_EQ(sheltersIn(Three), (std::vector<std::string>{Macro, Nvidia}));
  EXPECT_EQ(readBy(Three, Macro), "a;\n  b;\nf;\n");
  EXPECT_EQ(readBy(Three, Nvidia), "a;\n  c;\n  d;\nf;\n");
  EXPECT_EQ(readBy(Three, ""), "a;\n  e;\nf;\n");
  EXPECT_EQ(withShelters(Three, Nvidia),
            "a;\n"
            "  #if 0 // clrewrite: 3 -> 5 waves on gfx906\n"
            "  b;\n"
            "  #elif 1 // clrewrite\n"
            "  c;\n"
            "  d;\n"
            "  #else\n"
            "  e;\n"
            "  #endif\n"
            "f;\n");
  const char *Both = "#ifdef __AMDGCN__ // clrewrite\r\nb;\r\n#else\r\nc;\r\n"
                     "#endif\r\n";
  EXPECT_EQ(opened(Both), "#if 1 // clrewrite\r\nb;\r\n#else\r\nc;\r\n"
                          "#endif\r\n");
  EXPECT_EQ(readBy(Both, ""), "c;\r\n");
  // A line may go for some GPUs.
  EXPECT_EQ(readBy("#ifdef M // clrewrite\n#else\nc;\n#endif\n", "M"), "");
}

TEST(Shelter, BeginsWithALineThatIsReadBack) {
  std::string Text = shelterLine("A", true) + "\na\n" +
                     shelterLine("B", false) + "\nb\n#endif\n";
  EXPECT_EQ(sheltersIn(Text), (std::vector<std::string>{"A", "B"}));
}

TEST(Shelter, TellsWhatIsInIt) {
  auto At = unsigned(llvm::StringRef(Three).find("#ifdef")) - 2;
  auto End = unsigned(llvm::StringRef(Three).find("f;\n"));
  EXPECT_FALSE(isInShelter({0, At, ""}, Three));
  EXPECT_FALSE(isInShelter({At, 0, "x"}, Three)) << "before it";
  EXPECT_TRUE(isInShelter({At, 1, ""}, Three));
  EXPECT_TRUE(isInShelter({At + 1, 0, "x"}, Three));
  EXPECT_TRUE(isInShelter({End - 1, 0, "x"}, Three));
  EXPECT_TRUE(isInShelter({End - 1, 1, ""}, Three));
  EXPECT_FALSE(isInShelter({End, 0, "x"}, Three)) << "behind it";
  EXPECT_FALSE(isInShelter({End, 1, ""}, Three));
  EXPECT_TRUE(isInShelter({0, End + 1, ""}, Three)) << "all of it goes";
}

TEST(Shelter, IsNothingThatAUserWrote) {
  for (const char *Text :
       {"#ifdef __AMDGCN__\nb;\n#endif\n",
        "#ifdef __AMDGCN__ // for AMD\nb;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrites\nb;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite-off\nb;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite: launch global=64\nb;\n#endif\n",
        "#ifndef __AMDGCN__ // clrewrite\nb;\n#endif\n",
        "#ifdef __AMDGCN__\nb;\n#else // clrewrite\nc;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\nb;\n#elif A\nc;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\nb;\n#elif A // "
        "clrewrite\nc;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\nb;\n#else\nc;\n#else\nd;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\nb;\n#else\n"
        "#elif defined(A) // clrewrite\nd;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\n#else\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\nb;\n#else\nc; \\\n#endif\n",
        "#if defined(__AMDGCN__)\nb;\n#endif\n",
        "#if defined(__AMDGCN__) // clrewrite\nb;\n#endif\n",
        "#ifdef // clrewrite\nb;\n#endif\n",
        "#ifdef A // clrewrite\nb;\n#elif defined(B // clrewrite\nc;\n#endif\n",
        "#ifdef A // clrewrite\nb;\n#elif !defined(B) // "
        "clrewrite\nc;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\n#if A\nb;\n#endif\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\nb;\n%:else\nc;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\nb;\n?\?=else\nc;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\nb(R\"(\n#endif\n)\");\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\nb; /*\n#endif\n*/\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\nb; \\\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite \\\nb;\n#endif\n",
        "#define M \\\n#ifdef __AMDGCN__ // clrewrite\nb;\n#endif\n",
        "#ifdef __AMDGCN__ // clrewrite\nb;\n",
        "#ifdef __AMDGCN__ // clrewrite\n#endif\n",
        "",
        "\n"}) {
    EXPECT_EQ(opened(Text), Text);
    EXPECT_EQ(closed(Text), Text);
    EXPECT_EQ(readBy(Text, Macro), Text);
    EXPECT_EQ(readBy(Text, ""), Text);
    EXPECT_TRUE(sheltersIn(Text).empty());
  }
}

TEST(Shelter, TellsWhereItsCommentEnds) {
  std::string Added = "\n  #ifdef M // clrewrite\r\n  b;\r\n  #endif";
  EXPECT_EQ(Added.substr(0, endOfShelterComment(Added).value_or(0)),
            "\n  #ifdef M // clrewrite");
  EXPECT_FALSE(endOfShelterComment("\n  b;"));
  EXPECT_FALSE(endOfShelterComment("#ifdef M\nb;\n#endif\n"));
}
