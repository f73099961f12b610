// Each comparison of a guard is read as an affine expression and solved for the
// loop's induction variable.
#include "rewrite/affine/LoopBounds.h"
#include "rewrite/affine/IntegerRange.h"
#include "rewrite/text/Text.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

LoopBounds::LoopBounds(const ForStmt &Loop, const FunctionDecl &Function,
                       const ASTContext &Context)
    : Loop(Loop), Function(Function), Context(Context), Body(guardedBody(Loop)),
      InLoop(&Loop, Function, Context), Head(countedLoop(Loop)) {
  if (Head && !countsInInt(*Head, Context))
    Head.reset();
}

std::optional<Bound> LoopBounds::boundOf(const GuardLeaf &L) const {
  const auto *B = dyn_cast<BinaryOperator>(L.Condition->IgnoreParenImpCasts());
  if (!Head || !B || !B->isRelationalOp() ||
      !isInt(B->getLHS()->getType(), Context) ||
      !isInt(B->getRHS()->getType(), Context))
    return std::nullopt;
  std::optional<LinearForm> Left = formOf(B->getLHS()),
                            Right = formOf(B->getRHS());
  BinaryOperatorKind Op =
      L.Negated ? BinaryOperator::negateComparisonOp(B->getOpcode())
                : B->getOpcode();
  if (!Left || !Right || !Left->add(*Right, -1, Context))
    return std::nullopt;
  return solved(*Left, Op);
}

bool LoopBounds::hasBound() const {
  return any_of(Body.Guards, [&](const Guard &G) {
    return any_of(G.Leaves,
                  [&](const GuardLeaf &L) { return boundOf(L).has_value(); });
  });
}

bool LoopBounds::isSteady(const Expr *E) const {
  return InLoop.isInvariant(E) && !mayBeUndefined(E, Context) &&
         !mentionsAny(E, [&](const VarDecl *V) {
           return V->hasLocalStorage() &&
                  !isDefinitelyAssigned(V, &Loop, Function,
                                        Function.getASTContext());
         });
}

std::optional<LinearForm> LoopBounds::formOf(const Expr *E) const {
  auto meaning = [&](const VarDecl *V) -> const Expr * {
    return is_contained(Body.Locals, V) && InLoop.keeps(V) ? V->getInit()
                                                           : nullptr;
  };
  auto isTerm = [&](const Expr *T) {
    return isName(T, Head->Variable) ||
           (isSteady(T) && text(T->getSourceRange(), Context));
  };
  return linearForm(E, {Context, meaning, isTerm});
}

/// `F Op 0`, in which the variable has the factor 1 or -1, for the variable.
std::optional<Bound> LoopBounds::solved(LinearForm F,
                                        BinaryOperatorKind Op) const {
  auto *Mine = find_if(F.Parts, [&](const LinearForm::Part &P) {
    return isName(P.Term, Head->Variable);
  });
  if (Mine == F.Parts.end() || std::abs(Mine->Factor) != 1)
    return std::nullopt;
  int64_t Factor = Mine->Factor;
  F.Parts.erase(Mine);
  if (Factor < 0)
    Op = BinaryOperator::reverseComparisonOp(Op);
  // variable Op -Factor * F
  Bound B;
  B.Lower = Op == BO_GE || Op == BO_GT;
  LinearForm One;
  One.Constant = Op == BO_GT || Op == BO_LE ? 1 : 0;
  if (!B.Limit.add(F, -Factor, Context) || !B.Limit.add(One, 1, Context))
    return std::nullopt;
  return B;
}

} // namespace clrewrite::rewrite
