// Branches whose arms only assign.
//
// `if (c) { x = a; y = b; } else { y = d; x = e; }` becomes one statement per
// variable. On the path that is taken, those statements do the same
// assignments, perhaps in another order, and nothing else: the others write
// back what is there. So an order is right where it keeps, for each path, two
// assignments in their order whenever one reads or writes what the other
// writes. That makes a graph over the variables; an order without conflict is
// a topological one, and the first in the text wins among equals.
#include "rewrite/text/Assignments.h"
#include "frontend/CodeVisitor.h"
#include "rewrite/ast/Builtins.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/PointsTo.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

static std::optional<Assignment> assignmentOf(const Stmt *S) {
  const auto *E = dyn_cast<Expr>(S);
  if (!E)
    return std::nullopt;
  E = E->IgnoreParens();
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->isIncrementDecrementOp())
    return Assignment{U, U->getSubExpr(), nullptr,
                      U->isIncrementOp() ? BO_Add : BO_Sub};
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (!B || !B->isAssignmentOp())
    return std::nullopt;
  return Assignment{
      B, B->getLHS(), B->getRHS(),
      B->isCompoundAssignmentOp()
          ? BinaryOperator::getOpForCompoundAssignment(B->getOpcode())
          : BO_Assign};
}

/// Counts the assignments of \p S; -1 where it holds anything else.
static int count(const Stmt *S) {
  if (!S || isa<NullStmt>(S))
    return 0;
  if (assignmentOf(S))
    return 1;
  int Sum = 0;
  auto add = [&](const Stmt *Part) {
    int N = count(Part);
    Sum = N < 0 || Sum < 0 ? -1 : Sum + N;
  };
  if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
    for (const Stmt *Part : Block->body())
      add(Part);
    return Sum;
  }
  const auto *If = dyn_cast<IfStmt>(S);
  if (!If || If->getInit() || If->getConditionVariable())
    return -1;
  add(If->getThen());
  add(If->getElse());
  return Sum;
}

bool onlyAssigns(const IfStmt *If) { return count(If) > 0; }

static void addSteps(const Stmt *S, Arm &Into) {
  if (!S || isa<NullStmt>(S))
    return;
  if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
    for (const Stmt *Part : Block->body())
      addSteps(Part, Into);
    return;
  }
  ArmStep Step;
  if (const auto *If = dyn_cast<IfStmt>(S))
    Step.Inner = std::make_unique<Branch>(branchOf(If));
  else
    Step.Assign = *assignmentOf(S);
  Into.push_back(std::move(Step));
}

Branch branchOf(const IfStmt *If) {
  Branch B;
  B.If = If;
  B.Condition = If->getCond();
  addSteps(If->getThen(), B.Then);
  addSteps(If->getElse(), B.Else);
  return B;
}

namespace {

class MemorySearch : public frontend::CodeVisitor {
public:
  explicit MemorySearch(bool Always) : Always(Always) {}
  std::vector<const Expr *> Found;

  // Operands that are not evaluated.
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) override {
    return true;
  }
  // Its statements may have paths that read and others that don't.
  bool TraverseStmtExpr(StmtExpr *S) override {
    return Always || CodeVisitor::TraverseStmtExpr(S);
  }
  bool TraverseConditionalOperator(ConditionalOperator *C) override {
    if (!TraverseStmt(C->getCond()))
      return false;
    return Always ||
           (TraverseStmt(C->getTrueExpr()) && TraverseStmt(C->getFalseExpr()));
  }
  bool
  TraverseBinaryConditionalOperator(BinaryConditionalOperator *C) override {
    return TraverseStmt(C->getCommon()) &&
           (Always || TraverseStmt(C->getFalseExpr()));
  }
  // The address of a place is no access to it, but what leads to it may be one.
  bool TraverseUnaryOperator(UnaryOperator *U) override {
    if (!Always || U->getOpcode() != UO_AddrOf)
      return CodeVisitor::TraverseUnaryOperator(U);
    Expr *Place = U->getSubExpr()->IgnoreParens();
    for (auto *M = dyn_cast<MemberExpr>(Place); M && !M->isArrow();
         M = dyn_cast<MemberExpr>(Place))
      Place = M->getBase()->IgnoreParens();
    if (auto *A = dyn_cast<ArraySubscriptExpr>(Place))
      return TraverseStmt(A->getBase()) && TraverseStmt(A->getIdx());
    if (auto *D = dyn_cast<UnaryOperator>(Place))
      return TraverseStmt(D->getSubExpr());
    auto *M = dyn_cast<MemberExpr>(Place);
    return TraverseStmt(M ? M->getBase() : Place);
  }
  bool TraverseCallExpr(CallExpr *Call) override {
    // What asks the compiler may not evaluate its operands.
    return (Always && calleeName(Call).starts_with("__")) ||
           CodeVisitor::TraverseCallExpr(Call);
  }
  bool TraverseChooseExpr(ChooseExpr *C) override {
    return TraverseStmt(C->getChosenSubExpr());
  }
  bool TraverseGenericSelectionExpr(GenericSelectionExpr *G) override {
    return TraverseStmt(G->getResultExpr());
  }
  bool TraverseBinaryOperator(BinaryOperator *B) override {
    if (!TraverseStmt(B->getLHS()))
      return false;
    return (Always && B->isLogicalOp()) || TraverseStmt(B->getRHS());
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *S) override {
    // A lane of a vector is no memory, but may be out of bounds as well.
    return add(S);
  }
  bool VisitUnaryOperator(UnaryOperator *U) override {
    return U->getOpcode() == UO_Deref ? add(U) : true;
  }
  bool VisitMemberExpr(MemberExpr *M) override {
    return M->isArrow() ? add(M) : true;
  }
  bool VisitExtVectorElementExpr(ExtVectorElementExpr *X) override {
    return X->isArrow() ? add(X) : true;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    if (!isBuiltinCall(Call))
      return readsMemory(Call) ? add(Call) : true;
    return any_of(Call->getDirectCallee()->parameters(),
                  [](const ParmVarDecl *P) {
                    return P->getType()->isPointerType() ||
                           P->getType()->isImageType();
                  })
               ? add(Call)
               : true;
  }

private:
  bool Always;
  bool add(const Expr *E) {
    Found.push_back(E);
    return true;
  }
};

} // namespace

std::vector<const Expr *> memoryReads(const Expr *E, bool Always) {
  return searched(MemorySearch(Always), E).Found;
}

static void gather(const Arm &A, std::vector<const Assignment *> &Assigns,
                   std::vector<const Branch *> &Branches) {
  for (const ArmStep &S : A)
    if (S.Inner) {
      Branches.push_back(S.Inner.get());
      gather(S.Inner->Then, Assigns, Branches);
      gather(S.Inner->Else, Assigns, Branches);
    } else {
      Assigns.push_back(&S.Assign);
    }
}

std::vector<const Assignment *> assignmentsOf(const Branch &B) {
  std::vector<const Assignment *> Out;
  std::vector<const Branch *> Unused;
  gather(B.Then, Out, Unused);
  gather(B.Else, Out, Unused);
  return Out;
}

std::vector<const Branch *> branchesOf(const Branch &B) {
  std::vector<const Assignment *> Unused;
  std::vector<const Branch *> Out;
  gather(B.Then, Unused, Out);
  gather(B.Else, Unused, Out);
  return Out;
}

bool alwaysAssigns(const Arm &A, const Target &T, const ASTContext &Context) {
  return any_of(A, [&](const ArmStep &S) {
    return S.Inner ? alwaysAssigns(S.Inner->Then, T, Context) &&
                         alwaysAssigns(S.Inner->Else, T, Context)
                   : sameExpression(S.Assign.Target, T.LValue, Context);
  });
}

/// Evaluating \p E may read a private variable through a pointer, or, where \p
/// E is a target, write one. A call of a function of this file may do that with
/// any pointer that it reads through.
static bool mayReachPrivate(const Expr *E) {
  auto leadsToPrivate = [](const Expr *Pointer) {
    return Pointer->getType()->isPointerType() &&
           mayShare(spaceOf(Pointer->IgnoreParenImpCasts()),
                    LangAS::opencl_private);
  };
  return any_of(memoryReads(E, /*Always=*/false), [&](const Expr *Read) {
    if (const auto *Call = dyn_cast<CallExpr>(Read))
      return !isBuiltinCall(Call) || any_of(Call->arguments(), leadsToPrivate);
    Storage S = storageOf(Read);
    return !S.Variable && leadsToPrivate(S.Inputs.back());
  });
}

/// As mayReachPrivate, of any part of the branch.
static bool mayReachPrivate(const Branch &B) {
  return mayReachPrivate(B.Condition) ||
         any_of(branchesOf(B),
                [](const Branch *Inner) {
                  return mayReachPrivate(Inner->Condition);
                }) ||
         any_of(assignmentsOf(B), [](const Assignment *A) {
           return mayReachPrivate(A->Target) ||
                  (A->Value && mayReachPrivate(A->Value));
         });
}

namespace {

/// Walks the paths and draws an edge where one target must come before another.
class Order {
public:
  Order(const FunctionDecl &Function, const ASTContext &Context)
      : Function(Function), Context(Context) {}

  MergedOrder of(const Branch &B) {
    bool ByPointer = mayReachPrivate(B);
    for (const Assignment *A : assignmentsOf(B))
      if (!find(A->Target))
        Out.Targets.push_back(
            {A->Target, ByPointer ? privateRoot(A->Target, Function)
                                  : storageOf(A->Target).ownVariable()});
    Out.Addressed = addressTaken(Function);
    Before.assign(Out.Targets.size(), std::vector<bool>(Out.Targets.size()));
    std::vector<const Assignment *> Done;
    walk(B, Done);
    sort();
    return std::move(Out);
  }

private:
  const FunctionDecl &Function;
  const ASTContext &Context;
  MergedOrder Out;
  /// Before[I][J]: target I must be assigned before target J.
  std::vector<std::vector<bool>> Before;

  std::optional<size_t> find(const Expr *LValue) const {
    for (size_t I = 0; I < Out.Targets.size(); ++I)
      if (sameExpression(Out.Targets[I].LValue, LValue, Context))
        return I;
    return std::nullopt;
  }
  const Target &targetOf(const Assignment &A) const {
    return Out.Targets[*find(A.Target)];
  }
  bool touches(const Assignment &A, const Assignment &Written) const {
    const Target &T = targetOf(Written);
    return Out.reads(A.Target, T) || (A.Value && Out.reads(A.Value, T)) ||
           (!T.Variable && !targetOf(A).Variable);
  }

  void walk(const Branch &B, std::vector<const Assignment *> &Done) {
    for (const Assignment *A : Done)
      if (Out.reads(B.Condition, targetOf(*A)))
        Out.TooLate = B.Condition;
    std::vector<const Assignment *> Left = Done, Right = Done;
    walk(B.Then, Left);
    walk(B.Else, Right);
    Right.erase(Right.begin(), Right.begin() + long(Done.size()));
    Done = std::move(Left);
    Done.insert(Done.end(), Right.begin(), Right.end());
  }
  void walk(const Arm &Steps, std::vector<const Assignment *> &Done) {
    for (const ArmStep &S : Steps) {
      if (S.Inner) {
        walk(*S.Inner, Done);
        continue;
      }
      size_t To = *find(S.Assign.Target);
      for (const Assignment *A : Done) {
        size_t From = *find(A->Target);
        if (From == To)
          Out.Twice = S.Assign.Target;
        if (touches(S.Assign, *A) || touches(*A, S.Assign))
          Before[From][To] = true;
      }
      Done.push_back(&S.Assign);
    }
  }

  void sort() {
    std::vector<Target> Sorted;
    std::vector<bool> Placed(Out.Targets.size());
    while (Sorted.size() < Out.Targets.size()) {
      size_t Next = 0;
      auto waits = [&](size_t J) {
        for (size_t I = 0; I < Placed.size(); ++I)
          if (!Placed[I] && I != J && Before[I][J])
            return true;
        return false;
      };
      while (Next < Placed.size() && (Placed[Next] || waits(Next)))
        ++Next;
      if (Next == Placed.size()) {
        Out.Conflict =
            Out.Targets[size_t(find_if(Placed, [](bool P) { return !P; }) -
                               Placed.begin())]
                .LValue;
        return;
      }
      Placed[Next] = true;
      Sorted.push_back(Out.Targets[Next]);
    }
    Out.Targets = std::move(Sorted);
  }
};

} // namespace

bool MergedOrder::reads(const Expr *E, const Target &T) const {
  if (T.Variable)
    return mentions(E, T.Variable);
  // An element: of a variable, or of what a pointer leads to.
  const VarDecl *Whole = storageOf(T.LValue).Variable;
  return readsMemory(E) || mentionsAny(E, [&](const VarDecl *V) {
           return V == Whole || Addressed.contains(V);
         });
}

MergedOrder mergedOrder(const Branch &B, const FunctionDecl &Function,
                        const ASTContext &Context) {
  return Order(Function, Context).of(B);
}

} // namespace clrewrite::rewrite
