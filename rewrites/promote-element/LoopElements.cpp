// The accesses of a loop are those that Effects tells.
#include "LoopElements.h"
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/affine/LoopPlaces.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/text/Text.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::promote_element {
namespace {

class Search {
public:
  Search(const ForStmt &Loop, const FunctionDecl &Function, ASTContext &Context)
      : Loop(Loop), Context(Context), Places(Loop, Function, Context),
        Asked(Function), Does(Asked.of(&Loop)) {}

  LoopElements run() {
    Out.Head = Places.head();
    // Some work-items may run the loop on variables, and others as it was.
    Out.More = Does.More ? Does.More : asksOthers(&Loop);
    findElements(Loop.getBody());
    for (LoopElement &E : Out.Elements)
      findNames(E);
    for (size_t I = 0; I < Out.Elements.size(); ++I)
      for (size_t J = 0; J < I; ++J)
        if (Asked.mayMeet(Out.Elements[I].Where, Out.Elements[J].Where) &&
            !areFieldsOfOne(Out.Elements[I].Place, Out.Elements[J].Place))
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
  ASTContext &Context;
  LoopPlaces Places;
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
           Places.isAffine(&Place, /*Steady=*/true);
  }

  bool readsInEachTurn(const Expr *E, const Expr *Place) const {
    return any_of(namesOfPlace(E, Place),
                  [&](const Expr *Name) { return Places.isInEachTurn(Name); });
  }

  /// The expressions in \p S that mean the same as \p Place.
  std::vector<const Expr *> namesOfPlace(const Stmt *S,
                                         const Expr *Place) const {
    return allIn<Expr>(S, [&](const Expr *E) {
      return E->isGLValue() && !isa<ParenExpr, CastExpr>(E) &&
             sameExpression(E, Place, Context);
    });
  }

  void findNames(LoopElement &E) {
    E.Names = namesOfPlace(&Loop, E.Place);
    for (const Expr *Name : E.Names) {
      const Expr *At = Name;
      const auto *U = dyn_cast_or_null<UnaryOperator>(outerExpr(At, Context));
      if (U && U->getOpcode() == UO_AddrOf && !Out.Addressed)
        Out.Addressed = Name;
    }
  }

  void addOther(const Access &A) {
    const Expr *Place = accessedPlace(A);
    auto isNamed = [&](const LoopElement &E) {
      return is_contained(E.Names, Place);
    };
    if (Place && any_of(Out.Elements, isNamed))
      return;
    for (const LoopElement &E : Out.Elements) {
      if (!Asked.mayMeet(A.Where, E.Where) ||
          (Place && areFieldsOfOne(E.Place, Place)))
        continue;
      // A pointer to the generic space is not one that the test takes.
      if (!Place || !Places.isAffine(Place, /*Steady=*/false) ||
          Place->getType().getAddressSpace() !=
              E.Place->getType().getAddressSpace()) {
        if (!Out.NotAffine)
          Out.NotAffine = A.By;
        return;
      }
      if (!Places.isInEachTurn(Place)) {
        if (!Out.NotAlways)
          Out.NotAlways = A.By;
        return;
      }
      addPair(E.Place, Place);
    }
  }

  /// Two fields of one structure of the file, which do not overlap. No other
  /// build has a union there.
  bool areFieldsOfOne(const Expr *A, const Expr *B) const {
    const auto *First = dyn_cast<MemberExpr>(A->IgnoreParens()),
               *Second = dyn_cast<MemberExpr>(B->IgnoreParens());
    const auto *F =
        First ? dyn_cast<FieldDecl>(First->getMemberDecl()) : nullptr;
    return F && Second && F != Second->getMemberDecl() &&
           !F->getParent()->isUnion() &&
           isPlainText(F->getParent()->getSourceRange(), Context) &&
           First->isArrow() == Second->isArrow() &&
           sameExpression(First->getBase(), Second->getBase(), Context);
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
};

} // namespace

LoopElements loopElements(const ForStmt &Loop, const FunctionDecl &Function,
                          ASTContext &Context) {
  // Clang knows no accesses where types depend on a template's parameters.
  if (Function.isDependentContext() || !Function.getIdentifier())
    return {};
  return Search(Loop, Function, Context).run();
}

} // namespace clrewrite::rewrite::promote_element
