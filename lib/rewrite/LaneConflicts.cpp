// Whether parts of a region meet in memory.
//
// As written, the region does all lanes of its first load, then all lanes of
// its first store, and so on; part by part, a later part's loads come after an
// earlier part's stores, and the stores of two parts interleave. That is the
// same for every pair of a store and another access that either never touch
// the same byte, or do so only with the same lane, since one lane's accesses
// keep their order. A pair is fine where
//   - the two lie in address spaces that don't overlap,
//   - they are reached from different buffers, one of them `restrict`,
//   - both are vectors of the region that step from one pointer, which the
//     region does not change: the vectors then start whole vectors apart.
// From different buffers without `restrict` it is fine where those don't
// overlap, which only the host knows: that is an assumption. Everything else
// is a conflict.
#include "rewrite/Conditions.h"
#include "rewrite/LaneUse.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace llvm;
using namespace clang;

namespace clrewrite {
namespace {

bool isPointer(const Expr *E) { return E->getType()->isPointerType(); }

/// The pointer that \p E adds to or subtracts from; \p E itself elsewhere.
const Expr *addedTo(const Expr *E) {
  while (true) {
    E = E->IgnoreParenCasts();
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B || !B->isAdditiveOp() || !isPointer(B))
      return E;
    E = isPointer(B->getLHS()) ? B->getLHS() : B->getRHS();
  }
}

const VarDecl *named(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return V ? V->getCanonicalDecl() : nullptr;
}

/// How a function changes a variable after its declaration.
class Changes : public RecursiveASTVisitor<Changes> {
public:
  Changes(const VarDecl *V, const FunctionDecl &Function) : V(V) {
    TraverseStmt(Function.getBody());
  }
  bool Any = false;       ///< in any way, or its address is taken
  bool ToAnother = false; ///< a pointer: to something other than itself +- n
  bool VisitBinaryOperator(BinaryOperator *B) {
    if (!B->isAssignmentOp() || storageOf(B->getLHS()).Variable != V)
      return true;
    Any = true;
    ToAnother |=
        B->getOpcode() == BO_Assign && named(addedTo(B->getRHS())) != V;
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) {
    bool Address = U->getOpcode() == UO_AddrOf;
    if ((!Address && !U->isIncrementDecrementOp()) ||
        storageOf(U->getSubExpr()).Variable != V)
      return true;
    Any = true;
    ToAnother |= Address;
    return true;
  }

private:
  const VarDecl *V;
};

/// The parameter, or the variable, whose memory \p Pointer leads into; null
/// where that is not seen.
const VarDecl *bufferOf(const Expr *Pointer, const FunctionDecl &Function) {
  for (unsigned Steps = 0; Pointer && Steps < 64; ++Steps) {
    const Expr *E = addedTo(Pointer);
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->getOpcode() == UO_AddrOf) {
      const auto *A =
          dyn_cast<ArraySubscriptExpr>(U->getSubExpr()->IgnoreParens());
      Pointer = A ? A->getBase() : nullptr;
      continue;
    }
    const VarDecl *V = named(E);
    if (!V || V->getType()->isArrayType())
      return V;
    if (!isPrivate(V) && !isPointer(Pointer))
      return V; // A variable outside of all functions.
    if (!isPrivate(V) || !V->getType()->isPointerType() ||
        Changes(V, Function).ToAnother)
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

/// Where vectors are counted from.
struct Origin {
  const Expr *Pointer;
  /// Written at the declaration of a variable, perhaps long before.
  bool Earlier = false;
};

/// The pointer that vectors are counted from, for p[i] and *(p + i) too.
Origin originOf(const LaneAccess &A, unsigned Lanes,
                const FunctionDecl &Function, const ASTContext &Context) {
  Origin Out{};
  const Expr *E = A.Pointer->IgnoreParenImpCasts();
  auto stepsByVectors = [&] {
    QualType To = E->getType()->getPointeeType();
    return laneCount(To) == Lanes &&
           Context.getTypeSize(To) == A.LaneBits * Lanes;
  };
  while (isPointer(E) && stepsByVectors()) {
    const Expr *Before = E;
    const VarDecl *V = named(E);
    if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAdditiveOp())
      E = isPointer(B->getLHS()) ? B->getLHS() : B->getRHS();
    else if (const auto *C = dyn_cast<ExplicitCastExpr>(E);
             C && isPointer(C->getSubExpr()))
      E = C->getSubExpr();
    else if (V && V->getInit() && isPrivate(V) && !Changes(V, Function).Any) {
      E = V->getInit();
      Out.Earlier = true;
    }
    E = E->IgnoreParenImpCasts();
    if (E == Before)
      break;
  }
  Out.Pointer = E;
  return Out;
}

/// The two accesses step over whole vectors from one pointer, which is the same
/// in every part and every iteration.
bool sameLanes(const LaneAccess &A, const LaneAccess &B, const LaneUse &Use,
               const FunctionDecl &Function, const ASTContext &Context) {
  if (!A.Wide || !B.Wide || A.LaneBits != B.LaneBits)
    return false;
  Origin From = originOf(A, Use.Lanes, Function, Context);
  Origin To = originOf(B, Use.Lanes, Function, Context);
  // Each part computes the region's own variables anew, so those are the same
  // too where nothing changes them, and no loop declares them.
  bool Anywhere = From.Earlier || To.Earlier;
  auto changes = [&](const VarDecl *V) {
    bool Own = Use.Own.contains(V);
    return (Own && (A.InLoop || B.InLoop)) ||
           ((Own || Anywhere) && Changes(V, Function).Any);
  };
  return isPure(From.Pointer) && !readsMemory(From.Pointer) &&
         !mentionsAny(From.Pointer, changes) &&
         sameExpression(From.Pointer, To.Pointer, Context);
}

bool isRestrict(const VarDecl *V) { return V->getType().isRestrictQualified(); }

} // namespace

LaneConflicts conflictsOf(const LaneUse &Use, const FunctionDecl &Function,
                          const ASTContext &Context) {
  LaneConflicts Out;
  auto buffer = [&](const LaneAccess &A) {
    return A.Pointer ? bufferOf(A.Pointer, Function) : nullptr;
  };
  for (const LaneAccess &S : Use.Accesses) {
    if (!S.Store)
      continue;
    // Each part has a copy of its own of the region's variables.
    const VarDecl *Into = buffer(S);
    if (isPrivateSpace(spaceOf(S.Pointer)) ||
        (spaceOf(S.Pointer) == LangAS::opencl_generic &&
         (!Into || !isa<ParmVarDecl>(Into)))) {
      Out.Certain = true;
      continue;
    }
    for (const LaneAccess &A : Use.Accesses) {
      if (&A == &S && !S.InLoop)
        continue;
      if (A.Pointer && !mayShare(spaceOf(S.Pointer), spaceOf(A.Pointer)))
        continue;
      if (A.Pointer && sameLanes(S, A, Use, Function, Context))
        continue;
      const VarDecl *X = buffer(S), *Y = buffer(A);
      if (!X || !Y || X == Y) {
        Out.Certain = true;
        continue;
      }
      bool Arrays =
          !X->getType()->isPointerType() && !Y->getType()->isPointerType();
      // Each __local argument of a kernel is a piece of memory of its own,
      // unless another kernel calls it.
      bool Local = Function.hasAttr<DeviceKernelAttr>() &&
                   !Function.isUsed(/*CheckUsedAttr=*/false) &&
                   spaceOf(S.Pointer) == LangAS::opencl_local;
      if (Arrays || Local || isRestrict(X) || isRestrict(Y))
        continue;
      std::string Stored = X->getNameAsString(), Other = Y->getNameAsString();
      auto Known = Out.Assumed.find(Other);
      if (Known == Out.Assumed.end() || !Known->second.count(Stored))
        Out.Assumed[Stored].insert(Other);
    }
  }
  return Out;
}

} // namespace clrewrite
