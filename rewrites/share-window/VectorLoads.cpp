// The loads of vectors in a function, with their addresses as sums.
//
// All sums are taken modulo 2^64, as MovedIndex does it. What two addresses
// have in common must be the same text, and numbers that differ must stand in
// it, since a macro may be another one with other options.
#include "VectorLoads.h"
#include "rewrite/affine/CountedLoop.h"
#include "rewrite/affine/IntegerRange.h"
#include "rewrite/affine/Polynomial.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/text/Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::share_window {

/// Numbers and factors stay far from what a long holds.
static constexpr int64_t Most = int64_t(1) << 24;

ElementAddress::ElementAddress(const VectorAccess &A, bool FromMacros,
                               const ASTContext &Context)
    : FromMacros(FromMacros), Context(&Context) {
  addPointer(A.Pointer, A.element());
  addInteger(A.Call->getArg(0), A.Lanes);
}

std::optional<int64_t>
ElementAddress::above(const ElementAddress &Other) const {
  if (Parts.size() != Other.Parts.size())
    return std::nullopt;
  ElementAddress Difference = *this;
  for (const Part &P : Other.Parts)
    Difference.add({P.Term, P.Words, -P.Factor});
  return Difference.Parts.empty() ? std::optional(Constant - Other.Constant)
                                  : std::nullopt;
}

std::optional<int64_t> ElementAddress::stepOf(const VarDecl *V) const {
  int64_t Step = 0;
  for (const Part &P : Parts) {
    if (isName(P.Term, V))
      Step += P.Factor;
    else if (mentions(P.Term, V))
      return std::nullopt;
  }
  return Step;
}

void ElementAddress::add(Part P) {
  auto *Same = find_if(Parts, [&](const Part &Mine) {
    return (FromMacros || Mine.Words == P.Words) &&
           sameExpression(Mine.Term, P.Term, *Context);
  });
  if (Same == Parts.end()) {
    Parts.push_back(std::move(P));
    return;
  }
  Same->Factor += P.Factor;
  if (Same->Factor == 0)
    Parts.erase(Same);
}

void ElementAddress::addTerm(const Expr *E, int64_t Factor) {
  std::string Words = spelled(E->IgnoreParenImpCasts(), *Context);
  erase_if(Words, isSpace);
  add({E, std::move(Words), Factor});
}

void ElementAddress::addPointer(const Expr *E, QualType Element) {
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<ImplicitCastExpr>(E);
      C && C->getSubExpr()->getType()->isPointerType() &&
      C->getCastKind() != CK_LValueToRValue)
    return addPointer(C->getSubExpr(), Element);
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_AddrOf)
    if (const auto *X =
            dyn_cast<ArraySubscriptExpr>(U->getSubExpr()->IgnoreParens());
        X && sameElement(X->getType(), Element, *Context)) {
      addPointer(X->getBase(), Element);
      return addInteger(X->getIdx(), 1);
    }
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (B && B->isAdditiveOp() &&
      sameElement(B->getType()->getPointeeType(), Element, *Context)) {
    bool Left = B->getLHS()->getType()->isPointerType();
    addPointer(Left ? B->getLHS() : B->getRHS(), Element);
    return addInteger(Left ? B->getRHS() : B->getLHS(),
                      B->getOpcode() == BO_Sub ? -1 : 1);
  }
  addTerm(E, 1);
}

/// A conversion that is none modulo 2^64.
static bool keeps(const ImplicitCastExpr &C, const ASTContext &Context) {
  std::optional<IntType> From = intType(C.getSubExpr()->getType(), Context),
                         To = intType(C.getType(), Context);
  return C.getCastKind() == CK_IntegralCast && From && To &&
         (To->Bits == 64 || Range::of(*From).within(Range::of(*To)));
}

void ElementAddress::addInteger(const Expr *E, int64_t Factor) {
  E = E->IgnoreParens();
  if (std::abs(Factor) > Most)
    return addTerm(E, Factor);
  if (std::optional<int64_t> N = numberIn(E, FromMacros)) {
    Constant += *N * Factor;
    return;
  }
  if (const auto *C = dyn_cast<ImplicitCastExpr>(E); C && keeps(*C, *Context))
    return addInteger(C->getSubExpr(), Factor);
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_Minus && isWide(E->getType(), *Context))
    return addInteger(U->getSubExpr(), -Factor);
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (B && isWide(E->getType(), *Context)) {
    if (B->isAdditiveOp()) {
      addInteger(B->getLHS(), Factor);
      return addInteger(B->getRHS(),
                        B->getOpcode() == BO_Sub ? -Factor : Factor);
    }
    if (B->getOpcode() == BO_Mul)
      for (auto [Other, N] : {std::pair(B->getLHS(), B->getRHS()),
                              std::pair(B->getRHS(), B->getLHS())})
        if (std::optional<int64_t> By = numberIn(N, FromMacros))
          return addInteger(Other, Factor * *By);
  }
  addTerm(E, Factor);
}

namespace {

/// An array keeps its address, also as an element of an array.
bool isArrayAddress(const Expr *E) {
  const auto *C = dyn_cast<ImplicitCastExpr>(E->IgnoreParens());
  if (!C || C->getCastKind() != CK_ArrayToPointerDecay)
    return false;
  const Expr *Array = C->getSubExpr()->IgnoreParens();
  if (const auto *X = dyn_cast<ArraySubscriptExpr>(Array))
    return isArrayAddress(X->getBase()) && !readsMemory(X->getIdx());
  return isa<DeclRefExpr>(Array);
}

LoadObstacle obstacle(const VectorLoad &F, const VariableSet &Addressed,
                      const ASTContext &Context) {
  const VectorAccess &A = F.Access;
  auto isText = [&](const Expr *E) {
    return text(E->getSourceRange(), Context).has_value();
  };
  if (!isPlainText(A.Call->getSourceRange(), Context) ||
      !all_of(A.Call->arguments(), isText) ||
      !all_of(F.At.Parts,
              [&](const ElementAddress::Part &P) { return isText(P.Term); }))
    return LoadObstacle::Text;
  if (!hasPlainTwin(A) || !sameElement(A.pointee(), A.element(), Context))
    return LoadObstacle::Memory;
  bool Steady = isPure(A.Call) &&
                all_of(F.At.Parts,
                       [&](const ElementAddress::Part &P) {
                         return isArrayAddress(P.Term) || !readsMemory(P.Term);
                       }) &&
                !mentionsAny(A.Call, [&](const VarDecl *V) {
                  return Addressed.contains(V) && !V->getType()->isArrayType();
                });
  return Steady ? LoadObstacle::None : LoadObstacle::Address;
}

} // namespace

std::optional<LoopNumbers> loopNumbers(const ForStmt &Loop,
                                       const ASTContext &Context) {
  std::optional<CountedLoop> H = countedLoop(Loop);
  if (!H || !countsInInt(*H, Context) ||
      H->Variable->getType().isVolatileQualified())
    return std::nullopt;
  std::optional<int64_t> First = constant(H->Start, Context),
                         End = constant(H->End, Context);
  if (!First || !End)
    return std::nullopt;
  LoopNumbers N{H->Variable, *First, *End - (H->isInclusive() ? 0 : 1),
                isWrittenNumber(H->Start) && isWrittenNumber(H->End)};
  return N.First < N.Last ? std::optional(N) : std::nullopt;
}

bool sameKind(const VectorAccess &A, const VectorAccess &B) {
  return A.Vector == B.Vector && A.space() == B.space();
}

std::vector<VectorLoad> vectorLoads(const FunctionDecl &Function,
                                    const ASTContext &Context) {
  const VariableSet Addressed = addressTaken(Function);
  std::vector<VectorLoad> Out;
  for (const CallExpr *Call : allIn<CallExpr>(Function.getBody())) {
    std::optional<VectorAccess> A = vectorAccessOf(Call);
    bool Known = any_of(Out, [&](const VectorLoad &F) {
      return F.Access.Call->getBeginLoc() == Call->getBeginLoc();
    }); // Lists have two forms in the AST.
    if (!A || A->Store || Known)
      continue;
    VectorLoad F{*A, ElementAddress(*A, false, Context),
                 ElementAddress(*A, true, Context)};
    F.Obstacle = obstacle(F, Addressed, Context);
    Out.push_back(std::move(F));
  }
  return Out;
}

bool hasOverlap(const FunctionDecl &Function, LoadObstacle Last,
                ASTContext &Context) {
  std::vector<VectorLoad> All = vectorLoads(Function, Context);
  erase_if(All, [&](const VectorLoad &F) {
    return F.Obstacle != LoadObstacle::None && F.Obstacle <= Last;
  });
  // Numbers from macros can overlap too, though nothing can be done there.
  bool Written = Last != LoadObstacle::None;
  auto overlap = [&](const VectorLoad &A, const VectorLoad &B) {
    if (!sameKind(A.Access, B.Access))
      return false;
    std::optional<int64_t> D =
        Written ? A.At.above(B.At) : A.Loosely.above(B.Loosely);
    return D && *D != 0 && std::abs(*D) < A.Access.Lanes;
  };
  auto moves = [&](const VectorLoad &F, const LoopNumbers &N) {
    std::optional<int64_t> Step =
        (Written ? F.At : F.Loosely).stepOf(N.Variable);
    return Step && *Step && (N.Written || !Written) &&
           std::abs(*Step) * (N.Last - N.First) < F.Access.Lanes;
  };
  for (const ForStmt *Loop : allIn<ForStmt>(Function.getBody()))
    if (std::optional<LoopNumbers> N = loopNumbers(*Loop, Context))
      if (any_of(All, [&](const VectorLoad &F) { return moves(F, *N); }))
        return true;
  for (size_t I = 0; I < All.size(); ++I)
    if (any_of(drop_begin(All, I + 1),
               [&](const VectorLoad &B) { return overlap(All[I], B); }))
      return true;
  return false;
}

} // namespace clrewrite::rewrite::share_window
