// Integer expressions as sums of products.
//
// `(z - 1) * ny + y` is z * ny - ny + y modulo 2^64 whatever the values, and so
// it is in integers without limits where the program computes it in int, since
// an int that overflows is not defined. What is computed in a type that wraps
// elsewhere, as uint does in an index of 64 bits, is one leaf; so is all that
// is no sum, no product and no conversion that keeps the value.
#include "rewrite/affine/Polynomial.h"
#include "rewrite/text/Text.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

/// Factors stay far from what a long holds; sums stay short.
static constexpr int64_t MostCoefficient = int64_t(1) << 24;
static constexpr size_t MostTerms = 8;
static constexpr size_t MostLeaves = 16; ///< of a term

static bool sameLeaves(const Monomial &A, const Monomial &B,
                       const ASTContext &Context) {
  if (A.Leaves.size() != B.Leaves.size())
    return false;
  SmallVector<const Expr *, 4> Left(B.Leaves);
  for (const Expr *Each : A.Leaves) {
    auto *Same = find_if(Left, [&](const Expr *Other) {
      return Each == Other || sameExpression(Each, Other, Context);
    });
    if (Same == Left.end())
      return false;
    Left.erase(Same);
  }
  return true;
}

bool addTo(Polynomial &A, const Polynomial &B, int64_t Factor,
           const ASTContext &Context) {
  for (const Monomial &M : B) {
    auto Same = find_if(
        A, [&](const Monomial &Mine) { return sameLeaves(Mine, M, Context); });
    if (Same == A.end())
      Same = A.insert(A.end(), Monomial{0, M.Leaves});
    Same->Factor += M.Factor * Factor; // all are below MostCoefficient
    if (std::abs(Same->Factor) > MostCoefficient)
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
      if (std::abs(M.Factor) > MostCoefficient ||
          M.Leaves.size() > MostLeaves || !addTo(Out, {M}, 1, Context))
        return std::nullopt;
    }
  return Out;
}

namespace {

class PolynomialReader {
public:
  explicit PolynomialReader(const PolynomialWays &Ways) : W(Ways) {}

  std::optional<Polynomial> read(const Expr *E) const {
    E = E->IgnoreParens();
    if (std::optional<int64_t> N = W.Number(E))
      return *N ? Polynomial{Monomial{*N, {}}} : Polynomial{};
    if (const auto *C = dyn_cast<CastExpr>(E); C && keeps(*C))
      return read(C->getSubExpr());
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->getOpcode() == UO_Minus && isLookedInto(E->getType())) {
      std::optional<Polynomial> Of = read(U->getSubExpr());
      Polynomial Out;
      return Of && addTo(Out, *Of, -1, W.Context) ? std::optional(Out)
                                                  : std::nullopt;
    }
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B || !isLookedInto(E->getType()) ||
        (!B->isAdditiveOp() && B->getOpcode() != BO_Mul))
      return W.Leaf(E);
    std::optional<Polynomial> L = read(B->getLHS()), R = read(B->getRHS());
    if (!L || !R)
      return std::nullopt;
    if (B->getOpcode() == BO_Mul)
      return productOf(*L, *R, W.Context);
    bool Fits = addTo(*L, *R, B->getOpcode() == BO_Sub ? -1 : 1, W.Context);
    return Fits ? L : std::nullopt;
  }

private:
  const PolynomialWays &W;

  /// Sums in \p T have the value that they have in the ring.
  bool isLookedInto(QualType T) const {
    std::optional<IntType> I = intType(T, W.Context);
    return I && I->Bits >= 32 && I->Bits <= W.Ring.Bits &&
           (I->Signed || *I == W.Ring);
  }

  /// A conversion that is none in the ring.
  bool keeps(const CastExpr &C) const {
    std::optional<IntType> From = intType(C.getSubExpr()->getType(), W.Context),
                           To = intType(C.getType(), W.Context);
    if ((C.getCastKind() != CK_IntegralCast && C.getCastKind() != CK_NoOp) ||
        !From || !To)
      return false;
    if (!W.IntoCasts && !isa<ImplicitCastExpr>(C))
      return false;
    bool Wraps = !W.Ring.Signed && To->Bits == W.Ring.Bits;
    return *From == *To || (From->Bits <= To->Bits && Wraps) ||
           (From->Bits < To->Bits && (To->Signed || !From->Signed));
  }
};

} // namespace

std::optional<Polynomial> polynomial(const Expr *E,
                                     const PolynomialWays &Ways) {
  return PolynomialReader(Ways).read(E);
}

std::optional<Polynomial> indexPolynomial(const Expr *E,
                                          const IndexWays &Ways) {
  auto number = [&](const Expr *N) { return numberIn(N, Ways.FromMacros); };
  auto leaf = [&](const Expr *L) -> std::optional<Polynomial> {
    const auto *Cast = dyn_cast<ImplicitCastExpr>(L);
    if (Cast && Cast->getCastKind() != CK_LValueToRValue)
      return std::nullopt; // its text would be converted otherwise
    if (!intType(L->getType(), Ways.Context) || !isPure(L) || !Ways.IsLeaf(L))
      return std::nullopt;
    return Polynomial{Monomial{1, {L}}};
  };
  return polynomial(E, {Ways.Context, IntType{64, false}, number, leaf});
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

} // namespace clrewrite::rewrite
