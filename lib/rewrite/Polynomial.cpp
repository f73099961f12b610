// Integer expressions as sums of products.
//
// All sums and products are taken modulo 2^64. Where the program computes one
// in int or long it does not overflow, so that its value is the same as modulo
// 2^64; size_t wraps there anyway. uint wraps elsewhere, so that no arithmetic
// in uint is looked into.
#include "rewrite/Polynomial.h"
#include "rewrite/Conditions.h"
#include "rewrite/IntegerRange.h"
#include "rewrite/Text.h"

using namespace llvm;
using namespace clang;

namespace clrewrite {

/// Factors stay far from what a long holds; sums stay short.
static constexpr int64_t Most = int64_t(1) << 24;
static constexpr size_t MostTerms = 8;

std::optional<int64_t> numberIn(const Expr *E, bool FromMacros) {
  const auto *L = dyn_cast<IntegerLiteral>(E->IgnoreParenImpCasts());
  if (!L || !(FromMacros || L->getBeginLoc().isFileID()) ||
      L->getValue().ugt(Most))
    return std::nullopt;
  return int64_t(L->getValue().getZExtValue());
}

static bool sameLeaves(const Monomial &A, const Monomial &B,
                       const ASTContext &Context) {
  SmallVector<const Expr *, 4> Left(B.Leaves);
  for (const Expr *Each : A.Leaves) {
    auto *Same = find_if(Left, [&](const Expr *Other) {
      return sameExpression(Each, Other, Context);
    });
    if (Same == Left.end())
      return false;
    Left.erase(Same);
  }
  return Left.empty();
}

bool addTo(Polynomial &A, const Polynomial &B, int64_t Factor,
           const ASTContext &Context) {
  for (const Monomial &M : B) {
    auto Same = find_if(
        A, [&](const Monomial &Mine) { return sameLeaves(Mine, M, Context); });
    if (Same == A.end())
      Same = A.insert(A.end(), Monomial{0, M.Leaves});
    Same->Factor += M.Factor * Factor; // all are below Most
    if (std::abs(Same->Factor) > Most)
      return false;
  }
  erase_if(A, [](const Monomial &M) { return M.Factor == 0; });
  return A.size() <= MostTerms;
}

std::optional<Polynomial> productOf(const Polynomial &A, const Polynomial &B,
                                    const ASTContext &Context) {
  Polynomial Out;
  for (const Monomial &L : A)
    for (const Monomial &R : B) {
      Monomial M{L.Factor * R.Factor, L.Leaves};
      M.Leaves.append(R.Leaves.begin(), R.Leaves.end());
      if (std::abs(M.Factor) > Most || !addTo(Out, {M}, 1, Context))
        return std::nullopt;
    }
  return Out;
}

std::string ulongText(const Polynomial &P, const ASTContext &Context) {
  std::string Out;
  for (const Monomial &M : P) {
    bool First = Out.empty();
    Out += M.Factor < 0 ? (First ? "-" : " - ") : (First ? "" : " + ");
    int64_t Number = std::abs(M.Factor);
    if (M.Leaves.empty()) {
      Out += std::to_string(Number); // what it is added to is a ulong
      continue;
    }
    for (size_t I = 0; I < M.Leaves.size(); ++I)
      Out += (I ? " * " : "(ulong)") +
             spelledOperand(M.Leaves[I]->IgnoreImpCasts(), Context);
    if (Number != 1)
      Out += " * " + std::to_string(Number);
  }
  return Out.empty() ? "0" : Out;
}

namespace {

/// Takes an expression apart.
class Reader {
public:
  explicit Reader(const PolynomialWays &Ways)
      : W(Ways), Context(Ways.Context) {}

  std::optional<Polynomial> read(const Expr *E) const {
    E = E->IgnoreParens();
    if (std::optional<int64_t> N = numberIn(E, W.FromMacros))
      return *N ? Polynomial{Monomial{*N, {}}} : Polynomial{};
    if (const auto *C = dyn_cast<ImplicitCastExpr>(E); C && keeps(*C))
      return read(C->getSubExpr());
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B || !isWide(E->getType(), Context) ||
        (!B->isAdditiveOp() && B->getOpcode() != BO_Mul))
      return leaf(E);
    std::optional<Polynomial> L = read(B->getLHS()), R = read(B->getRHS());
    if (!L || !R)
      return std::nullopt;
    Polynomial Out;
    if (B->getOpcode() == BO_Mul)
      return productOf(*L, *R, Context);
    bool Fits = addTo(Out, *L, 1, Context) &&
                addTo(Out, *R, B->getOpcode() == BO_Sub ? -1 : 1, Context);
    return Fits ? std::optional(std::move(Out)) : std::nullopt;
  }

private:
  const PolynomialWays &W;
  const ASTContext &Context;

  /// A conversion that is none modulo 2^64.
  bool keeps(const ImplicitCastExpr &C) const {
    if (C.getCastKind() == CK_LValueToRValue)
      return false;
    std::optional<IntType> From = intType(C.getSubExpr()->getType(), Context),
                           To = intType(C.getType(), Context);
    return C.getCastKind() == CK_IntegralCast && From && To &&
           (To->Bits == 64 || Range::of(*From).within(Range::of(*To)));
  }

  std::optional<Polynomial> leaf(const Expr *E) const {
    const auto *Cast = dyn_cast<ImplicitCastExpr>(E);
    if (Cast && Cast->getCastKind() != CK_LValueToRValue)
      return std::nullopt; // its text would be converted otherwise
    if (!intType(E->getType(), Context) || !isPure(E) || !W.IsLeaf(E))
      return std::nullopt;
    return Polynomial{Monomial{1, {E}}};
  }
};

} // namespace

std::optional<Polynomial> polynomialOf(const Expr *E,
                                       const PolynomialWays &Ways) {
  return Reader(Ways).read(E);
}

} // namespace clrewrite
