// How many operations a function's body becomes.
#include "StaticCost.h"
#include "frontend/Parse.h"
#include "clang/AST/Decl.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;
using namespace clrewrite::rewrite::limit_unroll;

/// Those of the last function of \p Text.
static double operations(const std::string &Text) {
  double Result = -1;
  frontend::parse(
      {"k.cl", Text, {}}, {"amdgcn-amd-amdhsa", "gfx906"}, false,
      [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
        for (const clang::Decl *D : Context.getTranslationUnitDecl()->decls())
          if (const auto *F = llvm::dyn_cast<clang::FunctionDecl>(D);
              F && F->doesThisDeclarationHaveABody())
            Result = staticCost(F->getBody(), Context);
      });
  return Result;
}

TEST(StaticCost, CountNumbersNotVectors) {
  EXPECT_EQ(operations("int f(int a) { return a + 1; }"), 1);
  EXPECT_EQ(operations("int4 f(int4 a) { return a + a; }"), 4);
}

TEST(StaticCost, LoopsOfConstantLengthAreWrittenOut) {
  double Of16 = operations("void f(int *p, int n) {"
                           " for (int i = 0; i < 16; ++i)"
                           "  for (int k = 4; k > 0; --k) p[i] = k; }");
  double OfN = operations("void f(int *p, int n) {"
                          " for (int i = 0; i < n; ++i)"
                          "  for (int k = 4; k > 0; --k) p[i] = k; }");
  EXPECT_EQ(Of16, 16 * OfN);
  EXPECT_GE(OfN, 4 * 2);
  EXPECT_LE(OfN, 4 * 8);
}

TEST(StaticCost, CalledFunctionsCountWhereTheyAreCalled) {
  double Once = operations("int g(int a) { return a * a * a * a + 1; }"
                           "int f(int a) { return g(a); }");
  EXPECT_GE(Once, 4);
  EXPECT_EQ(operations("int g(int a) { return a * a * a * a + 1; }"
                       "int f(int a) { return g(a) + g(a + 0); }"),
            2 * Once + 2);
  // What calls itself ends too.
  EXPECT_GE(operations("int f(int a) { return f(a); }"), 1);
}
