// Stores that may wait until all parts are done.
//
// Where a region loads first and stores last, the parts can keep what they
// compute, and the stores can follow as they are: whole, in their order, after
// every load. Then it does not matter whether the pointers alias.
#include "LaneUse.h"
#include "rewrite/ast/Conditions.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::split_vector {
namespace {

/// A statement that is one store of a whole vector: the value, and the places
/// that it is stored to.
struct Parts {
  const Expr *Value = nullptr;
  std::vector<const Expr *> Places;
};

Parts partsOf(const Stmt *S, unsigned Lanes) {
  if (const auto *C = dyn_cast<CallExpr>(S); C && isBuiltinCall(C)) {
    std::optional<LaneName> N = laneName(calleeName(C));
    if (N && N->stores() && N->Lanes == Lanes)
      return {C->getArg(0), {C->getArg(1), C->getArg(2)}};
  }
  const auto *B = dyn_cast<BinaryOperator>(S);
  if (B && B->getOpcode() == BO_Assign && laneCount(B->getType()) == Lanes &&
      !storageOf(B->getLHS()).isPrivate())
    return {B->getRHS(), {B->getLHS()}};
  return {};
}

} // namespace

std::vector<LastStore> lastStores(const LaneRegion &R, const LaneUse &Use) {
  std::vector<LastStore> Out;
  auto isOwn = [&](const VarDecl *V) { return Use.Own.contains(V); };
  auto isShared = [](const VarDecl *V) { return !isPrivate(V); };
  bool LoadsBehind = false;
  for (const Stmt *S : reverse(R.Statements)) {
    Parts P = partsOf(S, R.Lanes);
    if (!P.Value || LoadsBehind || !isPure(P.Value) ||
        any_of(P.Places, [&](const Expr *E) {
          return !isPure(E) || mentionsAny(E, isOwn);
        }))
      break;
    Out.insert(Out.begin(), {S, P.Value});
    // A store before this one would be read by it.
    LoadsBehind = readsMemory(P.Value) || mentionsAny(P.Value, isShared);
  }
  size_t Stores =
      count_if(Use.Accesses, [](const LaneAccess &A) { return A.Store; });
  return Stores == Out.size() ? Out : std::vector<LastStore>();
}

} // namespace clrewrite::rewrite::split_vector
