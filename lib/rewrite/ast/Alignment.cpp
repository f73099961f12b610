// An address is taken apart into the argument that it is computed from, and
// terms whose powers of two are known.
#include "rewrite/ast/Alignment.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/text/Directives.h"
#include "clang/AST/Attr.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// Vectors have at most 16 elements.
constexpr unsigned MostTwos = 4;

/// Parentheses and casts around \p E hold a choice among expressions, of which
/// another build may choose another one.
bool isChosen(const Expr *E) {
  for (;;) {
    if (isa<ChooseExpr, GenericSelectionExpr>(E))
      return true;
    if (const auto *P = dyn_cast<ParenExpr>(E))
      E = P->getSubExpr();
    else if (const auto *C = dyn_cast<CastExpr>(E))
      E = C->getSubExpr();
    else
      return false;
  }
}

} // namespace

Alignment::Alignment(const FunctionDecl &Function, const ASTContext &Context)
    : Context(Context), HostCalls(Function.hasAttr<DeviceKernelAttr>()),
      InFunction(Function.getBody(), Function, Context) {
  for (const Decl *D : Context.getTranslationUnitDecl()->decls())
    if (const auto *F = dyn_cast<FunctionDecl>(D);
        F && F->doesThisDeclarationHaveABody())
      HostCalls &= namesOf(&Function, F->getBody()).empty();
  HostCalls = HostCalls && isNamedOnce(Function, Context);
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
  // `int x = x + 1;` means the new x.
  return V && V->hasLocalStorage() && InFunction.keeps(V) &&
                 !mentions(V->getInit(), V)
             ? V
             : nullptr;
}

const ParmVarDecl *Alignment::base(const Expr *E, QualType Element,
                                   unsigned Twos) const {
  if (isChosen(E))
    return nullptr;
  E = E->IgnoreParenCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_AddrOf) {
    const auto *X =
        dyn_cast<ArraySubscriptExpr>(U->getSubExpr()->IgnoreParens());
    return X && sameElement(X->getType(), Element, Context) &&
                   twosIn(X->getIdx()) >= Twos
               ? base(X->getBase(), Element, Twos)
               : nullptr;
  }
  // A cast to another element's type would change what is counted.
  QualType T = E->getType();
  if (!T->isPointerType() ||
      !sameElement(T->getPointeeType(), Element, Context))
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
  if (isChosen(E))
    return 0;
  E = E->IgnoreParens();
  if (!E->getType()->isIntegerType() || E->getType()->isBooleanType())
    return 0;
  // Another build may have another number there.
  if (std::optional<int64_t> N = constant(E, Context))
    return isStableText(E, Context)
               ? std::min(MostTwos, unsigned(countr_zero(uint64_t(*N))))
               : 0;
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
    if (std::optional<int64_t> N = constant(B->getRHS(), Context);
        N && uint64_t(*N) < Context.getTypeSize(B->getType()) &&
        isStableText(B->getRHS(), Context))
      return std::min(MostTwos, Left + unsigned(*N));
    return Left;
  default:
    return 0;
  }
}

unsigned Alignment::likelyRest(const Expr *Pointer, unsigned Count) const {
  return unsigned(likely(Pointer) & (Count - 1));
}

/// An integer, or a pointer in elements, in which everything unknown is 0.
uint64_t Alignment::likely(const Expr *E) const {
  E = E->IgnoreParens();
  if (std::optional<int64_t> N = constant(E, Context))
    return uint64_t(*N);
  if (const auto *C = dyn_cast<CastExpr>(E))
    return likely(C->getSubExpr());
  if (const VarDecl *V = fixedVariable(E))
    return V->getInit() && !isa<ParmVarDecl>(V) ? likely(V->getInit()) : 0;
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    const auto *X =
        dyn_cast<ArraySubscriptExpr>(U->getSubExpr()->IgnoreParens());
    if (U->getOpcode() == UO_AddrOf && X)
      return likely(X->getBase()) + likely(X->getIdx());
    return U->getOpcode() == UO_Minus ? -likely(U->getSubExpr()) : 0;
  }
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (!B || B->isAssignmentOp())
    return 0;
  uint64_t Left = likely(B->getLHS()), Right = likely(B->getRHS());
  switch (B->getOpcode()) {
  case BO_Mul:
    return Left * Right;
  case BO_Add:
    return Left + Right;
  case BO_Sub:
    return Left - Right;
  case BO_Shl:
    return Right < 64 ? Left << Right : 0;
  default:
    return 0;
  }
}

} // namespace clrewrite::rewrite
