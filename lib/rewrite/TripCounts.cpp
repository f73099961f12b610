// The mentions of each variable are noted, and those in such comparisons.
#include "rewrite/TripCounts.h"
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/ast/Builtins.h"
#include "rewrite/ast/Nodes.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// \p E is an id that the work-item asks for, or a variable that begins as one.
bool isId(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl()); V && V->getInit())
      E = V->getInit()->IgnoreParenCasts();
  return is_contained({"get_global_id", "get_local_id", "get_group_id"},
                      calleeName(E));
}

class Mentions : public DynamicRecursiveASTVisitor {
  std::map<const ValueDecl *, std::set<const Stmt *>> All, Counting;
  bool IsCounting = false; ///< what is visited is a side of such a comparison

public:
  std::set<const ValueDecl *> onlyCounting() const {
    std::set<const ValueDecl *> Out;
    for (const auto &[V, Mentions] : All)
      if (auto It = Counting.find(V);
          It != Counting.end() && It->second == Mentions)
        Out.insert(V);
    return Out;
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    (IsCounting ? Counting : All)[E->getDecl()].insert(E);
    return true;
  }
  bool VisitForStmt(ForStmt *S) override { return loop(S); }
  bool VisitWhileStmt(WhileStmt *S) override { return loop(S); }
  bool VisitDoStmt(DoStmt *S) override { return loop(S); }
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
  template <typename Loop> bool loop(Loop *S) {
    Expr *Condition = S->getCond();
    auto *B = Condition
                  ? dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts())
                  : nullptr;
    if (B && B->isComparisonOp() && !mayLeave(S->getBody()))
      count(B);
    return true;
  }
};

} // namespace

std::set<const ValueDecl *> onlyCounting(const FunctionDecl &Kernel) {
  return searched(Mentions(), Kernel.getBody()).onlyCounting();
}

} // namespace clrewrite::rewrite
