// The mentions of a parameter are counted, and those in heads of loops.
#include "rewrite/TripCounts.h"
#include "rewrite/affine/GuardedLoop.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include <set>

using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// \p E is an id that the work-item asks for, or a variable that begins as one.
bool isId(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl()); V && V->getInit())
      E = V->getInit()->IgnoreParenCasts();
  const auto *Call = dyn_cast<CallExpr>(E);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  return F && F->getIdentifier() &&
         (F->getName() == "get_global_id" || F->getName() == "get_local_id" ||
          F->getName() == "get_group_id");
}

class Mentions : public DynamicRecursiveASTVisitor {
  const ParmVarDecl &P;
  std::set<const Stmt *> All, Counting;
  bool IsCounting = false; ///< what is visited is a side of such a comparison

public:
  explicit Mentions(const ParmVarDecl &P) : P(P) {}

  bool onlyCount() const { return !All.empty() && All == Counting; }

  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    if (E->getDecl() == &P)
      (IsCounting ? Counting : All).insert(E);
    return true;
  }
  bool VisitForStmt(ForStmt *S) override {
    return loop(S->getCond(), S->getBody());
  }
  bool VisitWhileStmt(WhileStmt *S) override {
    return loop(S->getCond(), S->getBody());
  }
  bool VisitDoStmt(DoStmt *S) override {
    return loop(S->getCond(), S->getBody());
  }
  bool VisitBinaryOperator(BinaryOperator *B) override {
    if (!IsCounting && B->isRelationalOp() &&
        (isId(B->getLHS()) || isId(B->getRHS())))
      count(B);
    return true;
  }

private:
  void count(Expr *E) {
    bool Before = std::exchange(IsCounting, true);
    TraverseStmt(E);
    IsCounting = Before;
  }
  bool loop(Expr *Condition, Stmt *Body) {
    auto *B = Condition
                  ? dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts())
                  : nullptr;
    if (B && B->isComparisonOp() && !mayLeave(Body))
      count(B);
    return true;
  }
};

} // namespace

bool onlyCounts(const ParmVarDecl &P, const Stmt &Body) {
  Mentions M(P);
  M.TraverseStmt(const_cast<Stmt *>(&Body));
  return M.onlyCount();
}

} // namespace clrewrite::rewrite
