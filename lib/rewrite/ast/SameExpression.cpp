// Whether two expressions compute the same: a part of Conditions.h.
#include "rewrite/ast/Conditions.h"
#include "clang/AST/ASTContext.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

/// Clang makes a new declaration of a built-in function whenever it looks one
/// up, so those are the same by name and type.
static bool sameCallee(const CallExpr *A, const CallExpr *B,
                       const ASTContext &Context) {
  const FunctionDecl *X = A->getDirectCallee(), *Y = B->getDirectCallee();
  if (!X || !Y || A->getNumArgs() != B->getNumArgs())
    return false;
  if (X->getCanonicalDecl() == Y->getCanonicalDecl())
    return true;
  return isBuiltinCall(A) && isBuiltinCall(B) &&
         X->getDeclName() == Y->getDeclName() &&
         Context.hasSameType(X->getType(), Y->getType());
}

bool sameNode(const Expr *A, const Expr *B, const ASTContext &Context) {
  if (A->getStmtClass() != B->getStmtClass())
    return false;
  if (const auto *X = dyn_cast<BinaryOperator>(A))
    return X->getOpcode() == cast<BinaryOperator>(B)->getOpcode();
  if (const auto *X = dyn_cast<UnaryOperator>(A))
    return X->getOpcode() == cast<UnaryOperator>(B)->getOpcode();
  if (const auto *X = dyn_cast<CallExpr>(A))
    return sameCallee(X, cast<CallExpr>(B), Context);
  if (const auto *X = dyn_cast<MemberExpr>(A))
    return X->getMemberDecl() == cast<MemberExpr>(B)->getMemberDecl();
  if (isa<CastExpr>(A))
    return Context.hasSameType(A->getType(), B->getType());
  return isa<ArraySubscriptExpr, ConditionalOperator, ParenExpr>(A);
}

std::vector<const Expr *> operandsOf(const Expr *E) {
  std::vector<const Expr *> Out;
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    Out.assign(Call->arg_begin(), Call->arg_end());
    return Out;
  }
  for (const Stmt *Child : E->children())
    if (const auto *Operand = dyn_cast_or_null<Expr>(Child))
      Out.push_back(Operand);
  return Out;
}

bool sameExpression(const Expr *A, const Expr *B, const ASTContext &Context) {
  A = A->IgnoreParens();
  B = B->IgnoreParens();
  llvm::FoldingSetNodeID IdA, IdB;
  A->Profile(IdA, Context, /*Canonical=*/true);
  B->Profile(IdB, Context, /*Canonical=*/true);
  if (IdA == IdB)
    return true;
  if (!sameNode(A, B, Context))
    return false;
  std::vector<const Expr *> X = operandsOf(A), Y = operandsOf(B);
  if (X.empty() || X.size() != Y.size())
    return false;
  for (size_t I = 0; I < X.size(); ++I)
    if (!sameExpression(X[I], Y[I], Context))
      return false;
  return true;
}

} // namespace clrewrite::rewrite
