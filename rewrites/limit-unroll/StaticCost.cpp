// Operations are counted in the AST, times the trip counts of the loops around
// them.
#include "StaticCost.h"
#include "rewrite/affine/CountedLoop.h"
#include "rewrite/ast/Constants.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::limit_unroll {
namespace {

/// The depth to which calls are followed.
constexpr unsigned MostCalls = 4;

/// The distance from the first number of a loop to its bound, whatever the
/// step; 1 where these are not numbers.
double turnsOf(const ForStmt &Loop, const ASTContext &Context) {
  std::optional<CountedLoop> L = countedLoop(Loop);
  if (!L || !L->Declares || !L->Until)
    return 1;
  std::optional<int64_t> From = constant(L->Start, Context),
                         To = constant(L->Until->getRHS(), Context);
  return From && To ? std::max(1.0, std::abs(double(*To) - double(*From))) : 1;
}

double lanesOf(QualType T) {
  const auto *V = T->getAs<clang::VectorType>();
  return V ? V->getNumElements() : 1;
}

double count(const Stmt *S, const ASTContext &Context, unsigned Calls) {
  if (!S)
    return 0;
  double Sum = 0;
  for (const Stmt *Child : S->children())
    Sum += count(Child, Context, Calls);
  if (const auto *Loop = dyn_cast<ForStmt>(S))
    return Sum * turnsOf(*Loop, Context);
  const auto *E = dyn_cast<Expr>(S);
  if (E && isa<BinaryOperator, UnaryOperator, ArraySubscriptExpr, CallExpr>(E))
    Sum += lanesOf(E->getType());
  const auto *Call = dyn_cast<CallExpr>(S);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  const FunctionDecl *Body = nullptr;
  if (Callee && Calls && Callee->hasBody(Body))
    Sum += count(Body->getBody(), Context, Calls - 1);
  return Sum;
}

} // namespace

double staticCost(const Stmt *S, const ASTContext &Context) {
  return count(S, Context, MostCalls);
}

} // namespace clrewrite::rewrite::limit_unroll
