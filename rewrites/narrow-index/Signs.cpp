// An expression is not negative where its operands are not, by induction over
// the AST; a variable is not where it starts at 0 or more and only grows.
#include "Signs.h"
#include "rewrite/affine/IntegerRange.h"
#include "rewrite/ast/MacroStability.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::narrow_index {

bool Signs::notNegative(const Expr *E) {
  std::optional<IntType> As = intType(E->getType(), Context);
  E = bareInteger(E);
  std::optional<IntType> T = intType(E->getType(), Context);
  Expr::EvalResult R;
  if (!T || !As)
    return false;
  if (isStableText(E, Context) && E->EvaluateAsInt(R, Context))
    return !R.Val.getInt().isNegative();
  // Converted on the way to a type that may see another sign.
  bool Wide = T->Bits > As->Bits && !isMadeOfIndices(E, Vars, Context);
  bool Sign = T->Bits == As->Bits && T->Bits <= 32 && !T->Signed;
  if (As->Signed && (Wide || Sign))
    return false;
  if (isIndexCall(E) || (!T->Signed && T->Bits <= 32))
    return true;
  if (const VarDecl *V = Vars.index(E)) // as in V >>= 1
    return ofVariable(V);
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    if (const VarDecl *V = Vars.index(C->getSubExpr()))
      return ofVariable(V);
    if (C->getCastKind() == CK_LValueToRValue)
      return ofLocal(C->getSubExpr());
    std::optional<IntType> From =
        intType((C->getSubExpr())->getType(), Context);
    return From && From->Bits < T->Bits && notNegative(C->getSubExpr());
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->isIncrementDecrementOp() && ofLocal(U->getSubExpr());
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return notNegative(C->getTrueExpr()) && notNegative(C->getFalseExpr());
  const auto *B = dyn_cast<BinaryOperator>(E);
  return B && notNegative(B->getOpcode(), B->getLHS(), B->getRHS());
}

bool Signs::notNegative(BinaryOperatorKind Op, const Expr *L, const Expr *R) {
  switch (Op) {
  case BO_Add:
  case BO_Mul:
  case BO_Div:
  case BO_Or:
  case BO_Xor:
    return notNegative(L) && notNegative(R);
  case BO_Rem:
  case BO_Shr:
  case BO_Shl:
    return notNegative(L);
  case BO_And:
    return notNegative(L) || notNegative(R);
  default:
    return BinaryOperator::isComparisonOp(Op) ||
           BinaryOperator::isLogicalOp(Op);
  }
}

bool Signs::ofLocal(const Expr *LValue) {
  const VarDecl *V = privateVariable(LValue, F);
  if (const auto *P = dyn_cast_or_null<ParmVarDecl>(V))
    return Trusts && Vars.Definitions.lookup(P).empty();
  return V && ofVariable(V);
}

bool Signs::withParameters(function_ref<bool()> Ask) {
  auto Outer = std::exchange(Asked, {});
  Trusts = true;
  bool Fine = Ask();
  Trusts = false;
  Asked = std::move(Outer);
  return Fine;
}

bool Signs::ofVariable(const VarDecl *V) {
  auto It = Vars.Definitions.find(V);
  std::optional<IntType> T = intType(V->getType(), Context);
  if (It == Vars.Definitions.end() || Addressed.contains(V) || !T)
    return false;
  // A char wraps, and so does an int that is computed in another type.
  if (T->Signed && T->Bits < 32)
    return false;
  auto wraps = [&](const Expr *Value) {
    std::optional<IntType> From =
        intType(bareInteger(Value)->getType(), Context);
    if (!From || !T->Signed || T->Bits > 32)
      return !From;
    return From->Bits > 32 ? !isMadeOfIndices(Value, Vars, Context)
                           : From->Bits == 32 && !From->Signed;
  };
  if (is_contained(Asked, V))
    return true; // by induction
  size_t Before = Asked.size();
  Asked.push_back(V);
  bool Fine = all_of(It->second, [&](const Definition &D) {
    if (!D.Value)
      return D.Op == BO_Add;
    if (wraps(D.Value))
      return false;
    switch (D.Op) {
    case BO_Shr:
    case BO_Rem:
    case BO_And:
      return true; // as it was before, or less
    case BO_Assign:
    case BO_Add:
    case BO_Mul:
    case BO_Div:
      return notNegative(D.Value);
    default:
      return false;
    }
  });
  if (!Fine)
    Asked.truncate(Before); // what was built on it falls as well
  return Fine;
}

} // namespace clrewrite::rewrite::narrow_index
