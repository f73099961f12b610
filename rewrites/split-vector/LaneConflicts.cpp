// Whether the accesses of different parts of a region may alias.
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
#include "LaneUse.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/PointsTo.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::split_vector {
namespace {

bool isPointer(const Expr *E) { return E->getType()->isPointerType(); }

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
    const VarDecl *V = namedVariable(E->IgnoreParenCasts());
    if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAdditiveOp())
      E = isPointer(B->getLHS()) ? B->getLHS() : B->getRHS();
    else if (const auto *C = dyn_cast<ExplicitCastExpr>(E);
             C && isPointer(C->getSubExpr()))
      E = C->getSubExpr();
    else if (V && V->getInit() && isPrivate(V) && !changesOf(V, Function).Any) {
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
           ((Own || Anywhere) && changesOf(V, Function).Any);
  };
  return isPure(From.Pointer) && !readsMemory(From.Pointer) &&
         !mentionsAny(From.Pointer, changes) &&
         sameExpression(From.Pointer, To.Pointer, Context);
}

} // namespace

LaneConflicts conflictsOf(const LaneUse &Use, const FunctionDecl &Function,
                          const ASTContext &Context) {
  LaneConflicts Out;
  auto buffer = [&](const LaneAccess &A) {
    return A.Pointer ? memoryOf(A.Pointer, Function) : nullptr;
  };
  auto note = [&](const LaneAccess &Store) {
    if (!Out.Certain)
      Out.Store = Store.Pointer;
    Out.Certain = true;
  };
  for (const LaneAccess &S : Use.Accesses) {
    if (!S.Store)
      continue;
    // Each part has a copy of its own of the region's variables.
    const VarDecl *Into = buffer(S);
    if (isPrivateSpace(spaceOf(S.Pointer)) ||
        (spaceOf(S.Pointer) == LangAS::opencl_generic &&
         (!Into || !isa<ParmVarDecl>(Into)))) {
      note(S);
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
        note(S);
        continue;
      }
      if (areApart(X, Y, spaceOf(S.Pointer), Function))
        continue;
      std::string Stored = X->getNameAsString(), Other = Y->getNameAsString();
      auto Known = Out.Assumed.find(Other);
      if (Known == Out.Assumed.end() || !Known->second.count(Stored))
        Out.Assumed[Stored].insert(Other);
    }
  }
  return Out;
}

} // namespace clrewrite::rewrite::split_vector
