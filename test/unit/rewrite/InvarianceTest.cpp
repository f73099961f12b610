// Which expressions have one value throughout a loop.
#include "rewrite/ast/Invariance.h"
#include "frontend/Parse.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

namespace {

class Parts : public clang::DynamicRecursiveASTVisitor {
public:
  const clang::FunctionDecl *Function = nullptr;
  const clang::Stmt *Loop = nullptr;
  const clang::Expr *Index = nullptr;
  bool VisitFunctionDecl(clang::FunctionDecl *F) override {
    Function = F; // the last one
    return true;
  }
  bool VisitWhileStmt(clang::WhileStmt *W) override {
    Loop = W;
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *A) override {
    if (!Index)
      Index = A->getIdx();
    return true;
  }
};

/// Of the index in the loop's first subscript, with \p Before before the loop
/// and \p Body behind the subscript.
bool isInvariant(const std::string &Index, const std::string &Body = "",
                 const std::string &Before = "") {
  Source S{"k.cl",
           "global int shared; "
           "void change(void) { shared = 1; } "
           "void f(int n, int k, global int *p, volatile int v) { " +
               Before + " while (n > 0) { int own = 1; p[" + Index +
               "] = own; --n; " + Body + " } }",
           {"-cl-std=CL2.0"}};
  bool Out = false;
  frontend::parse(
      S, {"amdgcn-amd-amdhsa", "gfx906"}, false,
      [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
        Parts All;
        All.TraverseDecl(Context.getTranslationUnitDecl());
        Out =
            Invariance(All.Loop, *All.Function, Context).isInvariant(All.Index);
      });
  return Out;
}

} // namespace

TEST(Invariance, WhatTheLoopKeepsIsInvariant) {
  EXPECT_TRUE(isInvariant("k"));
  EXPECT_TRUE(isInvariant("k * 2 + (int)get_global_id(0)"));
  EXPECT_TRUE(isInvariant("a", "", "int a = n; a += 2;"));
}

TEST(Invariance, WhatTheLoopAssignsVaries) {
  EXPECT_FALSE(isInvariant("n"));
  EXPECT_FALSE(isInvariant("k", "k += 2;"));
  EXPECT_FALSE(isInvariant("k + 1", "if (n == 3) k = 0;"));
  EXPECT_FALSE(isInvariant("c.x", "c.x = 3;", "int2 c = 0;"));
}

TEST(Invariance, WhatTheLoopDeclaresVaries) {
  EXPECT_FALSE(isInvariant("own"));
}

TEST(Invariance, MemoryAndVolatileVariablesVary) {
  EXPECT_FALSE(isInvariant("p[k]"));
  EXPECT_FALSE(isInvariant("v"));
  EXPECT_FALSE(isInvariant("k", "*q = 3;", "int *q = &k;"));
}

TEST(Invariance, EffectsAreNotInvariant) {
  EXPECT_FALSE(isInvariant("k++"));
  EXPECT_FALSE(isInvariant("(k = 2)"));
}

TEST(Invariance, VariablesAtProgramScopeMayBeAssignedByOthers) {
  EXPECT_FALSE(isInvariant("shared", "change();"));
  EXPECT_FALSE(isInvariant("shared"));
}
