// The part of the walk over a region that knows each kind of expression.
// LaneUse.cpp says how the walk works.
#include "LaneWalk.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::split_vector {

/// An operator works on the lanes of \p Result's type: scalars would promote
/// small integers first, and compilers take it that signed ones don't overflow.
void LaneWalk::arithmetic(const Expr *Result, bool MayOverflow) {
  const auto *V = Result->getType().getCanonicalType()->getAs<ExtVectorType>();
  if (!V)
    return;
  QualType Lane = V->getElementType();
  Out.ScalarsDiffer |= Context.getTypeSize(Lane) < 32 ||
                       (MayOverflow && Lane->isSignedIntegerType());
}

/// The result may lie outside of a signed integer's range.
static bool mayOverflow(BinaryOperatorKind Op) {
  return is_contained({BO_Add, BO_AddAssign, BO_Sub, BO_SubAssign, BO_Mul,
                       BO_MulAssign, BO_Shl, BO_ShlAssign},
                      Op);
}

/// A scalar operand is converted to the lanes' type; with a scalar partner the
/// usual conversions might choose another.
void LaneWalk::scalarOperand(const Expr *E) {
  const auto *C = dyn_cast<ImplicitCastExpr>(E->IgnoreParens());
  if (!C || C->getCastKind() != CK_VectorSplat)
    return;
  QualType Lane = laneOf(C->getType().getCanonicalType());
  const Expr *Scalar = C->getSubExpr()->IgnoreParenImpCasts();
  bool SmallLiteral = isa<IntegerLiteral>(Scalar) &&
                      Context.getTypeSize(Scalar->getType()) == 32 &&
                      Scalar->getType()->isSignedIntegerType();
  Out.ScalarsDiffer |=
      !SmallLiteral && !Context.hasSameUnqualifiedType(Scalar->getType(), Lane);
}

void LaneWalk::name(const DeclRefExpr *Ref) {
  const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
  if (!V)
    return;
  if (isPrivate(V)) {
    if (variableLanes(V->getType()) == Lanes &&
        !Own.contains(V->getCanonicalDecl()))
      problem(LaneProblem::Outside, Ref);
    return;
  }
  if (V->getType()->isArrayType())
    return; // What is done with the pointer counts.
  if (isWide(Ref))
    element(Ref, /*Load=*/true, /*Store=*/false);
  else
    access(Ref, Ref, /*Store=*/false, /*Wide=*/false, Ref->getType());
}

void LaneWalk::cast_(const CastExpr *C) {
  const Expr *Sub = C->getSubExpr();
  bool From = isWide(Sub), To = isWide(C);
  switch (C->getCastKind()) {
  case CK_VectorSplat:
  case CK_LValueToRValue:
  case CK_NoOp:
  case CK_ToVoid:
    break;
  case CK_ArrayToPointerDecay:
    // Outside of a subscript: as a pointer it could lead anywhere.
    if (variableLanes(Sub->getType()) == Lanes && isOwn(Sub))
      problem(LaneProblem::Address, Sub);
    break;
  default:
    // (float8)(x) of a float8 is called a bit cast.
    if ((From || To) &&
        !Context.hasSameUnqualifiedType(Sub->getType(), C->getType()))
      problem(LaneProblem::Reseen, C);
  }
  if (const auto *E = dyn_cast<ExplicitCastExpr>(C); E && To)
    type(E->getTypeInfoAsWritten()->getTypeLoc());
  expression(Sub);
}

/// The operands of an lvalue that names a place: its indices and pointers.
void LaneWalk::place(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    expression(A->getIdx());
    const auto *Decay =
        dyn_cast<ImplicitCastExpr>(A->getBase()->IgnoreParens());
    if (Decay && Decay->getCastKind() == CK_ArrayToPointerDecay)
      return place(Decay->getSubExpr());
    if (isWide(A->getBase()))
      problem(LaneProblem::Lane, A);
    return expression(A->getBase());
  }
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    if (variableLanes(M->getType()) == Lanes)
      problem(LaneProblem::Member, M);
    return M->isArrow() ? expression(M->getBase()) : place(M->getBase());
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_Deref)
    return expression(U->getSubExpr());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    // An array's element, or a variable that is written.
    const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
    if (V && isPrivate(V) && variableLanes(V->getType()) == Lanes &&
        !Own.contains(V->getCanonicalDecl()))
      problem(LaneProblem::Outside, Ref);
    return;
  }
  expression(E);
}

/// The pointer that a place in memory is reached by, or the array's name.
static const Expr *pointerTo(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    const Expr *Base = A->getBase()->IgnoreParens();
    const auto *Decay = dyn_cast<ImplicitCastExpr>(Base);
    if (Decay && Decay->getCastKind() == CK_ArrayToPointerDecay)
      return pointerTo(Decay->getSubExpr());
    return Base;
  }
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return M->isArrow() ? M->getBase() : pointerTo(M->getBase());
  if (const auto *X = dyn_cast<ExtVectorElementExpr>(E))
    return X->isArrow() ? X->getBase() : pointerTo(X->getBase());
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_Deref)
    return U->getSubExpr();
  return E;
}

/// A vector in memory, as an lvalue.
void LaneWalk::element(const Expr *E, bool Load, bool Store) {
  E = E->IgnoreParens();
  Out.Elements.push_back(E);
  QualType Lane = laneOf(E->getType().getCanonicalType());
  if (Load)
    access(E, pointerTo(E), false, true, Lane);
  if (Store)
    access(E, pointerTo(E), true, true, Lane);
}

/// What an assignment writes.
void LaneWalk::target(const Expr *LHS, bool AlsoRead) {
  LHS = LHS->IgnoreParens();
  if (LHS->getType().isVolatileQualified())
    problem(LaneProblem::Effects, LHS);
  Storage S = storageOf(LHS);
  if (S.isPrivate()) {
    if (!Own.contains(S.Variable))
      problem(LaneProblem::Assigns, LHS);
  } else if (isWide(LHS) &&
             isa<ArraySubscriptExpr, UnaryOperator, DeclRefExpr>(LHS)) {
    element(LHS, AlsoRead, /*Store=*/true);
  } else {
    problem(LaneProblem::Effects, LHS);
  }
  place(LHS);
}

void LaneWalk::address(const Expr *Of) {
  Of = Of->IgnoreParens();
  if (variableLanes(Of->getType()) == Lanes && isOwn(Of))
    problem(LaneProblem::Address, Of);
  place(Of);
}

void LaneWalk::unary(const UnaryOperator *U) {
  switch (U->getOpcode()) {
  case UO_AddrOf:
    return address(U->getSubExpr());
  case UO_Deref:
    if (isWide(U))
      element(U, /*Load=*/true, /*Store=*/false);
    else
      access(U, U->getSubExpr(), false, false, U->getType());
    return expression(U->getSubExpr());
  case UO_PreInc:
  case UO_PostInc:
  case UO_PreDec:
  case UO_PostDec:
    if (isWide(U))
      arithmetic(U, /*MayOverflow=*/true);
    return target(U->getSubExpr(), /*AlsoRead=*/true);
  default:
    if (isWide(U)) {
      arithmetic(U, U->getOpcode() == UO_Minus);
      Out.ScalarsDiffer |= U->getOpcode() == UO_LNot;
    }
    return expression(U->getSubExpr());
  }
}

void LaneWalk::binary(const BinaryOperator *B) {
  if (isWide(B)) {
    if (!B->isCommaOp() && B->getOpcode() != BO_Assign) {
      arithmetic(B, mayOverflow(B->getOpcode()));
      scalarOperand(B->getLHS());
      scalarOperand(B->getRHS());
    }
    Out.ScalarsDiffer |= B->isComparisonOp() || B->isLogicalOp();
  }
  if (B->isAssignmentOp())
    target(B->getLHS(), B->isCompoundAssignmentOp());
  else
    expression(B->getLHS());
  expression(B->getRHS());
}

/// vloadN, vstoreN and the half forms.
void LaneWalk::move(const CallExpr *C, const LaneName &N) {
  bool Wide = N.Lanes == Lanes;
  const Expr *Pointer = C->getArg(N.stores() ? 2 : 1);
  QualType To = Pointer->getType()->getPointeeType();
  if (To.isVolatileQualified() || (N.stores() && !Wide))
    problem(LaneProblem::Effects, C);
  access(C, Pointer, N.stores(), Wide, To);
  if (Wide) {
    Out.Moves.push_back(C);
    Out.ScalarsDiffer |= N.Head != "vload" && N.Head != "vstore";
  }
  for (const Expr *Arg : C->arguments())
    expression(Arg);
}

void LaneWalk::laneWise(const CallExpr *C) {
  llvm::StringRef Name = calleeName(C);
  Out.ScalarsDiffer |= isLaneTest(Name);
  Out.BuiltIns.insert(Name.str());
  if (mayRoundByWidth(Name))
    Out.RoundByWidth.insert(Name.str());
  arithmetic(C, /*MayOverflow=*/false);
  bool Fits = isWide(C);
  for (const Expr *Arg : C->arguments()) {
    QualType T = Arg->getType();
    Fits &= isWide(Arg) || T->isArithmeticType();
    if (isWide(Arg))
      arithmetic(Arg, /*MayOverflow=*/false);
    scalarOperand(Arg);
    // A scalar form might be chosen by what the argument was before.
    Out.ScalarsDiffer |= !Context.hasSameUnqualifiedType(
        Arg->IgnoreParenImpCasts()->getType(), T);
    expression(Arg);
  }
  if (!Fits)
    problem(LaneProblem::Mixed, C);
}

void LaneWalk::uniformCall(const CallExpr *C) {
  if (!isPure(C))
    problem(LaneProblem::Effects, C);
  if (!isBuiltinCall(C) && readsMemory(C))
    access(C, nullptr, false, false, {});
  for (const Expr *Arg : C->arguments()) {
    if (isBuiltinCall(C) && Arg->getType()->isPointerType())
      access(Arg, Arg, false, false, {});
    expression(Arg);
  }
}

void LaneWalk::call(const CallExpr *C) {
  const FunctionDecl *F = C->getDirectCallee();
  if (!F || !F->getIdentifier())
    return problem(LaneProblem::Effects, C);
  llvm::StringRef Name = F->getName();
  std::optional<LaneName> N = isBuiltinCall(C) ? laneName(Name) : std::nullopt;
  if (N && (N->loads() || N->stores()))
    return move(C, *N);
  bool Wide = isWide(C) || any_of(C->arguments(),
                                  [&](const Expr *Arg) { return isWide(Arg); });
  if (!Wide)
    return uniformCall(C);
  if (!isBuiltinCall(C)) {
    Out.HelperCalls.push_back(C);
    Out.ScalarsDiffer = true; // Known only after a look at its body.
  } else if (N && N->Lanes == Lanes && isWide(C) && isWide(C->getArg(0))) {
    Out.Conversions.push_back(C);
  } else if (isLaneWise(Name)) {
    return laneWise(C);
  } else {
    problem(LaneProblem::Mixed, C);
  }
  for (const Expr *Arg : C->arguments())
    expression(Arg);
}

void LaneWalk::expression(const Expr *E) {
  if (E->getType().isVolatileQualified())
    problem(LaneProblem::Effects, E);
  if (const auto *C = dyn_cast<CastExpr>(E))
    return cast_(C);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return name(Ref);
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return unary(U);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return binary(B);
  if (const auto *C = dyn_cast<CallExpr>(E))
    return call(C);
  if (const auto *A = dyn_cast<AsTypeExpr>(E)) {
    if (isWide(A) != isWide(A->getSrcExpr()))
      problem(LaneProblem::Reseen, A);
    else if (isWide(A))
      Out.Reinterpreted.push_back(A);
    Out.ScalarsDiffer |= isWide(A);
    return expression(A->getSrcExpr());
  }
  if (const auto *X = dyn_cast<ExtVectorElementExpr>(E)) {
    if (isWide(X) || (!X->isArrow() && isWide(X->getBase())) ||
        (X->isArrow() &&
         laneCount(X->getBase()->getType()->getPointeeType()) == Lanes))
      problem(LaneProblem::Lane, X);
    if (X->isArrow())
      access(X, X->getBase(), false, false, X->getType());
    return expression(X->getBase());
  }
  if (isa<ArraySubscriptExpr, MemberExpr>(E)) {
    const auto *A = dyn_cast<ArraySubscriptExpr>(E);
    if (A && A->getBase()->getType()->isVectorType()) {
      if (isWide(A->getBase()))
        problem(LaneProblem::Lane, A);
      return operands(E);
    }
    if (!storageOf(E).isPrivate()) {
      if (A && isWide(A))
        element(A, /*Load=*/true, /*Store=*/false);
      else
        access(E, pointerTo(E), false, false, E->getType());
    }
    return place(E);
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    Out.ScalarsDiffer |= isWide(C->getCond());
    scalarOperand(C->getTrueExpr());
    scalarOperand(C->getFalseExpr());
    return operands(E);
  }
  if (isa<InitListExpr>(E)) {
    if (isWide(E))
      problem(LaneProblem::Made, E);
    return operands(E);
  }
  if (isa<ParenExpr, ConstantExpr>(E))
    return operands(E);
  bool Literal =
      isa<IntegerLiteral, FloatingLiteral, CharacterLiteral, CXXBoolLiteralExpr,
          ImplicitValueInitExpr, clang::StringLiteral>(E);
  if (const auto *T = dyn_cast<UnaryExprOrTypeTraitExpr>(E)) {
    if (variableLanes(T->getTypeOfArgument()) == Lanes)
      problem(LaneProblem::Sized, T);
    return;
  }
  if (isa<CompoundLiteralExpr, ShuffleVectorExpr, ConvertVectorExpr>(E)) {
    if (isWide(E))
      problem(LaneProblem::Made, E);
    return operands(E);
  }
  if (!Literal)
    problem(LaneProblem::Effects, E); // Atomic operations, blocks, ...
}

} // namespace clrewrite::rewrite::split_vector
