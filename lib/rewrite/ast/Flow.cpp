// Shared legality conditions that ask what runs before, or whether a value is
// defined and used: the part of Conditions.h that looks around an expression.
#include "rewrite/ast/Conditions.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ParentMapContext.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

const VarDecl *privateRoot(const Expr *E, const FunctionDecl &Function) {
  Storage S = storageOf(E);
  return S.Inputs.empty() && S.isPrivate() &&
                 !S.Variable->getType().isVolatileQualified() &&
                 !addressTaken(Function).contains(S.Variable)
             ? S.Variable
             : nullptr;
}

namespace {

/// Whether a statement assigns to all of a variable whenever it runs.
class Assigns {
public:
  explicit Assigns(const VarDecl *V) : V(V) {}

  bool always(const Stmt *S) const {
    if (!S)
      return false;
    if (const auto *E = dyn_cast<Expr>(S))
      return inExpression(E->IgnoreParenImpCasts());
    if (const auto *D = dyn_cast<DeclStmt>(S))
      return any_of(D->decls(), [&](const Decl *X) {
        const auto *Other = dyn_cast<VarDecl>(X);
        return Other && Other->getInit() &&
               (Other == V || always(Other->getInit()));
      });
    if (const auto *Block = dyn_cast<CompoundStmt>(S))
      return any_of(Block->body(), [&](const Stmt *X) { return always(X); });
    if (const auto *If = dyn_cast<IfStmt>(S))
      return always(If->getThen()) && always(If->getElse());
    if (const auto *For = dyn_cast<ForStmt>(S))
      return always(For->getInit());
    return false;
  }

private:
  const VarDecl *V;

  bool inExpression(const Expr *E) const {
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B)
      return false;
    if (B->getOpcode() == BO_Comma)
      return always(B->getLHS()) || always(B->getRHS());
    if (B->getOpcode() != BO_Assign)
      return false;
    const auto *D = dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParens());
    return (D && D->getDecl() == V) || always(B->getRHS());
  }
};

template <typename T> class Holds : public DynamicRecursiveASTVisitor {
public:
  bool Found = false;
  bool VisitStmt(Stmt *S) override {
    Found |= isa<T>(S);
    return !Found;
  }
};

template <typename T> bool holds(const Stmt *S) {
  Holds<T> H;
  H.TraverseStmt(const_cast<Stmt *>(S));
  return H.Found;
}

/// A case label stands in a statement, but not the switch that it belongs to.
class CaseSearch : public DynamicRecursiveASTVisitor {
public:
  bool Found = false;
  bool TraverseSwitchStmt(SwitchStmt *) override { return true; }
  bool VisitSwitchCase(SwitchCase *) override {
    Found = true;
    return false;
  }
};

/// A switch may jump into the middle of \p S.
bool isJumpedInto(const Stmt *S) {
  CaseSearch C;
  C.TraverseStmt(const_cast<Stmt *>(S));
  return C.Found;
}

} // namespace

bool isDefinitelyAssigned(const VarDecl *V, const Stmt *Before,
                          const FunctionDecl &Function, ASTContext &Context) {
  if (isa<ParmVarDecl>(V))
    return true;
  // A jump may pass over what stands before.
  if (holds<LabelStmt>(Function.getBody()))
    return false;
  Assigns A(V);
  DynTypedNode Node = DynTypedNode::create(*Before);
  while (true) {
    DynTypedNodeList Parents = Context.getParents(Node);
    if (Parents.empty() || Parents[0].get<FunctionDecl>())
      return false;
    const Stmt *Here = Node.get<Stmt>();
    Node = Parents[0];
    if (const auto *For = Node.get<ForStmt>(); For && Here != For->getInit() &&
                                               A.always(For->getInit()) &&
                                               !isJumpedInto(For))
      return true;
    const auto *Block = Node.get<CompoundStmt>();
    if (!Block || isJumpedInto(Block))
      continue;
    for (const Stmt *S : Block->body()) {
      if (S == Here)
        break;
      if (A.always(S))
        return true;
    }
  }
}

namespace {

class UndefinedSearch : public DynamicRecursiveASTVisitor {
public:
  explicit UndefinedSearch(const ASTContext &Context) : Context(Context) {}
  bool Found = false;

  bool VisitBinaryOperator(BinaryOperator *B) override {
    QualType T = B->getType();
    if (auto *C = dyn_cast<CompoundAssignOperator>(B)) {
      T = C->getComputationResultType();
      Found |= T->hasFloatingRepresentation() &&
               !B->getType()->hasFloatingRepresentation();
    }
    bool Arithmetic =
        B->isAdditiveOp() || B->isMultiplicativeOp() ||
        B->getOpcode() == BO_AddAssign || B->getOpcode() == BO_SubAssign ||
        B->getOpcode() == BO_MulAssign || B->getOpcode() == BO_DivAssign ||
        B->getOpcode() == BO_RemAssign;
    if (!Arithmetic || T->hasFloatingRepresentation() ||
        T->hasUnsignedIntegerRepresentation())
      return true;
    bool Small = (B->isAdditiveOp() || B->getOpcode() == BO_AddAssign ||
                  B->getOpcode() == BO_SubAssign) &&
                 isSmall(B->getLHS()) && isSmall(B->getRHS());
    Found |= !Small;
    return !Found;
  }
  bool VisitUnaryOperator(UnaryOperator *U) override {
    bool Overflows = U->isIncrementDecrementOp() || U->getOpcode() == UO_Minus;
    Found |= Overflows && !U->getType()->hasFloatingRepresentation() &&
             !U->getType()->hasUnsignedIntegerRepresentation() &&
             !isSmall(U->getSubExpr());
    return !Found;
  }
  bool VisitCastExpr(CastExpr *C) override {
    Found |= C->getCastKind() == CK_FloatingToIntegral;
    return !Found;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    Found |= !isBuiltinCall(Call);
    return !Found;
  }

private:
  const ASTContext &Context;

  /// Fits 16 bits, so that a sum of two fits an int.
  bool isSmall(const Expr *E) const {
    E = E->IgnoreParenImpCasts();
    if (const auto *L = dyn_cast<IntegerLiteral>(E))
      return L->getValue().getActiveBits() <= 15;
    return E->getType()->isIntegerType() &&
           Context.getTypeSize(E->getType()) <= 16;
  }
};

} // namespace

bool mayBeUndefined(const Expr *E, const ASTContext &Context) {
  UndefinedSearch S(Context);
  S.TraverseStmt(const_cast<Expr *>(E));
  return S.Found || mayDivideByZero(E);
}

namespace {

class LoopSearch : public DynamicRecursiveASTVisitor {
public:
  bool Found = false;
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee(), *Body = nullptr;
    if (F && F->hasBody(Body) && Seen.insert(Body).second) {
      const Stmt *S = Body->getBody();
      Found |= holds<ForStmt>(S) || holds<WhileStmt>(S) || holds<DoStmt>(S);
      TraverseStmt(const_cast<Stmt *>(S));
    }
    return !Found;
  }

private:
  SmallPtrSet<const FunctionDecl *, 4> Seen;
};

} // namespace

bool mayNotEnd(const Expr *E) {
  LoopSearch S;
  S.TraverseStmt(const_cast<Expr *>(E));
  return S.Found;
}

bool isValueUnused(const Expr *E, ASTContext &Context) {
  const Stmt *Here = E;
  while (true) {
    DynTypedNodeList Parents = Context.getParents(*Here);
    const Stmt *Up = Parents.empty() ? nullptr : Parents[0].get<Stmt>();
    if (!Up)
      return false;
    if (const auto *B = dyn_cast<BinaryOperator>(Up)) {
      if (B->getOpcode() != BO_Comma)
        return false;
      if (Here == B->getLHS())
        return true;
    } else if (const auto *If = dyn_cast<IfStmt>(Up)) {
      return Here != If->getCond();
    } else if (const auto *For = dyn_cast<ForStmt>(Up)) {
      return Here != For->getCond();
    } else if (const auto *While = dyn_cast<WhileStmt>(Up)) {
      return Here != While->getCond();
    } else if (const auto *Do = dyn_cast<DoStmt>(Up)) {
      return Here != Do->getCond();
    } else if (const auto *Case = dyn_cast<CaseStmt>(Up)) {
      if (Here != Case->getSubStmt())
        return false;
    } else if (const auto *Block = dyn_cast<CompoundStmt>(Up)) {
      // The last statement of ({ ... }) is its value.
      DynTypedNodeList Above = Context.getParents(*Block);
      return Block->body_back() != Here || Above.empty() ||
             !Above[0].get<StmtExpr>();
    } else if (!isa<ParenExpr, DefaultStmt, LabelStmt>(Up)) {
      return false;
    }
    Here = Up;
  }
}

} // namespace clrewrite::rewrite
