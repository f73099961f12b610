// The ids and loads that a condition is computed from decide whether the lanes
// of a wave can disagree.
#include "lanes/Varying.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace clrewrite::lanes {
namespace {

class Looker {
public:
  Looker(const Program &P, const Frame *In, unsigned Wave)
      : P(P), Lane(P, {Mover::Lane}, In), Wave(Wave) {}

  Divergence condition(const Expr *E) {
    E = P.meaning(E);
    if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isLogicalOp())
      return std::max(condition(B->getLHS()), condition(B->getRHS()));
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->getOpcode() == UO_LNot)
      return condition(U->getSubExpr());
    if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isComparisonOp())
      return std::max(operand(B->getLHS()), operand(B->getRHS()));
    return operand(E);
  }

private:
  const Program &P;
  Strides Lane;
  unsigned Wave;
  llvm::SmallPtrSet<const VarDecl *, 8> Seen;

  /// Of a value that is compared, or is itself the condition.
  Divergence operand(const Expr *E) {
    if (alternates(P.meaning(E)))
      return Divergence::Ids;
    return isLoaded(E) ? Divergence::Memory : Divergence::None;
  }

  /// `id & mask` or `id % n` that has more than one value within a wave, and
  /// returns to each of them.
  bool alternates(const Expr *E) {
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B || (B->getOpcode() != BO_And && B->getOpcode() != BO_Rem))
      return false;
    std::optional<Stride> S = Lane.of(B->getLHS());
    std::optional<int64_t> N = constantOf(P.meaning(B->getRHS()), P.Context);
    if (!S || !S->isNumber() || S->Constant % 2 == 0 || !N || *N <= 0)
      return false;
    if (B->getOpcode() == BO_Rem)
      return *N > 1 && *N <= Wave / 2;
    // A mask without the bits below a wave's lanes.
    return *N % Wave != 0 && *N < Wave;
  }

  /// Computed from what each lane loads from a place of its own.
  bool isLoaded(const Expr *E) {
    E = E->IgnoreParenCasts();
    if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      if (!V || !V->isLocalVarDecl() || !Seen.insert(V).second)
        return false;
      const Values &Of = P.valuesOf(V);
      return (Of.Initial && isLoaded(Of.Initial)) ||
             llvm::any_of(Of.Assigned,
                          [&](const Expr *A) { return isLoaded(A); }) ||
             llvm::any_of(Of.Steps,
                          [&](const Expr *A) { return A && isLoaded(A); });
    }
    if (isa<ArraySubscriptExpr>(E) &&
        E->getType().getAddressSpace() == LangAS::opencl_global) {
      std::optional<Stride> S = Lane.ofAddress(E);
      return S && !S->isZero();
    }
    return llvm::any_of(E->children(), [&](const Stmt *Child) {
      const auto *Part = dyn_cast_or_null<Expr>(Child);
      return Part && isLoaded(Part);
    });
  }
};

} // namespace

Divergence divergenceOf(const Expr *E, const Program &P, const Frame *In,
                        unsigned Wave) {
  return Looker(P, In, Wave).condition(E);
}

} // namespace clrewrite::lanes
