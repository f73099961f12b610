// Which expressions are the same, in this build and in others.
#include "FunctionK.h"
#include "rewrite/ast/Conditions.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

/// \p A and \p B, of ints i and j, are the same where A and B are macros of 1.
static bool areSame(const std::string &A, const std::string &B) {
  bool Out = false;
  std::string Text = "#define A 1\n#define B 1\n#define ALSO_A A\n"
                     "#define F(x) (x)\n"
                     "void k(int i, int j) { int a = " +
                     A + ", b = " + B + "; }";
  eachK(Text, [&](const clang::FunctionDecl &F, clang::ASTContext &Context) {
    const auto *D = llvm::cast<clang::DeclStmt>(
        *llvm::cast<clang::CompoundStmt>(F.getBody())->body_begin());
    auto valueOf = [&](unsigned I) {
      return llvm::cast<clang::VarDecl>(*(D->decl_begin() + I))->getInit();
    };
    Out = sameExpression(valueOf(0), valueOf(1), Context);
  });
  return Out;
}

TEST(SameExpression, ByOperatorsAndNames) {
  EXPECT_TRUE(areSame("i + 1", "i + 1"));
  EXPECT_TRUE(areSame("(i + 1) * j", "(i + (1)) * j"));
  EXPECT_FALSE(areSame("i + 1", "j + 1"));
  EXPECT_FALSE(areSame("i + 1", "i - 1"));
}

TEST(SameExpression, NotByNumbersOfMacros) {
  EXPECT_TRUE(areSame("i + A", "i + A"));
  EXPECT_TRUE(areSame("F(i + A)", "F(i + A)"));
  EXPECT_FALSE(areSame("i + A", "i + B"));
  EXPECT_FALSE(areSame("i + A", "i + 1"));
  EXPECT_FALSE(areSame("1", "A"));
  EXPECT_FALSE(areSame("i * A + B", "i * B + A"));
  EXPECT_FALSE(areSame("i + A", "i + ALSO_A"));
}
