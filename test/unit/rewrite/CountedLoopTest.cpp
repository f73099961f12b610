// What the head of a loop says about its induction variable.
#include "rewrite/affine/CountedLoop.h"
#include "frontend/Parse.h"
#include "rewrite/text/Text.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

namespace {

class Loops : public clang::DynamicRecursiveASTVisitor {
public:
  const clang::FunctionDecl *Function = nullptr;
  const clang::ForStmt *First = nullptr;
  bool VisitFunctionDecl(clang::FunctionDecl *F) override {
    Function = F;
    return true;
  }
  bool VisitForStmt(clang::ForStmt *F) override {
    First = F;
    return false;
  }
};

/// What is read of `for (Head) Body`, part by part.
std::string parts(const std::string &Head, const std::string &Body = ";") {
  Source S{"k.cl",
           "#define N 4\n"
           "void f(int n, int k, global int *p) { for (" +
               Head + ") " + Body + " }",
           {}};
  std::string Out = "not parsed";
  frontend::parse(
      S, {"amdgcn-amd-amdhsa", "gfx906"}, false,
      [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
        Loops All;
        All.TraverseDecl(Context.getTranslationUnitDecl());
        std::optional<CountedLoop> L = countedLoop(*All.First);
        if (!L) {
          Out = "none";
          return;
        }
        auto textOf = [&](const clang::Expr *E) {
          return E ? spelled(E, Context) : "?";
        };
        Out = (L->Declares ? "declares " : "sets ") +
              L->Variable->getName().str() + " from " + textOf(L->Start);
        if (L->End)
          Out +=
              (" " + clang::BinaryOperator::getOpcodeStr(L->Comparison) + " ")
                  .str() +
              textOf(L->End);
        else if (L->Until)
          Out += " until other";
        if (L->Steps)
          Out += " by " + std::to_string(L->step(true));
        if (L->step(true) != L->step(false))
          Out += " of macro";
        if (L->countsUp(Context))
          Out += ", counts";
        if (countsInInt(*L, Context))
          Out += " in int";
        if (!L->keepsVariable(*All.Function))
          Out += ", changed";
      });
  return Out;
}

} // namespace

TEST(CountedLoop, PartsAreReadInAnyOrder) {
  EXPECT_EQ(parts("int i = 0; i < n; ++i"),
            "declares i from 0 < n by 1, counts in int");
  EXPECT_EQ(parts("int i = 0; (n >= i); (i++)"),
            "declares i from 0 <= n by 1, counts in int");
  EXPECT_EQ(parts("int i = n; i != 0; i--"), "declares i from n != 0 by -1");
  EXPECT_EQ(parts("k = 1; k < n; k += 2"), "sets k from 1 < n by 2");
}

TEST(CountedLoop, PartsOfAnotherFormAreLeftOut) {
  EXPECT_EQ(parts("int i = 0; i * 2 < n; i *= 2"),
            "declares i from 0 until other by 0");
  EXPECT_EQ(parts("int i = 0; p[i]; ++k"), "declares i from 0");
  EXPECT_EQ(parts("int i; ; "), "declares i from ?");
  EXPECT_EQ(parts("int i = 0, j = 1; i < n; ++i"), "none");
  EXPECT_EQ(parts("; k < n; ++k"), "none");
}

TEST(CountedLoop, StepsMayComeFromMacros) {
  EXPECT_EQ(parts("int i = 0; i < n; i += N"),
            "declares i from 0 < n by 4 of macro");
  EXPECT_EQ(parts("int i = 0; i < n; i += 2 - 1"),
            "declares i from 0 < n by 0, counts in int");
}

TEST(CountedLoop, ValuesAreThoseOfAnInt) {
  EXPECT_EQ(parts("uint i = 0; i < 8; ++i"),
            "declares i from 0 < 8 by 1, counts");
  EXPECT_EQ(parts("char i = 0; i < 100; ++i"),
            "declares i from 0 < 100 by 1, counts in int");
  EXPECT_EQ(parts("char i = 0; i <= 127; ++i"),
            "declares i from 0 <= 127 by 1, counts");
  EXPECT_EQ(parts("char i = 0; i < n; ++i"),
            "declares i from 0 < n by 1, counts");
  EXPECT_EQ(parts("int i = 9; i < 8; ++i"),
            "declares i from 9 < 8 by 1, counts");
}

TEST(CountedLoop, OtherChangesOfTheVariableAreSeen) {
  EXPECT_EQ(parts("int i = 0; i < n; ++i", "i += p[0];"),
            "declares i from 0 < n by 1, counts in int, changed");
  EXPECT_EQ(parts("int i = 0; i < n; ++i", "{ int *q = &i; *q = 1; }"),
            "declares i from 0 < n by 1, counts in int, changed");
  EXPECT_EQ(parts("volatile int i = 0; i < n; ++i"),
            "declares i from 0 < n by 1, counts in int, changed");
  EXPECT_EQ(parts("int i = 0; i < (i = n); ++i"),
            "declares i from 0 < (i = n) by 1, counts in int, changed");
}
