// Integer expressions as sums of products, in the type that an index has.
#include "rewrite/affine/Polynomial.h"
#include "frontend/Parse.h"
#include "rewrite/text/Text.h"
#include "share-index/SharedIndex.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;
using namespace clrewrite::rewrite::share_index;

namespace {

class Returned : public clang::DynamicRecursiveASTVisitor {
public:
  const clang::Expr *Value = nullptr;
  bool VisitReturnStmt(clang::ReturnStmt *R) override {
    Value = R->getRetValue();
    return true;
  }
};

/// `at + Expression`, with the expression written out, in a function that
/// returns \p Type; in parentheses behind it "may overflow" where it may.
std::string textOf(const std::string &Type, const std::string &Expression) {
  Source S{"k.cl",
           Type +
               " f(int x, int w, short s, uint u, long l, ulong v) { return " +
               Expression + "; }",
           {}};
  std::string Result = "not parsed";
  frontend::parse(
      S, {"amdgcn-amd-amdhsa", "gfx906"}, false,
      [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
        Returned R;
        R.TraverseDecl(Context.getTranslationUnitDecl());
        auto number = [](const clang::Expr *E) -> std::optional<int64_t> {
          const auto *L = llvm::dyn_cast<clang::IntegerLiteral>(E);
          return L ? std::optional(L->getValue().getSExtValue()) : std::nullopt;
        };
        auto leaf = [](const clang::Expr *E) {
          return std::optional(Polynomial{Monomial{1, {E}}});
        };
        IntType Ring = *intType(R.Value->getType(), Context);
        std::optional<Polynomial> P =
            polynomial(R.Value, {Context, Ring, number, leaf, true});
        Result = !P ? "none" : steppedText("at", *P, R.Value, Context);
        if (P && !cannotOverflow(*P, Ring, Context))
          Result += " (may overflow)";
      });
  return Result;
}

} // namespace

TEST(Polynomial, ProductsAreWrittenOut) {
  EXPECT_EQ(textOf("uint", "(u + 1) * (u - 1)"), "at + u * u - 1");
  EXPECT_EQ(textOf("int", "(x - 1) * w + 3 - -s"),
            "(long)at + (long)x * w - w + s + 3");
  EXPECT_EQ(textOf("int", "(x + w) - (w + x)"), "at");
}

TEST(Polynomial, ProductsHaveTheIndexType) {
  EXPECT_EQ(textOf("ulong", "(ulong)x * w"), "at + (ulong)x * w");
  EXPECT_EQ(textOf("ulong", "x * v"), "at + v * x");
  EXPECT_EQ(textOf("ulong", "2 * (ulong)x"), "at + 2 * (ulong)x");
  EXPECT_EQ(textOf("size_t", "2 * (size_t)x"), "at + 2 * (size_t)x");
  EXPECT_EQ(textOf("uint", "(uint)x * w - x"), "at + (uint)x * w - x");
}

TEST(Polynomial, OneIntStaysInInt) {
  EXPECT_EQ(textOf("int", "-x"), "at - x");
  EXPECT_EQ(textOf("int", "x + 1"), "(long)at + x + 1");
  EXPECT_EQ(textOf("int", "2 * x"), "at + 2 * (long)x");
}

TEST(Polynomial, WhatWrapsElsewhereIsALeaf) {
  EXPECT_EQ(textOf("ulong", "v + (u + 1)"), "at + v + (u + 1)");
  EXPECT_EQ(textOf("ulong", "v + (x + 1)"), "at + v + x + 1");
  EXPECT_EQ(textOf("int", "(int)(l + 1) + 1"), "(long)at + ((int)(l + 1)) + 1");
}

TEST(Polynomial, LongStepsMayOverflow) {
  EXPECT_EQ(textOf("int", "x * w"), "at + (long)x * w");
  EXPECT_EQ(textOf("int", "2 * x * w"), "at + 2 * (long)x * w (may overflow)");
  EXPECT_EQ(textOf("long", "l + 1"), "at + l + 1 (may overflow)");
  EXPECT_EQ(textOf("long", "-l"), "at - l");
}
