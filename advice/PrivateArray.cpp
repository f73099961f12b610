// private-array: an array of a work-item's own that is indexed by what is not
// known before it runs, and so lies in memory instead of registers.
//
// Whether it does is measured: the compiler may unroll the loops around it, or
// put it into LDS. So this speaks only where a target's kernel has scratch
// memory for it that spilled registers don't explain.
#include "advise/AdviceSort.h"
#include "advise/Strides.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace clrewrite {
namespace {

/// A private array of \p F and its first subscript that is no constant.
struct Arrays : RecursiveASTVisitor<Arrays> {
  explicit Arrays(const Program &P) : P(P) {}
  const Program &P;
  llvm::MapVector<const VarDecl *, const ArraySubscriptExpr *> Found;

  bool VisitArraySubscriptExpr(ArraySubscriptExpr *A) {
    const Expr *Base = A->getBase()->IgnoreParenImpCasts();
    bool Varies = !isConstant(A->getIdx());
    while (const auto *Outer = dyn_cast<ArraySubscriptExpr>(Base)) {
      Varies |= !isConstant(Outer->getIdx());
      Base = Outer->getBase()->IgnoreParenImpCasts();
    }
    const auto *D = dyn_cast<DeclRefExpr>(Base);
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    if (V && Varies && V->isLocalVarDecl() && !V->isStaticLocal() &&
        V->getType()->isConstantArrayType() && isOwn(V->getType()))
      Found.insert({V->getCanonicalDecl(), A});
    return true;
  }

private:
  static bool isOwn(QualType T) {
    return T.getAddressSpace() == LangAS::opencl_private ||
           T.getAddressSpace() == LangAS::Default;
  }
  bool isConstant(const Expr *E) const {
    return constantOf(P.meaning(E), P.Context).has_value();
  }
};

/// The targets on which kernels that reach \p F have scratch for \p Bytes.
std::vector<std::string> homesOf(const FunctionDecl &F, uint64_t Bytes,
                                 const Adviser &To) {
  std::vector<std::string> Out, Kernels = To.Code.kernelsOf(F);
  for (const AdviceFacts::Scratch &S : To.Facts.Scratches)
    if (S.Bytes >= Bytes && llvm::is_contained(Kernels, S.Kernel)) {
      std::string Text = std::to_string(S.Bytes) + " B on " + S.Target;
      if (Kernels.size() > 1)
        Text += " for " + S.Kernel;
      Out.push_back(Text);
    }
  return Out;
}

void find(const Adviser &To) {
  for (const auto &[Canonical, F] : To.Code.Functions) {
    Arrays All(To.Code);
    All.TraverseStmt(F->getBody());
    for (const auto &[V, At] : All.Found) {
      uint64_t Bytes =
          uint64_t(To.Context.getTypeSizeInChars(V->getType()).getQuantity());
      std::vector<std::string> Homes = homesOf(*F, Bytes, To);
      if (Homes.empty())
        continue;
      To.Tell(At->getBeginLoc(), *F,
              V->getNameAsString() + " (" + std::to_string(Bytes) +
                  " B a work-item) is indexed by " +
                  textOf(At->getIdx(), To.Context) +
                  ", which no compiler resolves, and lies in scratch memory (" +
                  llvm::join(Homes, ", ") +
                  "): unroll the loops around it, choose by comparing, or use "
                  "local memory");
    }
  }
}

} // namespace

const AdviceSort &advicePrivateArray() {
  static const AdviceSort S{
      "private-array",
      "private arrays that a variable index keeps out of registers", find};
  return S;
}

} // namespace clrewrite
