// Integer expressions as sums, and their saturated text.
#include "rewrite/affine/LinearForm.h"
#include "frontend/Parse.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

namespace {

class Returned : public clang::DynamicRecursiveASTVisitor {
public:
  const clang::Expr *Value = nullptr;
  bool VisitReturnStmt(clang::ReturnStmt *R) override {
    Value = R->getRetValue();
    return true;
  }
};

/// What \p Expression is as a sum of variables; "none" where it is no sum.
std::string textOf(const std::string &Expression) {
  Source S{"k.cl",
           "int f(int x, int w, short s, uint u, long l) { return " +
               Expression + "; }",
           {}};
  std::string Result = "not parsed";
  frontend::parse(S, {"amdgcn-amd-amdhsa", "gfx906"}, false,
                  [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
                    Returned R;
                    R.TraverseDecl(Context.getTranslationUnitDecl());
                    auto meaning =
                        [](const clang::VarDecl *) -> const clang::Expr * {
                      return nullptr;
                    };
                    auto isTerm = [](const clang::Expr *E) {
                      return llvm::isa<clang::DeclRefExpr>(E);
                    };
                    std::optional<LinearForm> F =
                        linearForm(R.Value, {Context, meaning, isTerm});
                    Result = F ? saturatedText(*F, Context) : "none";
                  });
  return Result;
}

} // namespace

TEST(LinearForm, OneFunctionIsEnough) {
  EXPECT_EQ(textOf("x"), "x");
  EXPECT_EQ(textOf("x + 2"), "add_sat(x, 2)");
  EXPECT_EQ(textOf("-1 + x - 2"), "sub_sat(x, 3)");
  EXPECT_EQ(textOf("-x"), "sub_sat(0, x)");
  EXPECT_EQ(textOf("w - x"), "sub_sat(w, x)");
  EXPECT_EQ(textOf("s - x"), "sub_sat((int)s, x)");
}

TEST(LinearForm, MorePartsAreComputedInLong) {
  EXPECT_EQ(textOf("w - x + 2"), "convert_int_sat((long)w - (long)x + 2)");
  EXPECT_EQ(textOf("3 * (w - x)"),
            "convert_int_sat(3 * (long)w - 3 * (long)x)");
  EXPECT_EQ(textOf("x + w"), "convert_int_sat((long)x + (long)w)");
}

TEST(LinearForm, PartsCancel) {
  EXPECT_EQ(textOf("x + w - x"), "w");
  EXPECT_EQ(textOf("2 * x - x"), "x");
  EXPECT_EQ(textOf("x - x + 7"), "7");
}

TEST(LinearForm, WhatWrapsIsNoSum) {
  EXPECT_EQ(textOf("x + u"), "none");
  EXPECT_EQ(textOf("(int)(l + x)"), "none");
  EXPECT_EQ(textOf("(short)(x + 1)"), "none");
  EXPECT_EQ(textOf("x * w"), "none");
  EXPECT_EQ(textOf("x + 2000000000 + 2000000000"), "none");
}
