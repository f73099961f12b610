// The head of a counted loop, and the guards around the rest of its body, are
// read from the AST.
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/affine/IntegerRange.h"
#include "rewrite/ast/Constants.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/Builtins.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

/// `++v`, `v++`, `v += 1`.
static bool stepsByOne(const Expr *E, const VarDecl *V,
                       const ASTContext &Context) {
  E = E ? E->IgnoreParens() : nullptr;
  if (const auto *U = dyn_cast_or_null<UnaryOperator>(E))
    return U->isIncrementOp() && isName(U->getSubExpr(), V);
  const auto *B = dyn_cast_or_null<BinaryOperator>(E);
  return B && B->getOpcode() == BO_AddAssign && isName(B->getLHS(), V) &&
         constant(B->getRHS(), Context) == 1;
}

/// Every value of \p E is one of \p Type.
static bool fits(const Expr *E, IntType Type, const ASTContext &Context) {
  Range Holds = Range::of(Type);
  if (std::optional<int64_t> N = constant(E, Context))
    return Range{*N, *N}.within(Holds);
  std::optional<IntType> From =
      intType(E->IgnoreImpCasts()->getType(), Context);
  return From && Range::of(*From).within(Holds);
}

std::optional<CountedHead> countedHead(const ForStmt &Loop,
                                       const ASTContext &Context) {
  const VarDecl *V = loopVariable(Loop);
  const auto *Until =
      Loop.getCond() ? dyn_cast<BinaryOperator>(Loop.getCond()->IgnoreParens())
                     : nullptr;
  if (!V || !V->getInit() || !Until || !stepsByOne(Loop.getInc(), V, Context))
    return std::nullopt;
  CountedHead H;
  H.Variable = V->getCanonicalDecl();
  H.Start = V->getInit();
  BinaryOperatorKind Op = Until->getOpcode();
  bool Left = isName(Until->getLHS(), V);
  if (!Left)
    Op = BinaryOperator::reverseComparisonOp(Op);
  if ((!Left && !isName(Until->getRHS(), V)) || (Op != BO_LT && Op != BO_LE))
    return std::nullopt;
  H.End = Left ? Until->getRHS() : Until->getLHS();
  H.Inclusive = Op == BO_LE;
  std::optional<IntType> T = intType(V->getType(), Context);
  if (!T || !T->Signed || T->Bits > 32 ||
      !isa<BuiltinType>(V->getType().getCanonicalType().getUnqualifiedType()) ||
      !isInt(H.End->getType(), Context) || !fits(H.Start, *T, Context) ||
      !fits(H.End, IntType(), Context))
    return std::nullopt;
  H.Narrow = T->Bits < 32;
  std::optional<int64_t> From = constant(H.Start, Context),
                         To = constant(H.End, Context);
  if (H.Inclusive && To)
    ++*To;
  if ((To && *To > Range::of(*T).Hi) || (H.Narrow && !(From && To)) ||
      (From && To && *From > *To))
    return std::nullopt;
  return H;
}

namespace {

class OthersSearch : public DynamicRecursiveASTVisitor {
public:
  bool Found = false;
  bool VisitAsmStmt(AsmStmt *) override { return stop(); }
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee(), *Body = nullptr;
    if (!F || !F->getIdentifier())
      return stop();
    if (F->hasBody(Body)) {
      if (Seen.insert(Body).second)
        TraverseStmt(Body->getBody());
      return !Found;
    }
    unsigned Id = F->getBuiltinID();
    StringRef Name = F->getName();
    bool Asks = !isBuiltinCall(Call) || F->hasAttr<ConvergentAttr>() ||
                (Id && F->getASTContext().BuiltinInfo.isTSBuiltin(Id)) ||
                Name.contains("barrier") || Name.contains("work_group") ||
                Name.contains("sub_group") || Name.starts_with("wait_");
    return Asks ? stop() : true;
  }

private:
  SmallPtrSet<const FunctionDecl *, 8> Seen;
  bool stop() {
    Found = true;
    return false;
  }
};

class ExitSearch : public DynamicRecursiveASTVisitor {
public:
  bool Found = false;
  bool VisitStmt(Stmt *S) override {
    Found |= isa<BreakStmt, ReturnStmt, GotoStmt, IndirectGotoStmt>(S);
    return !Found;
  }
};

class EntrySearch : public DynamicRecursiveASTVisitor {
public:
  bool Found = false;
  bool VisitLabelStmt(LabelStmt *) override { return stop(); }
  bool VisitSwitchCase(SwitchCase *) override { return Switches > 0 || stop(); }
  bool TraverseSwitchStmt(SwitchStmt *S) override {
    ++Switches;
    bool Goes = TraverseStmt(S->getBody());
    --Switches;
    return Goes;
  }

private:
  unsigned Switches = 0;
  bool stop() {
    Found = true;
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
    const auto *Init = dyn_cast_or_null<DeclStmt>(For->getInit());
    if (!Init || !Init->isSingleDecl() || !For->getCond() || !For->getInc() ||
        !isPure(For->getCond()) || !declares(Init))
      return false;
    const VarDecl *V = Out.Locals.back();
    const Expr *Inc = For->getInc()->IgnoreParens();
    if (const auto *U = dyn_cast<UnaryOperator>(Inc))
      return U->isIncrementDecrementOp() && isName(U->getSubExpr(), V);
    const auto *B = dyn_cast<BinaryOperator>(Inc);
    return B && B->isCompoundAssignmentOp() && isName(B->getLHS(), V) &&
           isPure(B->getRHS());
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

bool asksOthers(const Stmt *S) {
  OthersSearch O;
  O.TraverseStmt(const_cast<Stmt *>(S));
  return O.Found;
}

bool mayLeave(const Stmt *S) {
  ExitSearch X;
  X.TraverseStmt(const_cast<Stmt *>(S));
  return X.Found;
}

bool mayBeEntered(const Stmt *S) {
  EntrySearch E;
  E.TraverseStmt(const_cast<Stmt *>(S));
  return E.Found;
}

} // namespace clrewrite::rewrite
