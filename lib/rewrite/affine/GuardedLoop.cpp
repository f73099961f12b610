// The guards around the rest of a loop's body are read from the AST.
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/affine/CountedLoop.h"
#include "rewrite/ast/Nodes.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/Builtins.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

class OthersSearch : public DynamicRecursiveASTVisitor {
public:
  explicit OthersSearch(bool OrOrders) : OrOrders(OrOrders) {}
  const Stmt *Found = nullptr;
  bool VisitAsmStmt(AsmStmt *Asm) override { return stop(Asm); }
  bool VisitAtomicExpr(AtomicExpr *A) override { return !OrOrders || stop(A); }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee(), *Body = nullptr;
    if (!F || !F->getIdentifier())
      return stop(Call);
    if (F->hasBody(Body)) {
      if (Seen.insert(Body).second)
        TraverseStmt(Body->getBody());
      return !Found || stop(Call);
    }
    unsigned Id = F->getBuiltinID();
    StringRef Name = F->getName();
    bool Asks =
        !isBuiltinCall(Call) || F->hasAttr<ConvergentAttr>() ||
        (Id && F->getASTContext().BuiltinInfo.isTSBuiltin(Id)) ||
        Name.contains("barrier") || Name.contains("work_group") ||
        Name.starts_with("enqueue_") || Name.starts_with("__sync_") ||
        Name.starts_with("__enqueue_") || Name.contains("sub_group") ||
        Name.starts_with("wait_") ||
        (OrOrders && (Name.contains("mem_fence") || Name.starts_with("atom")));
    return Asks ? stop(Call) : true;
  }

private:
  bool OrOrders;
  SmallPtrSet<const FunctionDecl *, 8> Seen;
  bool stop(const Stmt *S) {
    Found = S;
    return false;
  }
};

/// Looks for what leaves the loop whose body it is shown, and, \p OrTurn, for
/// what ends a turn of it. A break or a continue of a loop within it does
/// neither, and a break of a switch does not.
class ExitSearch : public DynamicRecursiveASTVisitor {
public:
  explicit ExitSearch(bool OrTurn) : OrTurn(OrTurn) {}
  const Stmt *Found = nullptr;

  bool VisitStmt(Stmt *S) override {
    if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt>(S) ||
        (isa<BreakStmt>(S) && !Loops && !Switches) ||
        (isa<ContinueStmt>(S) && !Loops && OrTurn))
      Found = S;
    return !Found;
  }
  bool TraverseForStmt(ForStmt *S) override {
    return TraverseStmt(S->getInit()) && head(S) && TraverseStmt(S->getInc()) &&
           within(Loops, S->getBody());
  }
  bool TraverseWhileStmt(WhileStmt *S) override {
    return head(S) && within(Loops, S->getBody());
  }
  bool TraverseDoStmt(DoStmt *S) override {
    return within(Loops, S->getBody()) && TraverseStmt(S->getCond());
  }
  bool TraverseSwitchStmt(SwitchStmt *S) override {
    return TraverseStmt(S->getInit()) && head(S) &&
           within(Switches, S->getBody());
  }

private:
  bool OrTurn;
  unsigned Loops = 0, Switches = 0;

  template <typename T> bool head(T *S) {
    return TraverseStmt(S->getConditionVariableDeclStmt()) &&
           TraverseStmt(S->getCond());
  }
  bool within(unsigned &Depth, Stmt *Body) {
    ++Depth;
    bool Goes = TraverseStmt(Body);
    --Depth;
    return Goes;
  }
};

class EntrySearch : public DynamicRecursiveASTVisitor {
public:
  const Stmt *Found = nullptr;
  bool VisitLabelStmt(LabelStmt *L) override { return stop(L); }
  bool VisitSwitchCase(SwitchCase *Case) override {
    return Switches > 0 || stop(Case);
  }
  bool TraverseSwitchStmt(SwitchStmt *S) override {
    ++Switches;
    bool Goes = TraverseStmt(S->getBody());
    --Switches;
    return Goes;
  }

private:
  unsigned Switches = 0;
  bool stop(const Stmt *S) {
    Found = S;
    return false;
  }
};

/// Walks into a body as long as nothing but a guard decides what happens.
class Walk {
public:
  explicit Walk(GuardedBody &Out) : Out(Out) {}

  void into(const Stmt *S) {
    if (const auto *A = dyn_cast_or_null<AttributedStmt>(S))
      S = A->getSubStmt();
    if (const auto *Block = dyn_cast_or_null<CompoundStmt>(S))
      return intoBlock(Block);
    if (const auto *If = dyn_cast_or_null<IfStmt>(S)) {
      if (addGuard(If, /*Continues=*/false))
        into(If->getThen());
      return;
    }
    if (const auto *For = dyn_cast_or_null<ForStmt>(S))
      if (onlyCounts(For))
        into(For->getBody());
  }

private:
  GuardedBody &Out;

  void intoBlock(const CompoundStmt *Block) {
    for (const Stmt *S : Block->body()) {
      if (S == Block->body_back())
        return into(S);
      const auto *D = dyn_cast<DeclStmt>(S);
      const auto *If = dyn_cast<IfStmt>(S);
      bool Goes = isa<NullStmt>(S) || (D && declares(D)) ||
                  (If && onlyContinues(If->getThen()) &&
                   addGuard(If, /*Continues=*/true));
      if (!Goes)
        return;
    }
  }

  static bool onlyContinues(const Stmt *S) {
    if (const auto *Block = dyn_cast<CompoundStmt>(S))
      return Block->size() == 1 && isa<ContinueStmt>(Block->body_back());
    return isa<ContinueStmt>(S);
  }

  /// Declares variables whose initialisers have no effects.
  bool declares(const DeclStmt *D) {
    return all_of(D->decls(), [&](const Decl *Each) {
      const auto *V = dyn_cast<VarDecl>(Each);
      if (!V || !V->hasLocalStorage() || V->getType().isVolatileQualified() ||
          (V->getInit() && !isPure(V->getInit())))
        return false;
      Out.Locals.push_back(V->getCanonicalDecl());
      return true;
    });
  }

  bool onlyCounts(const ForStmt *For) {
    std::optional<CountedLoop> L = countedLoop(*For);
    return L && L->Declares && L->Steps && For->getCond() &&
           isPure(For->getCond()) && declares(cast<DeclStmt>(For->getInit())) &&
           (!L->By || isPure(L->By));
  }

  bool addGuard(const IfStmt *If, bool Continues) {
    if (If->getElse() || If->getInit() || If->getConditionVariable() ||
        !isPure(If->getCond()))
      return false;
    Guard G;
    G.If = If;
    G.Continues = Continues;
    flatten(If->getCond(), /*Negated=*/Continues, G.Leaves);
    Out.Guards.push_back(std::move(G));
    return true;
  }

  /// Takes apart what must hold as a whole.
  void flatten(const Expr *E, bool Negated, std::vector<GuardLeaf> &Into) {
    const Expr *Inner = E->IgnoreParenImpCasts();
    if (const auto *U = dyn_cast<UnaryOperator>(Inner);
        U && U->getOpcode() == UO_LNot && !U->getType()->isVectorType())
      return flatten(U->getSubExpr(), !Negated, Into);
    const auto *B = dyn_cast<BinaryOperator>(Inner);
    BinaryOperatorKind Logical = Negated ? BO_LOr : BO_LAnd;
    BinaryOperatorKind Bitwise = Negated ? BO_Or : BO_And;
    bool Joins = B && (B->getOpcode() == Logical ||
                       (B->getOpcode() == Bitwise && isTruth(B->getLHS()) &&
                        isTruth(B->getRHS())));
    if (!Joins || B->getType()->isVectorType()) {
      Into.push_back({E, Negated});
      return;
    }
    flatten(B->getLHS(), Negated, Into);
    flatten(B->getRHS(), Negated, Into);
  }

  /// Is 0 or 1.
  static bool isTruth(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (E->getType()->isVectorType())
      return false;
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return U->getOpcode() == UO_LNot;
    const auto *B = dyn_cast<BinaryOperator>(E);
    return B && (B->isComparisonOp() || B->isLogicalOp() ||
                 ((B->getOpcode() == BO_And || B->getOpcode() == BO_Or) &&
                  isTruth(B->getLHS()) && isTruth(B->getRHS())));
  }
};

} // namespace

GuardedBody guardedBody(const ForStmt &Loop) {
  GuardedBody Out;
  Walk(Out).into(Loop.getBody());
  return Out;
}

const Stmt *asksOthers(const Stmt *S, bool OrOrders) {
  return searched(OthersSearch(OrOrders), S).Found;
}

static const Stmt *exitOf(const Stmt *Body, bool OrTurn) {
  return searched(ExitSearch(OrTurn), Body).Found;
}

const Stmt *mayLeave(const Stmt *Body) {
  return exitOf(Body, /*OrTurn=*/false);
}

const Stmt *mayEndTurn(const Stmt *Body) {
  return exitOf(Body, /*OrTurn=*/true);
}

const Stmt *mayBeEntered(const Stmt *S) {
  return searched(EntrySearch(), S).Found;
}

} // namespace clrewrite::rewrite
