// A search that enters the functions which an expression or a statement calls.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace clrewrite::rewrite {

/// Visits what it traverses, and the body of each function that is called there
/// and that this program defines, until something is found. Each body is
/// visited once, so that recursion ends.
class SearchWithCallees : public clang::DynamicRecursiveASTVisitor {
public:
  bool Found = false;

  bool VisitCallExpr(clang::CallExpr *Call) override {
    const clang::FunctionDecl *F = Call->getDirectCallee(), *Body = nullptr;
    if (F && F->hasBody(Body) && Seen.insert(Body).second)
      TraverseStmt(Body->getBody());
    return !Found;
  }

private:
  llvm::SmallPtrSet<const clang::FunctionDecl *, 4> Seen;
};

} // namespace clrewrite::rewrite
