// Following 64-bit indices through a function as if they had 32 bits.
//
// Every expression has an old value, computed in its old type, and a new one.
// The new one serves in place of the old in two degrees:
//   Low    their low 32 bits are the same: enough for what is converted to a
//          type of at most 32 bits, as in `int y = gid - 1`;
//   Exact  the new one extended to 64 bits is the old one: enough for offsets
//   of
//          pointers, and needed by comparisons, divisions and conversions.
// A use says which it needs, and operators pass that on to their operands.
//
// +, -, *, shifts to the left and bitwise operators on int keep Exact as long
// as nothing overflows, below zero as well: int -1 extends to the old 2^64 - 1.
// In uint a result below zero is not Exact any more. Comparisons, divisions and
// shifts to the right may read another sign: size_t became int, so a negative
// operand was huge and is not so now. A comparison, and a divisor, can be
// converted to uint; what is divided or shifted must be known not to be
// negative. Shift counts are taken modulo the width, so those from 32 to 63
// would become others. That nothing overflows is known where the bounds say so,
// else assumed.
#include "Narrowing.h"
#include "NarrowingTrial.h"
#include "frontend/RawTokens.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/ast/WorkItemUse.h"
#include "rewrite/text/Directives.h"
#include "clang/AST/Attr.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::narrow_index {

Narrowing Trial::run() {
  walk(F.getBody());
  size_t Names = 0;
  for (const VarDecl *V : Vars.Indices)
    Names += namesOf(V, F.getBody()).size();
  if (Seen != Names) // typeof
    stop(Narrowing::TypeShows, nullptr);
  return std::move(Out);
}

/// A work-group has fewer than 2^31 work-items on every device; the other ids
/// and sizes have no such bound.
static Range idBounds(const CallExpr *Call, const FunctionDecl &F,
                      const ASTContext &Context) {
  bool Size = calleeName(Call).ends_with("local_size");
  if (!Size && calleeName(Call) != "get_local_id")
    return {0, INT64_MAX};
  int64_t Most = maxIntN(32);
  std::optional<int64_t> D = constant(Call->getArg(0), Context);
  // A kernel that another one calls, in one build or another, runs in the
  // other's groups.
  if (std::vector<uint64_t> Sizes = stableGroup(F);
      D && !Sizes.empty() && isNamedOnce(F, Context))
    Most = *D >= 0 && *D < 3 ? int64_t(Sizes[*D]) : 1;
  return {0, Size ? Most : Most - 1};
}

void Trial::walk(const Stmt *S) {
  if (!S)
    return;
  if (const auto *E = dyn_cast<Expr>(S)) {
    visit(E, Exact);
    return;
  }
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    for (const Decl *Each : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Each))
        declare(V->getCanonicalDecl());
    return;
  }
  if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    if (visit(bareInteger(Switch->getCond()), Low).Changed)
      stop(Narrowing::TypeShows, Switch->getCond());
  for (const Stmt *Child : S->children())
    if (!isa<SwitchStmt>(S) || !isa_and_nonnull<Expr>(Child))
      walk(Child);
}

void Trial::declare(const VarDecl *V) {
  const Expr *Init = V->getInit();
  if (!Init)
    return;
  if (!Vars.Indices.contains(V)) {
    visit(Init, Exact);
    return;
  }
  Value New = visit(bareInteger(Init), Low);
  bool Fits = New.Bounds.within(Range::of(To));
  bool Once = Vars.Definitions.lookup(V).size() == 1;
  Out.Assumed |= !Fits || !Once;
  if (Fits && Once)
    Known[V] = New.Bounds;
}

Value Trial::plain(const Expr *E) const {
  Value New{typeOf(E)};
  Expr::EvalResult R;
  if (!New.Type)
    return New;
  New.Bounds = Range::of(*New.Type);
  if (!E->isValueDependent() && isStableText(E, Context) &&
      E->EvaluateAsInt(R, Context) && R.Val.getInt().isRepresentableByInt64())
    New.Bounds = {R.Val.getInt().getExtValue(), R.Val.getInt().getExtValue()};
  return New;
}

Value Trial::visit(const Expr *E, Need N) {
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<CastExpr>(E))
    return visitCast(C, N);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return visitBinary(B, N);
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return visitUnary(U, N);
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return visitConditional(C, N);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return visitCall(Call);
  if (isa<DeclRefExpr>(E)) {
    const VarDecl *V = Vars.index(E);
    Seen += V != nullptr;
    return V ? indexValue(V, N) : plain(E);
  }
  if (isa<UnaryExprOrTypeTraitExpr>(E)) {
    for (const VarDecl *V : Vars.Indices)
      if (!namesOf(V, E).empty())
        stop(Narrowing::TypeShows, E);
    return plain(E);
  }
  if (isa<StmtExpr>(E) && typeOf(E))
    stop(Narrowing::TypeShows, E);
  bool Converts = isa<ArraySubscriptExpr, InitListExpr>(E);
  for (const Stmt *Child : E->children()) {
    const auto *Sub = dyn_cast_or_null<Expr>(Child);
    if (!Sub)
      walk(Child);
    else if (visit(Sub, Exact).Changed && !Converts)
      stop(Narrowing::TypeShows, Sub);
  }
  return plain(E);
}

Value Trial::indexValue(const VarDecl *V, Need N) {
  if (!To.Signed && N == Exact && !trusting([&] { return Sign.ofVariable(V); }))
    stop(Narrowing::Wraps, nullptr);
  auto It = Known.find(V);
  return {To, true, It == Known.end() ? Range::of(To) : It->second};
}

Value Trial::operand(const Expr *E, Need N) {
  E = bareInteger(E);
  if (!isIndexCall(E) || N == Low || E->getBeginLoc().isMacroID())
    return visit(E, N);
  Out.Conversions.push_back(E);
  Range Ids = idBounds(cast<CallExpr>(E->IgnoreParens()), F, Context);
  if (!Ids.within(Range::of(To))) {
    Out.Assumed = true;
    Ids.Hi = Range::of(To).Hi;
  }
  return {To, true, Ids};
}

Value Trial::visitCast(const CastExpr *C, Need N) {
  const Expr *Sub = C->getSubExpr();
  Value Cast = plain(C);
  switch (C->getCastKind()) {
  case CK_LValueToRValue:
    if (const VarDecl *V = Vars.index(Sub)) {
      ++Seen;
      return indexValue(V, N);
    }
    visit(Sub, Exact);
    return Cast;
  case CK_IntegralCast:
  case CK_NoOp:
  case CK_ToVoid: {
    Value New = visit(Sub, Cast.Type && Cast.Type->Bits > 32 ? N : Low);
    if (isa<ImplicitCastExpr>(C) && C->getCastKind() == CK_NoOp)
      return New;
    if (Cast.Type && New.Bounds.within(Cast.Bounds))
      Cast.Bounds = New.Bounds;
    return Cast;
  }
  case CK_IntegralToFloating: {
    Value New = visit(Sub, Exact);
    std::optional<IntType> Old = typeOf(Sub);
    if (New.Changed && New.Type->Signed && Old && !Old->Signed &&
        New.Bounds.Lo < 0)
      requireNotNegative(Sub);
    return Cast;
  }
  case CK_IntegralToBoolean:
  case CK_VectorSplat:
    visit(Sub, Exact);
    return Cast;
  default:
    if (visit(Sub, Exact).Changed)
      stop(Narrowing::TypeShows, Sub);
    return Cast;
  }
}

Value Trial::visitUnary(const UnaryOperator *U, Need N) {
  const Expr *Sub = U->getSubExpr();
  if (U->isIncrementDecrementOp() && Vars.index(Sub)) {
    Out.Assumed = true;
    return visit(Sub, N);
  }
  Value New = visit(Sub, U->getOpcode() == UO_LNot ? Exact : N);
  if (!New.Changed || U->getOpcode() == UO_LNot)
    return plain(U);
  if (U->getOpcode() == UO_Plus)
    return New;
  if (U->getOpcode() != UO_Minus && U->getOpcode() != UO_Not) {
    stop(Narrowing::TypeShows, U);
    return New;
  }
  if (!New.Type->Signed && N == Exact)
    stop(Narrowing::Wraps, U);
  New.Bounds = Range::of(*New.Type);
  return New;
}

Value Trial::visitConditional(const ConditionalOperator *C, Need N) {
  visit(C->getCond(), Exact);
  if (!typeOf(C)) {
    if (visit(C->getTrueExpr(), Exact).Changed ||
        visit(C->getFalseExpr(), Exact).Changed)
      stop(Narrowing::TypeShows, C);
    return plain(C);
  }
  Value A = operand(C->getTrueExpr(), N), B = operand(C->getFalseExpr(), N);
  if (!A.Changed && !B.Changed)
    return plain(C);
  IntType New = commonType(*A.Type, *B.Type);
  if (!New.Signed && New.Bits == 32 && N == Exact)
    for (auto [Arm, E] :
         {std::pair(A, C->getTrueExpr()), std::pair(B, C->getFalseExpr())})
      if (Arm.Type->Signed && !Sign.notNegative(E))
        stop(Narrowing::Wraps, E);
  return {New, true, A.Bounds.join(B.Bounds)};
}

Value Trial::visitCall(const CallExpr *Call) {
  if (isIndexCall(Call)) {
    Value Id = plain(Call);
    Id.Bounds = idBounds(Call, F, Context);
    return Id;
  }
  const FunctionDecl *Callee = Call->getDirectCallee();
  StringRef Name = calleeName(Call);
  bool Overloaded =
      !Callee || ((Callee->hasAttr<OverloadableAttr>() ||
                   Callee->getBuiltinID() != 0 || isBuiltinCall(Call)) &&
                  !Name.starts_with("vload") && !Name.starts_with("vstore"));
  for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
    // What the argument is by itself chooses an overload, and is passed on
    // by `...`.
    bool Free =
        Overloaded || I >= Callee->getNumParams() || !Callee->hasPrototype();
    const Expr *Arg = Call->getArg(I);
    if (visit(Free ? beforeConversion(Arg) : Arg, Exact).Changed && Free)
      stop(Narrowing::TypeShows, Arg);
  }
  return plain(Call);
}

const Expr *Trial::beforeConversion(const Expr *E) {
  while (true) {
    E = E->IgnoreParens();
    const auto *C = dyn_cast<ImplicitCastExpr>(E);
    if (!C || C->getCastKind() == CK_LValueToRValue)
      return E;
    E = C->getSubExpr();
  }
}

Value Trial::visitBinary(const BinaryOperator *B, Need N) {
  const Expr *L = B->getLHS(), *R = B->getRHS();
  if (B->isAssignmentOp())
    return visitAssignment(B, N);
  if (B->isCommaOp()) {
    visit(L, Exact);
    return visit(R, N);
  }
  if (typeOf(bareInteger(L)) && typeOf(bareInteger(R)) && typeOf(B) &&
      !B->isLogicalOp())
    return arithmetic(B->getOpcode(), L, R, plain(B), N);
  // Pointers and logical operators take any integer, vectors do not.
  bool Any = B->isLogicalOp() || L->getType()->isPointerType() ||
             R->getType()->isPointerType();
  for (const Expr *E : {L, R})
    if (visit(E, Exact).Changed && !Any)
      stop(Narrowing::TypeShows, E);
  return plain(B);
}

Value Trial::visitAssignment(const BinaryOperator *B, Need Wanted) {
  const Expr *L = B->getLHS(), *R = B->getRHS();
  BinaryOperatorKind Op =
      B->isCompoundAssignmentOp()
          ? BinaryOperator::getOpForCompoundAssignment(B->getOpcode())
          : BO_Assign;
  if (const VarDecl *V = Vars.index(L)) {
    Out.Assumed = true;
    if (Op == BO_Assign) {
      ++Seen;
      visit(bareInteger(R), Low);
    } else {
      arithmetic(Op, L, R, plain(B), Low);
    }
    return indexValue(V, Wanted);
  }
  std::optional<IntType> Target = typeOf(L);
  Need N = Target && Target->Bits <= 32 ? Low : Exact;
  if (Op != BO_Assign && Target && typeOf(bareInteger(R))) {
    arithmetic(Op, L, R, plain(B), N);
    return plain(B);
  }
  visit(L, Exact);
  if (visit(R, N).Changed && !Target && !L->getType()->isPointerType())
    stop(Narrowing::TypeShows, B);
  return plain(B);
}

Narrowing narrowed(const IndexVariables &V, const FunctionDecl &Function,
                   IntType To, const ASTContext &Context) {
  return Trial(V, Function, To, Context).run();
}

} // namespace clrewrite::rewrite::narrow_index
