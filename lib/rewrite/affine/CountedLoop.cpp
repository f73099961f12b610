// The head of a loop is taken apart by the operators of its three parts.
#include "rewrite/affine/CountedLoop.h"
#include "rewrite/affine/IntegerRange.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/Invariance.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

void readStart(CountedLoop &L) {
  if (const VarDecl *V = loopVariable(*L.Loop)) {
    L.Variable = V->getCanonicalDecl();
    L.Declares = true;
    L.Start = V->getInit();
    return;
  }
  const auto *Set = dyn_cast_or_null<BinaryOperator>(L.Loop->getInit());
  if (!Set || Set->getOpcode() != BO_Assign)
    return;
  L.Variable = namedVariable(Set->getLHS());
  L.Start = Set->getRHS();
}

void readEnd(CountedLoop &L) {
  const Expr *Condition = L.Loop->getCond();
  const auto *B =
      Condition ? dyn_cast<BinaryOperator>(Condition->IgnoreParens()) : nullptr;
  if (!B || !B->isComparisonOp())
    return;
  L.Until = B;
  L.VariableFirst = isName(B->getLHS(), L.Variable);
  if (!L.VariableFirst && !isName(B->getRHS(), L.Variable))
    return;
  L.End = L.VariableFirst ? B->getRHS() : B->getLHS();
  L.Comparison = L.VariableFirst
                     ? B->getOpcode()
                     : BinaryOperator::reverseComparisonOp(B->getOpcode());
}

void readStep(CountedLoop &L) {
  const Expr *Inc = L.Loop->getInc();
  Inc = Inc ? Inc->IgnoreParens() : nullptr;
  if (const auto *U = dyn_cast_or_null<UnaryOperator>(Inc)) {
    L.Steps =
        U->isIncrementDecrementOp() && isName(U->getSubExpr(), L.Variable);
    if (L.Steps)
      L.Direction = U->isIncrementOp() ? 1 : -1;
    return;
  }
  const auto *B = dyn_cast_or_null<CompoundAssignOperator>(Inc);
  if (!B || !isName(B->getLHS(), L.Variable))
    return;
  L.Steps = true;
  L.By = B->getRHS();
  L.Direction = B->getOpcode() == BO_AddAssign   ? 1
                : B->getOpcode() == BO_SubAssign ? -1
                                                 : 0;
}

/// Every value of \p E is one of \p Type.
bool fits(const Expr *E, IntType Type, const ASTContext &Context) {
  Range Holds = Range::of(Type);
  if (std::optional<int64_t> N = constant(E, Context))
    return Range{*N, *N}.within(Holds);
  std::optional<IntType> From =
      intType(E->IgnoreImpCasts()->getType(), Context);
  return From && Range::of(*From).within(Holds);
}

} // namespace

bool CountedLoop::countsUp(const ASTContext &Context) const {
  return End && (Comparison == BO_LT || Comparison == BO_LE) &&
         Direction == 1 && (!By || constant(By, Context) == 1);
}

int64_t CountedLoop::step(bool FromMacros) const {
  return Direction * (By ? numberIn(By, FromMacros).value_or(0) : 1);
}

bool CountedLoop::keepsVariable(const FunctionDecl &Function) const {
  const ASTContext &Context = Function.getASTContext();
  return Invariance(Loop->getBody(), Function, Context).keeps(Variable) &&
         !assignedIn(Loop->getCond()).contains(Variable);
}

std::optional<CountedLoop> countedLoop(const ForStmt &Loop) {
  CountedLoop L;
  L.Loop = &Loop;
  readStart(L);
  if (!L.Variable)
    return std::nullopt;
  readEnd(L);
  readStep(L);
  return L;
}

SourceRange headOf(const ForStmt &Loop) {
  return {Loop.getBeginLoc(), Loop.getRParenLoc()};
}

bool countsInInt(const CountedLoop &L, const ASTContext &Context) {
  QualType Type = L.Variable->getType();
  std::optional<IntType> T = intType(Type, Context);
  if (!L.Declares || !L.Start || !L.countsUp(Context) || !T || !T->Signed ||
      T->Bits > 32 ||
      !isa<BuiltinType>(Type.getCanonicalType().getUnqualifiedType()) ||
      !isInt(L.End->getType(), Context) || !fits(L.Start, *T, Context) ||
      !fits(L.End, IntType(), Context))
    return false;
  std::optional<int64_t> From = constant(L.Start, Context),
                         To = constant(L.End, Context);
  if (To)
    *To += L.isInclusive() ? 1 : 0;
  bool Known = From && To;
  return !(To && *To > Range::of(*T).Hi) && (Known || T->Bits == 32) &&
         !(Known && *From > *To);
}

} // namespace clrewrite::rewrite
