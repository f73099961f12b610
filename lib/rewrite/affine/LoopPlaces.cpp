// Which places a loop accesses is read off its indices, as polynomials of which
// the induction variable is a leaf.
#include "rewrite/affine/LoopPlaces.h"
#include "rewrite/ast/Constants.h"
#include "clang/AST/ParentMapContext.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// What offsets are computed in.
constexpr IntType Offsets{64, false};

/// The variable is compared in its own type, which is no narrower than int, and
/// can count to the end.
bool comparesInType(const CountedLoop &L, const ASTContext &Context) {
  std::optional<IntType> T = intType(L.Variable->getType(), Context);
  // An unsigned variable that counts up to its largest value never ends.
  return T && T->Bits >= 32 && (T->Signed || !L.isInclusive()) &&
         intType(L.Until->getLHS()->getType(), Context) == T &&
         intType(L.Start->IgnoreParenImpCasts()->getType(), Context) &&
         intType(L.End->IgnoreParenImpCasts()->getType(), Context);
}

std::optional<CountedLoop> headOf(const ForStmt &Loop, const Invariance &InLoop,
                                  const FunctionDecl &Function,
                                  const ASTContext &Context) {
  // Clang knows no accesses where types depend on a template's parameters.
  if (Function.isDependentContext())
    return std::nullopt;
  std::optional<CountedLoop> L = countedLoop(Loop);
  if (!L || !L->Start || isa<InitListExpr>(L->Start->IgnoreParenImpCasts()) ||
      !L->countsUp(Context) || (L->By && !isWrittenNumber(L->By)) ||
      !comparesInType(*L, Context))
    return std::nullopt;
  // The start and the end are written in front of the loop, too.
  bool Steady = InLoop.isInvariant(L->Start) && InLoop.isInvariant(L->End) &&
                !mentions(L->Start, L->Variable) &&
                !mentions(L->End, L->Variable);
  return Steady && L->keepsVariable(Function) ? L : std::nullopt;
}

/// \p S is a call whose arguments are not evaluated.
bool isUnevaluated(const Stmt *S, const ASTContext &Context) {
  const auto *Call = dyn_cast_or_null<CallExpr>(S);
  unsigned Builtin = Call ? Call->getBuiltinCallee() : 0;
  return Builtin && Context.BuiltinInfo.isUnevaluated(Builtin);
}

} // namespace

const Expr *accessedPlace(const Access &A) {
  const Expr *E = nullptr;
  if (const auto *C = dyn_cast<CastExpr>(A.By))
    E = C->getCastKind() == CK_LValueToRValue ? C->getSubExpr() : nullptr;
  else if (const auto *B = dyn_cast<BinaryOperator>(A.By))
    E = B->isAssignmentOp() ? B->getLHS() : nullptr;
  else if (const auto *U = dyn_cast<UnaryOperator>(A.By))
    E = U->isIncrementDecrementOp() ? U->getSubExpr() : nullptr;
  while (E) {
    E = E->IgnoreParens();
    const auto *Lane = dyn_cast<ExtVectorElementExpr>(E);
    const auto *Part = dyn_cast<ArraySubscriptExpr>(E);
    if (Lane && !Lane->isArrow())
      E = Lane->getBase();
    else if (Part && Part->getBase()->getType()->isVectorType())
      E = Part->getBase();
    else
      break;
  }
  return E;
}

const Expr *meaningInTurn(const VarDecl *V, const ForStmt &Loop,
                          const FunctionDecl &Function,
                          const ASTContext &Context) {
  Invariance InBody(Loop.getBody(), Function, Context);
  const Expr *Init = V->getInit();
  return Init && !mentions(Init, V) && InBody.declares(V) && InBody.keeps(V) &&
                 !V->isStaticLocal() &&
                 Context.hasSameUnqualifiedType(
                     V->getType(), Init->IgnoreParenImpCasts()->getType())
             ? Init
             : nullptr;
}

LoopPlaces::LoopPlaces(const ForStmt &Loop, const FunctionDecl &Function,
                       ASTContext &Context)
    : Loop(Loop), Function(Function), Context(Context),
      InLoop(&Loop, Function, Context),
      Head(headOf(Loop, InLoop, Function, Context)) {}

bool LoopPlaces::isInEachTurn(const Stmt *S) const {
  DynTypedNode Node = DynTypedNode::create(*S);
  while (true) {
    DynTypedNodeList Parents = Context.getParents(Node);
    // Both forms of an initialiser list are parents.
    if (Parents.empty())
      return false;
    const Stmt *Here = Node.get<Stmt>();
    Node = Parents[0];
    if (Node.get<VarDecl>())
      continue;
    const Stmt *Around = Node.get<Stmt>();
    if (Around == &Loop)
      return Here == Loop.getBody();
    const auto *B = dyn_cast_or_null<BinaryOperator>(Around);
    const auto *Choice = dyn_cast_or_null<ConditionalOperator>(Around);
    const auto *If = dyn_cast_or_null<IfStmt>(Around);
    bool Always =
        isa_and_nonnull<CompoundStmt, DeclStmt>(Around) ||
        (B && B->isLogicalOp() ? Here == B->getLHS()
         : Choice              ? Here == Choice->getCond()
         : If ? Here == If->getCond()
              : isa_and_nonnull<Expr>(Around) &&
                    !isUnevaluated(Around, Context) &&
                    !isa<UnaryExprOrTypeTraitExpr, StmtExpr, ChooseExpr,
                         GenericSelectionExpr, BinaryConditionalOperator,
                         BlockExpr>(Around));
    if (!Always)
      return false;
  }
}

const Expr *LoopPlaces::meaning(const VarDecl *V) const {
  return V ? meaningInTurn(V, Loop, Function, Context) : nullptr;
}

bool LoopPlaces::isAffine(const Expr *Place, bool Steady) const {
  Place = Place->IgnoreParens();
  if (const auto *S = dyn_cast<ArraySubscriptExpr>(Place)) {
    const Expr *Base = S->getBase();
    return Base == S->getLHS() && isAffinePointer(Base, Steady) &&
           isAffineIndex(S->getIdx(), Steady);
  }
  if (const auto *U = dyn_cast<UnaryOperator>(Place))
    return U->getOpcode() == UO_Deref &&
           isAffinePointer(U->getSubExpr(), Steady);
  if (const auto *M = dyn_cast<MemberExpr>(Place))
    return !M->refersToBitField() &&
           (M->isArrow() ? isAffinePointer(M->getBase(), Steady)
                         : isAffine(M->getBase(), Steady));
  const VarDecl *V = namedVariable(Place);
  return V && !InLoop.declares(V) && !V->getType()->isReferenceType();
}

bool LoopPlaces::isAffinePointer(const Expr *E, bool Steady) const {
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<ImplicitCastExpr>(E);
      C && C->getCastKind() == CK_ArrayToPointerDecay)
    return isAffine(C->getSubExpr(), Steady);
  if (InLoop.isInvariant(E))
    return true;
  if (Steady)
    return false;
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return B->getOpcode() == BO_Add &&
           B->getLHS()->getType()->isPointerType() &&
           isAffinePointer(B->getLHS(), Steady) &&
           isAffineIndex(B->getRHS(), Steady);
  const Expr *Meant = meaning(namedVariable(E));
  return Meant && isAffinePointer(Meant, Steady);
}

bool LoopPlaces::isAffineIndex(const Expr *Index, bool Steady) const {
  if (InLoop.isInvariant(Index))
    return true;
  if (Steady || !Head)
    return false;
  // A macro that is 0 here is a factor in another build.
  std::optional<Polynomial> P = read(Index, Offsets, /*FromMacros=*/false);
  return P && all_of(*P, [&](const Monomial &M) {
           return count_if(M.Leaves, [&](const Expr *Leaf) {
                    return isName(Leaf, Head->Variable);
                  }) <= 1;
         });
}

std::optional<Polynomial> LoopPlaces::read(const Expr *E, IntType Ring,
                                           bool FromMacros) const {
  auto number = [&](const Expr *N) { return numberIn(N, FromMacros); };
  auto leaf = [&](const Expr *L) -> std::optional<Polynomial> {
    const VarDecl *V = namedVariable(L);
    if (const Expr *Meant = meaning(V)) {
      auto [It, New] =
          Known.try_emplace({V, Ring.Bits, Ring.Signed, FromMacros});
      if (New)
        It->second = read(Meant, Ring, FromMacros);
      return It->second;
    }
    const auto *Cast = dyn_cast<ImplicitCastExpr>(L);
    if (Cast && Cast->getCastKind() != CK_LValueToRValue)
      return std::nullopt;
    if (!intType(L->getType(), Context) ||
        (!isName(L, Head->Variable) && !InLoop.isInvariant(L)))
      return std::nullopt;
    return Polynomial{Monomial{1, {L}}};
  };
  return polynomial(E, {Context, Ring, number, leaf,
                        /*IntoCasts=*/true});
}

std::optional<ElementRun> LoopPlaces::runOf(const Expr *Place) const {
  Place = Place->IgnoreParens();
  if (const auto *S = dyn_cast<ArraySubscriptExpr>(Place))
    return S->getBase() == S->getLHS() ? runBehind(S->getBase(), S->getIdx())
                                       : std::nullopt;
  const auto *U = dyn_cast<UnaryOperator>(Place);
  const auto *Sum =
      U && U->getOpcode() == UO_Deref
          ? dyn_cast<BinaryOperator>(U->getSubExpr()->IgnoreParens())
          : nullptr;
  return Sum && Sum->getOpcode() == BO_Add &&
                 Sum->getLHS()->getType()->isPointerType()
             ? runBehind(Sum->getLHS(), Sum->getRHS())
             : std::nullopt;
}

std::optional<ElementRun> LoopPlaces::runBehind(const Expr *Base,
                                                const Expr *Index) const {
  if (!Head)
    return std::nullopt;
  if (const Expr *Meant = meaning(namedVariable(Base)))
    return runBehind(Meant, Index);
  if (!isAffinePointer(Base, /*Steady=*/true))
    return std::nullopt;
  ElementRun Out{{}, Base, Index, false};
  // A macro that is 1 here may be another factor in another build.
  std::optional<Polynomial> Offset = read(Index, Offsets, /*FromMacros=*/false);
  if (constexpr IntType Uint{32, false};
      !Offset &&
      intType(Index->IgnoreParenImpCasts()->getType(), Context) == Uint) {
    Offset = read(Index, Uint, /*FromMacros=*/false);
    Out.Wraps = true;
  }
  if (!Offset)
    return std::nullopt;
  auto isVariable = [&](const Expr *Leaf) {
    return isName(Leaf, Head->Variable);
  };
  // The variable is one of the terms, and none of their factors.
  unsigned Moving = 0;
  for (const Monomial &M : *Offset)
    if (any_of(M.Leaves, isVariable))
      Moving += M.Factor == 1 && M.Leaves.size() == 1 ? 1 : 2;
  if (Moving != 1)
    return std::nullopt;
  Out.Offset = std::move(*Offset);
  return Out;
}

} // namespace clrewrite::rewrite
