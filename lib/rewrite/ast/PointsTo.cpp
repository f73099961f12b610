// Which memory a pointer leads into.
//
// A pointer is followed to the variable that it is computed from: through sums,
// casts, & of a variable or a part of one, and local pointers that only ever
// move. What it leads into from there on is one piece of memory, as far as the
// language says so: an array, or what a `restrict` parameter points to.
#include "rewrite/ast/PointsTo.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Lanes.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/text/Directives.h"
#include "clang/AST/Attr.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

static bool isPointer(const Expr *E) { return E->getType()->isPointerType(); }

const Expr *addedTo(const Expr *E) {
  while (true) {
    E = E->IgnoreParenCasts();
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->isIncrementDecrementOp()) {
      E = U->getSubExpr();
      continue;
    }
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B || !B->isAdditiveOp() || !isPointer(B))
      return E;
    E = isPointer(B->getLHS()) ? B->getLHS() : B->getRHS();
  }
}

Changes changesOf(const VarDecl *V, const FunctionDecl &Function) {
  Changes Out;
  Out.Any = Out.ToAnother =
      addressTaken(Function).contains(V->getCanonicalDecl());
  for (const BinaryOperator *B : allIn<BinaryOperator>(Function.getBody())) {
    if (!B->isAssignmentOp() || storageOf(B->getLHS()).Variable != V)
      continue;
    Out.Any = true;
    Out.ToAnother |=
        B->getOpcode() == BO_Assign && namedVariable(addedTo(B->getRHS())) != V;
  }
  for (const UnaryOperator *U : allIn<UnaryOperator>(Function.getBody()))
    Out.Any |=
        U->isIncrementDecrementOp() && storageOf(U->getSubExpr()).Variable == V;
  return Out;
}

const VarDecl *memoryOf(const Expr *Pointer, const FunctionDecl &Function) {
  for (unsigned Steps = 0; Pointer && Steps < 64; ++Steps) {
    const Expr *E = addedTo(Pointer);
    const auto *U = dyn_cast<UnaryOperator>(E);
    const Expr *Object = U && U->getOpcode() == UO_AddrOf ? U->getSubExpr()
                         : E->getType()->isArrayType()    ? E
                                                          : nullptr;
    if (Object) {
      Storage S = storageOf(Object);
      // The caller would take a pointer for what it leads to.
      if (S.Variable)
        return S.Variable->getType()->isPointerType() ? nullptr : S.Variable;
      Pointer = S.Inputs.back();
      continue;
    }
    const VarDecl *V = namedVariable(E);
    if (!V)
      return nullptr;
    if (!isPrivate(V) && !isPointer(Pointer))
      return V; // A variable outside of all functions.
    if (!isPrivate(V) || !V->getType()->isPointerType() ||
        changesOf(V, Function).ToAnother)
      return nullptr;
    if (isa<ParmVarDecl>(V))
      return V;
    Pointer = V->getInit();
  }
  return nullptr;
}

LangAS spaceOf(const Expr *Pointer) {
  QualType T = Pointer->getType();
  return (T->isPointerType() ? T->getPointeeType() : T).getAddressSpace();
}

bool isPrivateSpace(LangAS Space) {
  return Space == LangAS::Default || Space == LangAS::opencl_private;
}

bool mayShare(LangAS A, LangAS B) {
  if (A == LangAS::opencl_constant || B == LangAS::opencl_constant)
    return false; // What a kernel reads as constant, nobody may write.
  if (A == LangAS::opencl_generic || B == LangAS::opencl_generic)
    return true;
  return A == B || (isPrivateSpace(A) && isPrivateSpace(B));
}

bool areApart(const VarDecl *A, const VarDecl *B, LangAS Space,
              const FunctionDecl &Function) {
  if (!A || !B || A == B)
    return false;
  auto isRestrict = [](const VarDecl *V) {
    return V->getType().isRestrictQualified();
  };
  bool Arrays =
      !A->getType()->isPointerType() && !B->getType()->isPointerType();
  // Each __local argument of a kernel is a piece of memory of its own, unless
  // another kernel calls it.
  bool Local = Function.hasAttr<DeviceKernelAttr>() &&
               Space == LangAS::opencl_local &&
               isNamedOnce(Function, Function.getASTContext());
  return Arrays || Local || isRestrict(A) || isRestrict(B);
}

} // namespace clrewrite::rewrite
