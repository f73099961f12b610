// Names of new variables.
#include "rewrite/text/FreshLocal.h"
#include "FunctionK.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

/// The names of two new variables in function k of \p Text, from "kept".
static std::string namesIn(const std::string &Text) {
  std::string Result = "not called";
  eachK(Text, [&](const clang::FunctionDecl &F, clang::ASTContext &Context) {
    Site S{{}, Context, F};
    EXPECT_EQ(freshLocal("kept", S), FreshNames(S).named("kept"));
    FreshNames Names(S);
    Result = Names.named("kept");
    Result += " " + Names.named("kept");
    EXPECT_EQ(S.Names.size(), 2u);
    freshLocal("own", S, Scope::Closed);
    EXPECT_EQ(S.Names.size(), 2u);
  });
  return Result;
}

TEST(FreshLocal, OtherFunctionsAndCommentsMayHaveTheName) {
  EXPECT_EQ(namesIn("void k() {}\n"), "kept kept2");
  EXPECT_EQ(namesIn("// kept\nvoid f() { int kept; }\nvoid k() {}\n"),
            "kept kept2");
  EXPECT_EQ(namesIn("void f(int kept) {}\nvoid k() { f(1); }\n"), "kept kept2");
  EXPECT_EQ(namesIn("void k() { int unkept, kept_1; }\n"), "kept kept2");
}

TEST(FreshLocal, TheFunctionItselfMayNot) {
  EXPECT_EQ(namesIn("void k(int kept) {}\n"), "kept2 kept3");
  EXPECT_EQ(namesIn("void k() {\n#ifdef X\n  int kept;\n#endif\n}\n"),
            "kept2 kept3");
  EXPECT_EQ(namesIn("void k() { int kept2; }\n"), "kept kept3");
}

TEST(FreshLocal, NoNamesOfTheFile) {
  EXPECT_EQ(namesIn("typedef int kept;\nvoid k() {}\n"), "kept2 kept3");
  EXPECT_EQ(namesIn("void kept() {}\nvoid k() {}\n"), "kept2 kept3");
  EXPECT_EQ(namesIn("constant int kept = 1;\nvoid k() {}\n"), "kept2 kept3");
}

TEST(FreshLocal, NothingThatMacrosMayWrite) {
  EXPECT_EQ(namesIn("#define kept 1\nvoid k() {}\n"), "kept2 kept3");
  EXPECT_EQ(namesIn("#define NEXT(x) \\\n  { int kept = x; }\n"
                    "void k() { NEXT(1) }\n"),
            "kept2 kept3");
  // Of a build that is not this one.
  EXPECT_EQ(namesIn("#ifdef X\n#define NEXT kept++\n#endif\nvoid k() {}\n"),
            "kept2 kept3");
  for (std::string Head :
       {"/* d */ #define NEXT kept++\n", "%:define NEXT kept++\n",
        "#define NEXT /* of\n a line */ kept++\n", "#\\\ndefine NEXT kept++\n"})
    EXPECT_EQ(namesIn("#ifdef X\n" + Head + "#endif\nvoid k() {} // kept\n"),
              "kept2 kept3")
        << Head;
  // Whatever else it includes there.
  EXPECT_EQ(namesIn("// kept\nvoid k() {\n#ifdef X\n#include \"body.h\"\n#endif"
                    "\n}\n"),
            "kept2 kept3");
  EXPECT_EQ(namesIn("#define NAME(a, b) a##b\n"
                    "void k() { int NAME(ke, pt) = 1; }\n"),
            "kept2 kept3");
}
