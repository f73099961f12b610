// Values come from Clang's evaluation of constants, and where a number is
// written from its location.
#include "rewrite/ast/Constants.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

static constexpr uint64_t MostFactor = uint64_t(1) << 24;

std::optional<int64_t> constant(const Expr *E, const ASTContext &Context) {
  Expr::EvalResult R;
  if (!E || E->isValueDependent() || !E->EvaluateAsInt(R, Context) ||
      R.Val.getInt().getBitWidth() > 64)
    return std::nullopt;
  return R.Val.getInt().extend(64).getSExtValue();
}

std::optional<int64_t> numberIn(const Expr *E, bool FromMacros) {
  const auto *L = dyn_cast<IntegerLiteral>(E->IgnoreParenImpCasts());
  if (!L || !(FromMacros || L->getBeginLoc().isFileID()) ||
      L->getValue().ugt(MostFactor))
    return std::nullopt;
  return int64_t(L->getValue().getZExtValue());
}

bool isWrittenNumber(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_Minus)
    E = U->getSubExpr()->IgnoreParenImpCasts();
  return isa<IntegerLiteral>(E) && E->getBeginLoc().isFileID();
}

} // namespace clrewrite::rewrite
