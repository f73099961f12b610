// Which macros are numbers in every build.
#include "rewrite/ast/MacroStability.h"
#include "FunctionK.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

/// What is \p Asked of the macro N, as \p Lines define it.
static bool ask(bool (MacroStability::*Asked)(llvm::StringRef),
                const std::string &Lines) {
  bool Out = false, Parsed = false;
  eachK(Lines + "\nint k() { return N; }",
        [&](const clang::FunctionDecl &, clang::ASTContext &Context) {
          MacroStability &Macros = MacroStability::of(Context);
          Parsed = true;
          Out = (Macros.*Asked)("N");
        });
  EXPECT_TRUE(Parsed);
  return Out;
}
static bool isNumber(const std::string &Lines) {
  return ask(&MacroStability::isNumber, Lines);
}
static bool isOperand(const std::string &Lines) {
  return ask(&MacroStability::isOperand, Lines);
}
static bool isFixed(const std::string &Lines) {
  return ask(&MacroStability::isFixed, Lines);
}

TEST(MacroStability, NumbersAreWrittenInManyWays) {
  EXPECT_TRUE(isNumber("#define N 16"));
  EXPECT_TRUE(isNumber("#define N (4 * 4 - 1u)"));
  EXPECT_TRUE(isNumber("#define N 0x1F"));
  EXPECT_TRUE(isNumber("#define N (0XffuL + 1)"));
  EXPECT_TRUE(isNumber("#define M 0x10\n#define N M / 2"));
  EXPECT_TRUE(isNumber("#ifdef A\n#define N 1 + TULL\n#else\n#define N 4\n"
                       "#endif\n#define TULL 3"));
  EXPECT_TRUE(isNumber("#ifdef A\n#define N 1u\n#else\n#define N 4U\n#endif"));
  // Of another type in another build, so that min(N, x) has no meaning there.
  EXPECT_FALSE(isNumber("#ifdef A\n#define N 1u\n#else\n#define N 4\n#endif"));
  EXPECT_FALSE(isNumber("#ifdef A\n#define N M\n#else\n#define N 4\n#endif\n"
                        "#define M 4u"));
  EXPECT_FALSE(isNumber("#define N 1e5"));
  EXPECT_FALSE(isNumber("#define N 0x1p3"));
  EXPECT_FALSE(isNumber("#define N 1.5f"));
  EXPECT_FALSE(isNumber("constant int n = 1;\n#define N n"));
  EXPECT_FALSE(isNumber("constant int x0x1 = 1;\n#define N x0x1"));
}

TEST(MacroStability, CommentsAreNoPartOfThem) {
  EXPECT_TRUE(isNumber("#define N 100 // no more than 110"));
  EXPECT_TRUE(isNumber("#define N /* of\n lines */ 100"));
  EXPECT_TRUE(isNumber("#define M 1\n#define N 2 // as M, and more\n"));
  EXPECT_FALSE(isNumber("constant int n = 1;\n#define N n // 1"));
}

TEST(MacroStability, EachDefinitionCounts) {
  EXPECT_TRUE(
      isNumber("#ifdef SMALL\n#define N 1\n#else\n#define N 2\n#endif"));
  EXPECT_FALSE(isNumber("#ifdef F\n#define N (f)\n#else\n#define N 2\n#endif"));
}

TEST(MacroStability, SumsWithoutParenthesesAreNoOperands) {
  EXPECT_TRUE(isOperand("#define N 0x10u // of it"));
  EXPECT_TRUE(isOperand("#define N (4 + (4))"));
  EXPECT_TRUE(isOperand("#define N 1.5e-3f"));
  EXPECT_TRUE(isOperand("#define N .5"));
  EXPECT_FALSE(isOperand("#define N 1.5-3.0"));
  EXPECT_FALSE(isOperand("#define N -1.5"));
  EXPECT_FALSE(isOperand("#define N 4 + 4"));
  EXPECT_FALSE(isOperand("#define N (4) + (4)"));
  EXPECT_FALSE(
      isOperand("#ifdef X\n#define N 8 - 4\n#else\n#define N 4\n#endif"));
}

TEST(MacroStability, FixedIsWhatOneLineOutsideOfIfDefines) {
  EXPECT_TRUE(isFixed("constant int n = 1;\n#if 1\n#endif\n#define N n"));
  EXPECT_FALSE(isFixed("constant int n = 1;\n#if 1\n#define N n\n#endif"));
  EXPECT_FALSE(isFixed("constant int n = 1;\n#define N n\n#ifdef N\n#endif"));
  EXPECT_FALSE(isFixed(
      "constant int n = 1;\n#ifdef X\n#define n 1\n#endif\n#define N n"));
  EXPECT_FALSE(isFixed("#if 0\n#define\n#endif\nconstant int N = 1;"));
}
