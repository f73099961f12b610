// What the source tells of how addresses are aligned.
#include "rewrite/Alignment.h"
#include "rewrite/Elements.h"
#include "clang/AST/Attr.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite {
namespace {

/// Vectors have at most 16 elements.
constexpr unsigned MostTwos = 4;

} // namespace

Alignment::Alignment(const FunctionDecl &Function, const ASTContext &Context)
    : Context(Context), HostCalls(Function.hasAttr<DeviceKernelAttr>()),
      Changing(addressTaken(Function)) {
  for (const VarDecl *V : assignedIn(Function.getBody()))
    Changing.insert(V);
  for (const Decl *D : Context.getTranslationUnitDecl()->decls())
    if (const auto *F = dyn_cast<FunctionDecl>(D);
        F && F->doesThisDeclarationHaveABody())
      HostCalls &= namesOf(&Function, F->getBody()).empty();
}

const ParmVarDecl *Alignment::buffer(const Expr *Pointer,
                                     unsigned Count) const {
  QualType T = Pointer->getType();
  return HostCalls && T->isPointerType()
             ? base(Pointer, T->getPointeeType(), Log2_32(Count))
             : nullptr;
}

const VarDecl *Alignment::fixedVariable(const Expr *E) const {
  const auto *D = dyn_cast<DeclRefExpr>(E);
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  return V && V->hasLocalStorage() && !V->getType().isVolatileQualified() &&
                 !Changing.contains(V->getCanonicalDecl())
             ? V
             : nullptr;
}

bool Alignment::isElement(QualType T, QualType Element) const {
  auto plain = [&](QualType Of) {
    return Of.getCanonicalType().getUnqualifiedType();
  };
  return plain(Context.removeAddrSpaceQualType(T)) ==
         plain(Context.removeAddrSpaceQualType(Element));
}

const ParmVarDecl *Alignment::base(const Expr *E, QualType Element,
                                   unsigned Twos) const {
  E = E->IgnoreParenCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_AddrOf) {
    const auto *X =
        dyn_cast<ArraySubscriptExpr>(U->getSubExpr()->IgnoreParens());
    return X && isElement(X->getType(), Element) && twosIn(X->getIdx()) >= Twos
               ? base(X->getBase(), Element, Twos)
               : nullptr;
  }
  // A cast to another element's type would change what is counted.
  QualType T = E->getType();
  if (!T->isPointerType() || !isElement(T->getPointeeType(), Element))
    return nullptr;
  if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAdditiveOp()) {
    bool Left = B->getLHS()->getType()->isPointerType();
    const Expr *Pointer = Left ? B->getLHS() : B->getRHS();
    return twosIn(Left ? B->getRHS() : B->getLHS()) >= Twos
               ? base(Pointer, Element, Twos)
               : nullptr;
  }
  const VarDecl *V = fixedVariable(E);
  if (const auto *P = dyn_cast_or_null<ParmVarDecl>(V))
    return P;
  return V && V->getInit() ? base(V->getInit(), Element, Twos) : nullptr;
}

/// How many factors of two \p E has at least, which holds through wrap-around
/// and conversions: integers are taken modulo powers of two.
unsigned Alignment::twosIn(const Expr *E) const {
  E = E->IgnoreParens();
  if (!E->getType()->isIntegerType() || E->getType()->isBooleanType())
    return 0;
  Expr::EvalResult Value;
  if (E->EvaluateAsInt(Value, Context)) {
    const APSInt &I = Value.Val.getInt();
    return I.isZero() ? MostTwos : std::min(MostTwos, I.countr_zero());
  }
  if (const auto *C = dyn_cast<CastExpr>(E))
    return twosIn(C->getSubExpr()); // no integer before: 0
  if (const VarDecl *V = fixedVariable(E))
    return V->getInit() && !isa<ParmVarDecl>(V) ? twosIn(V->getInit()) : 0;
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (!B || B->isAssignmentOp())
    return 0;
  unsigned Left = twosIn(B->getLHS()), Right = twosIn(B->getRHS());
  switch (B->getOpcode()) {
  case BO_Mul:
    return std::min(MostTwos, Left + Right);
  case BO_Add:
  case BO_Sub:
    return std::min(Left, Right);
  case BO_And:
    return std::max(Left, Right);
  case BO_Shl:
    // A count of the type's width or more is taken modulo that width.
    if (B->getRHS()->EvaluateAsInt(Value, Context) &&
        Value.Val.getInt().getLimitedValue() <
            Context.getTypeSize(B->getType()))
      return unsigned(std::min<uint64_t>(
          MostTwos, Left + Value.Val.getInt().getZExtValue()));
    return Left;
  default:
    return 0;
  }
}

} // namespace clrewrite
