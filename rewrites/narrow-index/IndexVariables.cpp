// Which variables of a function hold indices.
#include "IndexVariables.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Nodes.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::narrow_index {

bool isIndexCall(const Expr *E) {
  const auto *Call = dyn_cast<CallExpr>(E->IgnoreParens());
  return Call && isBuiltinCall(Call) &&
         is_contained({"get_global_id", "get_local_id", "get_group_id",
                       "get_global_size", "get_local_size", "get_num_groups",
                       "get_global_offset", "get_enqueued_local_size",
                       "get_global_linear_id", "get_local_linear_id"},
                      calleeName(Call));
}

const Expr *bareInteger(const Expr *E) {
  while (true) {
    E = E->IgnoreParens();
    const auto *C = dyn_cast<ImplicitCastExpr>(E);
    if (!C || C->getCastKind() != CK_IntegralCast)
      return E;
    E = C->getSubExpr();
  }
}

namespace {

bool is64(QualType T, const ASTContext &Context) {
  return T->isIntegerType() && Context.getTypeSize(T) == 64;
}

/// Gathers definitions, and the expressions that index something.
class Gather : public DynamicRecursiveASTVisitor {
public:
  explicit Gather(IndexVariables &Into) : Into(Into) {}
  std::vector<const Expr *> Positions;

  bool VisitVarDecl(VarDecl *V) override {
    std::vector<Definition> &Defs = Into.Definitions[V->getCanonicalDecl()];
    if (V->getInit() && !isa<ParmVarDecl>(V))
      Defs.push_back({BO_Assign, V->getInit(), true});
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *B) override {
    if (B->isAssignmentOp())
      if (const VarDecl *V = namedVariable(B->getLHS()))
        Into.Definitions[V].push_back(
            {B->isCompoundAssignmentOp()
                 ? BinaryOperator::getOpForCompoundAssignment(B->getOpcode())
                 : BO_Assign,
             B->getRHS()});
    if (B->getType()->isPointerType() && !B->isCommaOp() &&
        B->getOpcode() != BO_Assign)
      for (const Expr *E : {B->getLHS(), B->getRHS()})
        if (E->getType()->isIntegerType())
          Positions.push_back(E);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) override {
    if (U->isIncrementDecrementOp())
      if (const VarDecl *V = namedVariable(U->getSubExpr()))
        Into.Definitions[V].push_back(
            {U->isIncrementOp() ? BO_Add : BO_Sub, nullptr});
    return true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *A) override {
    Positions.push_back(A->getIdx());
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    if (calleeName(Call).starts_with("vload"))
      Positions.push_back(Call->getArg(0));
    if (calleeName(Call).starts_with("vstore") && Call->getNumArgs() > 1)
      Positions.push_back(Call->getArg(1));
    return true;
  }

private:
  IndexVariables &Into;
};

/// \p V stands in \p E where its value counts in full, and not behind a mask or
/// as a remainder alone, as a hash does in `table[hash & 255]`.
bool countsIn(const Stmt *E, const VarDecl *V) {
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (B && (B->getOpcode() == BO_And || B->getOpcode() == BO_Rem))
    return false;
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    return isName(D, V);
  return any_of(E->children(),
                [&](const Stmt *Part) { return Part && countsIn(Part, V); });
}

} // namespace

bool isMadeOfIndices(const Expr *E, const IndexVariables &Known,
                     const ASTContext &Context) {
  E = bareInteger(E);
  QualType T = E->getType();
  if (!T->isIntegerType())
    return false;
  if (Context.getTypeSize(T) <= 32 || isIndexCall(E))
    return true;
  auto narrow = [&](const Expr *Sub) {
    return isMadeOfIndices(Sub, Known, Context);
  };
  if (const auto *C = dyn_cast<ImplicitCastExpr>(E))
    return C->getCastKind() == CK_LValueToRValue &&
           Known.index(C->getSubExpr());
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->isIncrementDecrementOp()
               ? Known.index(U->getSubExpr()) != nullptr
               : U->isArithmeticOp() && narrow(U->getSubExpr());
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return narrow(C->getTrueExpr()) && narrow(C->getFalseExpr());
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (!B || B->isAssignmentOp() || B->isCommaOp())
    return false;
  return narrow(B->getLHS()) && (B->isShiftOp() || narrow(B->getRHS()));
}

namespace {

/// Sums of data and products of itself: no index.
bool accumulates(const VarDecl *V, const Definition &D) {
  if (D.Initial || !D.Value)
    return false;
  switch (D.Op) {
  case BO_Mul:
  case BO_Shl:
  case BO_Xor:
  case BO_Or:
    return true;
  case BO_Assign:
    return mentions(D.Value, V) &&
           (firstIn<BinaryOperator>(D.Value,
                                    [](const BinaryOperator *B) {
                                      return B->getOpcode() == BO_Mul ||
                                             B->getOpcode() == BO_Shl ||
                                             B->getOpcode() == BO_Xor;
                                    }) ||
            readsMemory(D.Value));
  default:
    return readsMemory(D.Value);
  }
}

} // namespace

const VarDecl *IndexVariables::index(const Expr *E) const {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
  const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  return V && Indices.contains(V->getCanonicalDecl()) ? V->getCanonicalDecl()
                                                      : nullptr;
}

IndexVariables::IndexVariables(const FunctionDecl &Function,
                               const ASTContext &Context) {
  Gather Search(*this);
  for (const ParmVarDecl *P : Function.parameters())
    Definitions[P];
  Search.TraverseStmt(Function.getBody());
  for (const auto &Each : Definitions) {
    const VarDecl *V = Each.first;
    const std::vector<Definition> &Defs = Each.second;
    if (isa<ParmVarDecl>(V) || !V->hasLocalStorage() ||
        !is64(V->getType(), Context) || V->getType().isVolatileQualified() ||
        Defs.empty() || !Defs.front().Initial)
      continue;
    if (none_of(Defs, [&](const Definition &D) { return accumulates(V, D); }))
      Indices.insert(V);
    else if (!LeftOut)
      LeftOut = V;
  }
  // A variable that depends on a wide one is wide, and so on.
  auto wide = [&](const VarDecl *V) {
    return any_of(Definitions[V], [&](const Definition &D) {
      return D.Value && !(D.Op == BO_Shr && !D.Initial) &&
             !isMadeOfIndices(D.Value, *this, Context);
    });
  };
  while (Indices.remove_if(wide))
    ;
  // Of the others, those count that are computed from ids or index something.
  SmallPtrSet<const VarDecl *, 8> Used;
  auto isUsed = [&](const VarDecl *V) {
    return Used.contains(V) ||
           any_of(Search.Positions,
                  [&](const Expr *E) { return countsIn(E, V); }) ||
           any_of(Definitions[V], [&](const Definition &D) {
             return D.Value && (firstIn<CallExpr>(D.Value, isIndexCall) ||
                                mentionsAny(D.Value, [&](const VarDecl *Other) {
                                  return Used.contains(Other);
                                }));
           });
  };
  size_t Before;
  do {
    Before = Used.size();
    for (const VarDecl *V : Indices)
      if (isUsed(V))
        Used.insert(V);
  } while (Used.size() != Before);
  Indices.remove_if([&](const VarDecl *V) { return !Used.contains(V); });
  // Removing one may have left another that depends on it.
  while (Indices.remove_if(wide))
    ;
  if (!Indices.empty())
    LeftOut = nullptr;
}

} // namespace clrewrite::rewrite::narrow_index
