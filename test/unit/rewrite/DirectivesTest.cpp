// Which directives a text has.
#include "rewrite/text/Directives.h"
#include "clang/Basic/LangOptions.h"
#include <gtest/gtest.h>

using namespace clrewrite::rewrite;

static std::vector<std::string> in(const std::string &Text) {
  clang::LangOptions Options;
  Options.Digraphs = true;
  return directivesIn(Text, Options);
}

using Lines = std::vector<std::string>;

TEST(Directives, AreFoundInWhateverArm) {
  EXPECT_EQ(in(""), Lines());
  EXPECT_EQ(in("int a; // #if\n/*\n#if\n*/ \"#if\";\n"), Lines());
  EXPECT_EQ(in("#if 0\n  #define A  1 // of it\n#endif\r\nint a;"),
            (Lines{"if 0", "define A  1", "endif"}));
}

TEST(Directives, AreSpelledInManyWays) {
  EXPECT_EQ(in("/* a */ # define A 1\n"), Lines{"define A 1"});
  EXPECT_EQ(in("/* a\n */ /* b */ %:define A 1\n"), Lines{"define A 1"});
  EXPECT_EQ(in("#\\\ndefine A \\\r\n  1\nint b;"), Lines{"define A   1"});
  EXPECT_EQ(in("#def\\\nine A \\ \n1\nint b;"), Lines{"define A 1"});
  EXPECT_EQ(in("#define A /* of\n lines */ 1\nint b;"), Lines{"define A  1"});
  EXPECT_EQ(in("#define A 1 /* B */ // C\nint b;"), Lines{"define A 1"});
  // Something stands before it in its line.
  EXPECT_EQ(in("int a; /*\n*/ #define A\n"), Lines());
}

TEST(Directives, WarningsBeginNoComment) {
  EXPECT_EQ(in("#warning a /* b\n#define A 1\n/* c */\n#error it's \\\n  /* d\n"
               "#define B\n"),
            (Lines{"warning", "define A 1", "error", "define B"}));
}

TEST(Directives, GuardsAreNoArms) {
  auto open = [](std::vector<llvm::StringRef> Of, bool EndsFile = true,
                 bool MayGuard = true) {
    return openArms(Of, EndsFile, [&](llvm::StringRef) { return MayGuard; });
  };
  using Numbers = std::vector<int>;
  // All of a file, and the end of one.
  EXPECT_EQ(open({"ifndef A", "define A 1", "if B", "endif", "endif"}),
            (Numbers{0, 0, 1, 0, 0}));
  EXPECT_EQ(
      open({"define C", "ifndef A", "define A", "if B", "endif", "endif"}),
      (Numbers{0, 0, 0, 1, 0, 0}));
  // What a host may set, an #else, another name, and code behind it.
  EXPECT_EQ(open({"define C", "ifndef A", "define A 1", "endif"}),
            (Numbers{0, 1, 1, 0}));
  EXPECT_EQ(open({"ifndef A", "define A", "else", "endif"}),
            (Numbers{1, 1, 1, 0}));
  EXPECT_EQ(open({"ifndef A", "define B", "endif"}), (Numbers{1, 1, 0}));
  EXPECT_EQ(open({"ifndef A", "define A", "endif"}, /*EndsFile=*/false),
            (Numbers{1, 1, 0}));
  // Others name it.
  EXPECT_EQ(open({"define C", "ifndef A", "define A", "endif"}, true, false),
            (Numbers{0, 1, 1, 0}));
}
