// Edits in the style of a .clang-format file.
#include "frontend/EditStyle.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::frontend;

namespace {

constexpr char Allman[] = "BasedOnStyle: LLVM\nIndentWidth: 4\n"
                          "BreakBeforeBraces: Allman\n"
                          "AllowShortFunctionsOnASingleLine: None\n";
constexpr char Code[] = "void f(int n)\n{\n    g(n);\n}\n";
const unsigned Call = unsigned(std::string(Code).find("g(n);"));

std::string laidOut(const char *Config, const char *New,
                    llvm::StringRef Text = Code) {
  return inStyle(Config, Text, {{unsigned(Text.find("g(n);")), 5, New}})[0]
      .Text;
}

} // namespace

TEST(EditStyle, BlanksWithinAnEditAreTheProjects) {
  EXPECT_EQ(laidOut(Allman, "if (n) {\n  g(n+1); // next\n}"),
            "if (n)\n    {\n        g(n + 1); // next\n    }");
  // Two edits at once, each of which keeps its place.
  Edits Two = inStyle(Allman, Code, {{Call, 4, "g(n+1)"}, {0, 0, "int a;\n"}});
  EXPECT_EQ(Two[0].Text, "g(n + 1)");
  EXPECT_EQ(Two[1].Text, "int a;\n");
}

TEST(EditStyle, NothingElseChanges) {
  // Braces, an order of qualifiers and long comments would be other code.
  std::string Eager = std::string(Allman) +
                      "InsertBraces: true\nQualifierAlignment: Right\n"
                      "RemoveParentheses: ReturnStatement\nColumnLimit: 30\n";
  const char *Long =
      "// as long as this comment is, it stays on its line\n    g(n);";
  EXPECT_EQ(laidOut(Eager.c_str(), Long), Long);
  EXPECT_EQ(laidOut(Eager.c_str(), "if (n)\n  g(n);"), "if (n)\n  g(n);");
}

TEST(EditStyle, WhatCannotBeLaidOutStays) {
  const char *New = "if (n) {\n  g(n+1);\n}";
  EXPECT_EQ(laidOut("BasedOnStyle: Mine\n", New), New);
  EXPECT_EQ(laidOut("\t: [", New), New);
  EXPECT_EQ(laidOut("", ""), "");
  EXPECT_EQ(laidOut("DisableFormat: true\n", New), New);
  // The file has other blanks than its configuration, or other ends of lines.
  EXPECT_EQ(laidOut(Allman, New, "void f(int n)\n{\n  g(n);\n}\n"), New);
  EXPECT_EQ(laidOut(Allman, New, "void f(int n)\r\n{\r\n    g(n);\r\n}\r\n"),
            New);
  const char *Directive = "\n#ifdef A\ng(n+1);\n#endif\n";
  EXPECT_EQ(laidOut(Allman, Directive), Directive);
  Edits Shared{{Call, 4, "g(n+1)", /*Shared=*/true}};
  EXPECT_EQ(inStyle(Allman, Code, Shared), Shared);
  Edits Overlap{{Call, 4, "g(n+1)"}, {Call + 1, 2, "+"}};
  EXPECT_EQ(inStyle(Allman, Code, Overlap), Overlap);
}
