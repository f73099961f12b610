// A branch, or a conditional expression, is read as a guard and the loads that
// its value always makes.
#include "GuardedLoads.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::speculate_load {

const ArraySubscriptExpr *elementOf(const Expr *E) {
  const auto *A = dyn_cast<ArraySubscriptExpr>(E->IgnoreParens());
  if (!A || !namedVariable(A->getBase()) ||
      !A->getBase()->getType()->isPointerType())
    return nullptr;
  LangAS Space = A->getType().getAddressSpace();
  bool Buffer =
      Space == LangAS::opencl_global || Space == LangAS::opencl_constant;
  return Buffer && (A->getType()->isArithmeticType() ||
                    A->getType()->isVectorType())
             ? A
             : nullptr;
}

const Expr *valueIn(const Stmt *St) {
  if (const auto *D = dyn_cast<DeclStmt>(St)) {
    const auto *V =
        D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
    return V ? V->getInit() : nullptr;
  }
  const auto *E = dyn_cast<Expr>(St);
  const auto *B = dyn_cast_or_null<BinaryOperator>(E ? E->IgnoreParens() : E);
  return B && B->isAssignmentOp() ? B->getRHS() : nullptr;
}

static bool isWithin(const Expr *Inner, const Expr *Outer) {
  return Inner == Outer || any_of(operandsOf(Outer), [&](const Expr *Part) {
           return isWithin(Inner, Part);
         });
}

/// The loads of \p Value, without those that another one needs.
static std::vector<const ArraySubscriptExpr *> loadsOf(const Expr *Value) {
  std::vector<const ArraySubscriptExpr *> Out;
  for (const Expr *E : memoryReads(Value, /*Always=*/true))
    if (const ArraySubscriptExpr *A = elementOf(E))
      Out.push_back(A);
  std::vector<const ArraySubscriptExpr *> All = Out;
  erase_if(Out, [&](const ArraySubscriptExpr *A) {
    return any_of(All, [&](const ArraySubscriptExpr *Other) {
      return Other != A && isWithin(A, Other->getIdx());
    });
  });
  return Out;
}

std::optional<GuardedLoads> guardedLoads(const Stmt *St,
                                         const ASTContext &Context) {
  GuardedLoads F;
  F.G.Whole = St;
  if (const auto *If = dyn_cast<IfStmt>(St)) {
    if (!onlyAssigns(If))
      return std::nullopt;
    F.Tree = branchOf(If);
    const Arm &Then = F.Tree.Then, &Else = F.Tree.Else;
    if (Then.size() != 1 || Then[0].Inner || Else.size() > 1 ||
        (Else.size() == 1 && Else[0].Inner))
      return std::nullopt;
    F.G.Condition = F.Tree.Condition;
    F.G.Then = &Then[0].Assign;
    F.G.Value = F.G.Then->Value;
    F.G.Else = Else.empty() ? nullptr : &Else[0].Assign;
    if (F.G.Else &&
        (F.G.Else->Op != BO_Assign || F.G.Then->Op != BO_Assign ||
         !sameExpression(F.G.Else->Target, F.G.Then->Target, Context)))
      return std::nullopt;
    // A store that is made on one path only must stay so.
    if (!F.G.Else && !storageOf(F.G.Then->Target).isPrivate())
      return std::nullopt;
  } else if (const Expr *Value = valueIn(St)) {
    const auto *C = dyn_cast<ConditionalOperator>(Value->IgnoreParenImpCasts());
    if (!C)
      return std::nullopt;
    F.G.Condition = C->getCond();
    F.G.Value = C->getTrueExpr();
  }
  if (!F.G.Value)
    return std::nullopt;
  F.G.Loads = loadsOf(F.G.Value);
  return F.G.Loads.empty() ? std::nullopt : std::optional(std::move(F));
}

} // namespace clrewrite::rewrite::speculate_load
