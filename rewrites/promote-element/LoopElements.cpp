// The accesses of a loop are those that Effects tells, and the place of each is
// read as a base that stays the same, and indices that are affine in the loop's
// variable.
#include "LoopElements.h"
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/affine/IntegerRange.h"
#include "rewrite/affine/Polynomial.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/Invariance.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/ast/PointsTo.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ParentMapContext.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

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
  std::optional<CountedLoop> L = countedLoop(Loop);
  if (!L || !L->Start || isa<InitListExpr>(L->Start->IgnoreParenImpCasts()) ||
      !L->countsUp(Context) || !comparesInType(*L, Context))
    return std::nullopt;
  // The start and the end are written in front of the loop, too.
  bool Steady = InLoop.isInvariant(L->Start) && InLoop.isInvariant(L->End) &&
                !mentions(L->Start, L->Variable) &&
                !mentions(L->End, L->Variable);
  return Steady && L->keepsVariable(Function) ? L : std::nullopt;
}

/// The place that an access names, without the lanes of a vector that it picks
/// there. Null where a call or another statement accesses memory.
const Expr *placeOf(const Access &A) {
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

class Search {
public:
  Search(const ForStmt &Loop, const FunctionDecl &Function, ASTContext &Context)
      : Loop(Loop), Function(Function), Context(Context),
        InLoop(&Loop, Function, Context), Asked(Function),
        Does(Asked.of(&Loop)) {}

  LoopElements run() {
    Out.Head = headOf(Loop, InLoop, Function, Context);
    // Some work-items may run the loop on variables, and others as it was.
    Out.More = Does.More ? Does.More : asksOthers(&Loop);
    findElements(Loop.getBody());
    for (LoopElement &E : Out.Elements)
      findNames(E);
    for (size_t I = 0; I < Out.Elements.size(); ++I)
      for (size_t J = 0; J < I; ++J)
        if (Asked.mayMeet(Out.Elements[I].Where, Out.Elements[J].Where))
          Out.Pairs.emplace_back(Out.Elements[J].Place, Out.Elements[I].Place);
    for (const Access &A : Does.Accesses)
      if (A.Where.isShared())
        addOther(A);
    if (Out.Pairs.empty() && !Out.NotAffine && !Out.NotAlways)
      Out.Elements.clear();
    return std::move(Out);
  }

private:
  const ForStmt &Loop;
  const FunctionDecl &Function;
  ASTContext &Context;
  Invariance InLoop;
  EffectsOf Asked;
  Effects Does;
  LoopElements Out;

  /// Looks at the statements that each turn runs.
  void findElements(const Stmt *S) {
    if (const auto *Block = dyn_cast_or_null<CompoundStmt>(S)) {
      for (const Stmt *Each : Block->body())
        findElements(Each);
      return;
    }
    const auto *E = dyn_cast_or_null<Expr>(S);
    if (!E)
      return;
    E = E->IgnoreParens();
    const Expr *Place = nullptr;
    if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAssignmentOp()) {
      Place = B->getLHS()->IgnoreParens();
      if (B->getOpcode() == BO_Assign && !readsInEachTurn(B->getRHS(), Place))
        return;
    } else if (const auto *U = dyn_cast<UnaryOperator>(E);
               U && U->isIncrementDecrementOp()) {
      Place = U->getSubExpr()->IgnoreParens();
    }
    if (!Place || !mayBeKept(*Place) || isKnown(Place))
      return;
    for (const Access &A : Does.Accesses)
      if (A.By == E && A.Write)
        Out.Elements.push_back({Place, {}, A.Where});
  }

  bool isKnown(const Expr *Place) const {
    return any_of(Out.Elements, [&](const LoopElement &Known) {
      return sameExpression(Known.Place, Place, Context);
    });
  }

  bool mayBeKept(const Expr &Place) const {
    QualType T = Place.getType();
    LangAS Space = T.getAddressSpace();
    return isa<ArraySubscriptExpr, UnaryOperator, MemberExpr>(Place) &&
           (Space == LangAS::opencl_global || Space == LangAS::opencl_local) &&
           (T->isArithmeticType() || T->isExtVectorType()) &&
           !T.isVolatileQualified() && !Place.refersToBitField() &&
           isAffine(&Place, /*Steady=*/true);
  }

  bool readsInEachTurn(const Expr *E, const Expr *Place) const {
    NameSearch Names(Place, Context);
    Names.TraverseStmt(const_cast<Expr *>(E));
    return any_of(Names.Found,
                  [&](const Expr *Name) { return isInEachTurn(Name); });
  }

  /// Finds the expressions that mean the same as \p Place.
  class NameSearch : public DynamicRecursiveASTVisitor {
  public:
    NameSearch(const Expr *Place, const ASTContext &Context)
        : Place(Place), Context(Context) {}
    std::vector<const Expr *> Found;
    bool VisitExpr(Expr *E) override {
      if (E->isGLValue() && !isa<ParenExpr, CastExpr>(E) &&
          sameExpression(E, Place, Context))
        Found.push_back(E);
      return true;
    }

  private:
    const Expr *Place;
    const ASTContext &Context;
  };

  void findNames(LoopElement &E) {
    NameSearch Names(E.Place, Context);
    Names.TraverseStmt(const_cast<ForStmt *>(&Loop));
    E.Names = std::move(Names.Found);
    for (const Expr *Name : E.Names) {
      const Expr *At = Name;
      const auto *U = dyn_cast_or_null<UnaryOperator>(outerExpr(At, Context));
      if (U && U->getOpcode() == UO_AddrOf && !Out.Addressed)
        Out.Addressed = Name;
    }
  }

  void addOther(const Access &A) {
    const Expr *Place = placeOf(A);
    auto isNamed = [&](const LoopElement &E) {
      return is_contained(E.Names, Place);
    };
    if (Place && any_of(Out.Elements, isNamed))
      return;
    for (const LoopElement &E : Out.Elements) {
      if (!Asked.mayMeet(A.Where, E.Where))
        continue;
      // A pointer to the generic space is not one that the test takes.
      if (!Place || !isAffine(Place, /*Steady=*/false) ||
          Place->getType().getAddressSpace() !=
              E.Place->getType().getAddressSpace()) {
        if (!Out.NotAffine)
          Out.NotAffine = A.By;
        return;
      }
      if (!isInEachTurn(Place)) {
        if (!Out.NotAlways)
          Out.NotAlways = A.By;
        return;
      }
      addPair(E.Place, Place);
    }
  }

  void addPair(const Expr *Element, const Expr *Other) {
    auto Same = find_if(Out.Others, [&](const Expr *Known) {
      return sameExpression(Known, Other, Context);
    });
    if (Same == Out.Others.end())
      Same = Out.Others.insert(Out.Others.end(), Other);
    std::pair<const Expr *, const Expr *> Pair{Element, *Same};
    if (!is_contained(Out.Pairs, Pair))
      Out.Pairs.push_back(Pair);
  }

  /// Each turn evaluates \p S, once or more.
  bool isInEachTurn(const Stmt *S) const {
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
                      !isa<UnaryExprOrTypeTraitExpr, StmtExpr, ChooseExpr,
                           GenericSelectionExpr, BinaryConditionalOperator,
                           BlockExpr>(Around));
      if (!Always)
        return false;
    }
  }

  const Expr *meaning(const VarDecl *V) const {
    return V ? meaningInTurn(V, Loop, Function, Context) : nullptr;
  }

  /// The address of \p Place is a sum of what stays the same and, unless
  /// \p Steady, a multiple of the loop's variable.
  bool isAffine(const Expr *Place, bool Steady) const {
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

  bool isAffinePointer(const Expr *E, bool Steady) const {
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

  bool isAffineIndex(const Expr *Index, bool Steady) const {
    if (InLoop.isInvariant(Index))
      return true;
    if (Steady || !Out.Head)
      return false;
    std::optional<Polynomial> P = read(Index);
    return P && all_of(*P, [&](const Monomial &M) {
             return count_if(M.Leaves, [&](const Expr *Leaf) {
                      return isName(Leaf, Out.Head->Variable);
                    }) <= 1;
           });
  }

  std::optional<Polynomial> read(const Expr *E) const {
    auto number = [&](const Expr *N) {
      return numberIn(N, /*FromMacros=*/true);
    };
    auto leaf = [&](const Expr *L) -> std::optional<Polynomial> {
      if (const Expr *Meant = meaning(namedVariable(L)))
        return read(Meant);
      const auto *Cast = dyn_cast<ImplicitCastExpr>(L);
      if (Cast && Cast->getCastKind() != CK_LValueToRValue)
        return std::nullopt;
      if (!intType(L->getType(), Context) ||
          (!isName(L, Out.Head->Variable) && !InLoop.isInvariant(L)))
        return std::nullopt;
      return Polynomial{Monomial{1, {L}}};
    };
    return polynomial(E, {Context, IntType{64, false}, number, leaf,
                          /*IntoCasts=*/true});
  }
};

} // namespace

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

LoopElements loopElements(const ForStmt &Loop, const FunctionDecl &Function,
                          ASTContext &Context) {
  // Clang knows no accesses where types depend on a template's parameters.
  if (Function.isDependentContext() || !Function.getIdentifier())
    return {};
  return Search(Loop, Function, Context).run();
}

} // namespace clrewrite::rewrite
