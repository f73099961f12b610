// Strides as they are read off indices.
#include "lanes/Strides.h"
#include "frontend/Parse.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::lanes;

namespace {

class Subscripts : public clang::DynamicRecursiveASTVisitor {
public:
  const clang::ArraySubscriptExpr *Last = nullptr;
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *A) override {
    Last = A;
    return true;
  }
};

/// By how much the index of the last subscript in \p Body moves; "?" where
/// that can't be told.
std::string strideOf(const std::string &Body, Mover::Kinds Kind = Mover::Lane) {
  Source S{"k.cl",
           "__kernel void k(__global int *a, int n, int m) {\n" + Body + "\n}",
           {}};
  std::string Out = "not parsed";
  frontend::parse(S, {"amdgcn-amd-amdhsa", "gfx906"}, false,
                  [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
                    Program P(Context);
                    Subscripts Found;
                    Found.TraverseDecl(Context.getTranslationUnitDecl());
                    std::optional<Stride> Moves =
                        Strides(P, {Kind}, nullptr).of(Found.Last->getIdx());
                    Out = Moves ? Moves->text() : "?";
                  });
  return Out;
}

} // namespace

TEST(Strides, SumsAndProducts) {
  EXPECT_EQ(strideOf("a[get_global_id(0)] = 0;"), "1");
  EXPECT_EQ(strideOf("a[n - 2 * (int)get_local_id(0)] = 0;"), "-2");
  EXPECT_EQ(strideOf("a[(get_global_id(0) + 1) * n + m] = 0;"), "n");
  EXPECT_EQ(strideOf("a[get_global_id(0) * n * m] = 0;"), "n*m");
  EXPECT_EQ(strideOf("a[get_global_id(0) * n + get_global_id(0)] = 0;"),
            "n + 1");
  EXPECT_EQ(strideOf("int x = get_global_id(0); a[x * n - x * n + x] = 0;"),
            "1");
  EXPECT_EQ(strideOf("a[get_global_id(0) << 3] = 0;"), "8");
  EXPECT_EQ(strideOf("a[get_global_id(1) * n + get_group_id(0)] = 0;"), "0");
  EXPECT_EQ(strideOf("a[get_global_id(1) * n] = 0;", Mover::Row), "n");
}

TEST(Strides, WhatCannotBeTold) {
  EXPECT_EQ(strideOf("a[get_global_id(0) % n] = 0;"), "?");
  EXPECT_EQ(strideOf("a[get_global_id(0) * get_local_id(0)] = 0;"), "?");
  EXPECT_EQ(strideOf("int x = get_global_id(0); x *= 2; a[x] = 0;"), "?");
  EXPECT_EQ(strideOf("int x = get_global_id(0); int *p = &x; *p = 1; a[x] = "
                     "0;"),
            "?");
  EXPECT_EQ(strideOf("a[get_global_id(n)] = 0;"), "?");
  EXPECT_EQ(strideOf("int x; if (n) x = get_global_id(0); else x = n; a[x] = "
                     "0;"),
            "?");
  // Of what was loaded from one place by all, nothing moves.
  EXPECT_EQ(strideOf("int x = a[n]; a[x] = 0;"), "0");
  EXPECT_EQ(strideOf("int x = a[get_global_id(0)]; a[x] = 0;"), "?");
}

TEST(Strides, VariablesThatStep) {
  EXPECT_EQ(strideOf("for (int i = get_global_id(0); i < n; i += m) a[i] = 0;"),
            "1");
  EXPECT_EQ(strideOf("int i = get_global_id(0) * 4; while (i < n) { ++i; a[i] "
                     "= 0; }"),
            "4");
  EXPECT_EQ(strideOf("int i = 0; for (int k = 0; k < n; ++k) { i += "
                     "get_global_id(0); a[i] = 0; }"),
            "?");
  EXPECT_EQ(strideOf("int x = 0; x = x + 1; a[x] = 0;"), "?");
}
