// private-array: an array of a work-item's own that is indexed by what is not
// known before it runs, and so lies in memory instead of registers.
//
// Whether it does is measured: the compiler may unroll the loops around it, or
// put it into LDS. So this speaks only where a target's kernel has scratch
// memory for it that spilled registers don't explain.
#include "advice/AdviceSort.h"
#include "lanes/Accesses.h"
#include "lanes/Strides.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/PointsTo.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace clang;

namespace clrewrite::advice::private_array {
namespace {

/// The private arrays of \p F, each with its first subscript that is no
/// constant.
llvm::MapVector<const VarDecl *, const ArraySubscriptExpr *>
arraysIn(const FunctionDecl &F, const Program &P) {
  auto isConstant = [&](const Expr *E) {
    return constantOf(P.meaning(E), P.Context).has_value();
  };
  llvm::MapVector<const VarDecl *, const ArraySubscriptExpr *> Out;
  for (const auto *A : rewrite::allIn<ArraySubscriptExpr>(F.getBody())) {
    const Expr *Base = A->getBase()->IgnoreParenImpCasts();
    bool Varies = !isConstant(A->getIdx());
    while (const auto *Outer = dyn_cast<ArraySubscriptExpr>(Base)) {
      Varies |= !isConstant(Outer->getIdx());
      Base = Outer->getBase()->IgnoreParenImpCasts();
    }
    const VarDecl *V = rewrite::namedVariable(Base);
    if (V && Varies && V->isLocalVarDecl() && !V->isStaticLocal() &&
        V->getType()->isConstantArrayType() &&
        rewrite::isPrivateSpace(V->getType().getAddressSpace()))
      Out.insert({V, A});
  }
  return Out;
}

struct Candidate {
  const FunctionDecl *F;
  const VarDecl *V;
  const ArraySubscriptExpr *At;
  uint64_t Bytes;
  /// Its index is no matter of a loop that might be unrolled.
  bool Certain;
  std::vector<std::string> Kernels;
  std::vector<std::string> Homes = {}; ///< where it lies in scratch memory
};

/// \p E is computed from other things than constants and \p Loops.
bool hasOthers(const Expr *E, const std::set<const VarDecl *> &Loops,
               const Program &P) {
  E = P.meaning(E);
  if (constantOf(E, P.Context))
    return false;
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    return !V || !Loops.count(V->getCanonicalDecl());
  }
  const auto *B = dyn_cast<BinaryOperator>(E);
  return !B || hasOthers(B->getLHS(), Loops, P) ||
         hasOthers(B->getRHS(), Loops, P);
}

std::vector<Candidate> candidatesIn(const Adviser &To) {
  std::vector<Candidate> Out;
  for (const auto &[Canonical, F] : To.Code.Functions) {
    std::set<const VarDecl *> Loops;
    for (const ForStmt *For : rewrite::allIn<ForStmt>(F->getBody()))
      if (const VarDecl *V = variableOf(For))
        Loops.insert(V);
    for (const auto &[V, At] : arraysIn(*F, To.Code))
      Out.push_back(
          {F, V, At,
           uint64_t(To.Context.getTypeSizeInChars(V->getType()).getQuantity()),
           hasOthers(At->getIdx(), Loops, To.Code), To.Code.kernelsOf(*F)});
  }
  return Out;
}

/// Of a kernel's arrays, those that its scratch memory \p S is for: all that
/// might be, where it has room for them; else those that no unrolling can keep
/// in registers. Where it has no room for these either, nobody can tell.
void settle(const AdviceFacts::Scratch &S, std::vector<Candidate> &All) {
  auto Sum = [&](bool CertainOnly) {
    uint64_t Bytes = 0;
    for (const Candidate &C : All)
      if (llvm::is_contained(C.Kernels, S.Kernel) &&
          (C.Certain || !CertainOnly))
        Bytes += C.Bytes;
    return Bytes;
  };
  bool Everything = Sum(false) <= S.Bytes;
  if (!Everything && Sum(true) > S.Bytes)
    return;
  for (Candidate &C : All)
    if (llvm::is_contained(C.Kernels, S.Kernel) && (C.Certain || Everything))
      C.Homes.push_back(std::to_string(S.Bytes) + " B on " + S.Target +
                        (C.Kernels.size() > 1 ? " for " + S.Kernel : ""));
}

void find(const Adviser &To) {
  std::vector<Candidate> All = candidatesIn(To);
  for (const AdviceFacts::Scratch &S : To.Facts.Scratches)
    settle(S, All);
  for (const Candidate &C : All)
    if (!C.Homes.empty())
      To.Tell(C.At->getBeginLoc(), *C.F,
              C.V->getNameAsString() + " (" + std::to_string(C.Bytes) +
                  " B a work-item) is indexed by " +
                  textOf(C.At->getIdx(), To.Context) +
                  ", which the compiler does not resolve, and lies in scratch "
                  "memory (" +
                  llvm::join(C.Homes, ", ") +
                  "): unroll the loops around it, choose by comparing, or use "
                  "local memory");
}

} // namespace

const AdviceSort &advicePrivateArray() {
  static const AdviceSort S{
      "private-array",
      "private arrays that a variable index keeps out of registers", find};
  return S;
}

} // namespace clrewrite::advice::private_array
