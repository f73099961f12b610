// Integer expressions as sums.
//
// `x + k - 2 < w` says k < w - x + 2, and so may bound a loop over k. But the
// program never computed w - x + 2, which may overflow where x + k - 2 did not:
// x = -2147483640 and w = 100, say. So the sum is written with OpenCL's
// saturating functions, `add_sat(sub_sat(w, x), 2)` only where one of them is
// enough, else in long, where a few ints never overflow. An int that is
// compared with the saturated value is compared as with the true one, apart
// from the largest int itself, which no variable of a counted loop holds.
#include "rewrite/affine/LinearForm.h"
#include "rewrite/affine/IntegerRange.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/text/Text.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

/// Numbers in a form stay far from what a long holds.
static constexpr int64_t Most = int64_t(1) << 24;

static bool fitsInt(QualType T, const ASTContext &Context) {
  std::optional<IntType> I = intType(T, Context);
  return I && Range::of(*I).within(Range::of(IntType()));
}

bool LinearForm::add(const LinearForm &Other, int64_t Factor,
                     const ASTContext &Context) {
  auto grow = [&](int64_t &To, int64_t By) {
    To += By * Factor; // Both are below Most or fit an int.
    return std::abs(To) <= Range::of(IntType()).Hi;
  };
  if (!grow(Constant, Other.Constant))
    return false;
  for (const Part &P : Other.Parts) {
    auto *Same = find_if(Parts, [&](const Part &Mine) {
      return sameExpression(Mine.Term, P.Term, Context);
    });
    if (Same == Parts.end())
      Same = &Parts.emplace_back(Part{P.Term, 0});
    if (!grow(Same->Factor, P.Factor) || std::abs(Same->Factor) > Most)
      return false;
  }
  erase_if(Parts, [](const Part &P) { return P.Factor == 0; });
  return true;
}

namespace {

class Reader {
public:
  explicit Reader(const LinearWays &Ways) : W(Ways) {}

  std::optional<LinearForm> read(const Expr *E, unsigned Depth = 0) {
    E = E->IgnoreParens();
    // A name stands for its initialiser, whose names do in turn.
    if (Depth > 16 || !fitsInt(E->getType(), W.Context))
      return std::nullopt;
    if (std::optional<int64_t> N = constant(E, W.Context);
        N && isStableText(E, W.Context)) {
      LinearForm F;
      F.Constant = *N;
      return F;
    }
    if (const auto *C = dyn_cast<CastExpr>(E))
      if (std::optional<LinearForm> F = inCast(C, Depth))
        return F;
    if (const auto *D = dyn_cast<DeclRefExpr>(E))
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
        if (const Expr *Init = W.Meaning(V->getCanonicalDecl()))
          return read(Init, Depth + 1);
    if (isInt(E->getType(), W.Context))
      if (std::optional<LinearForm> F = sum(E, Depth))
        return F;
    return term(E);
  }

private:
  const LinearWays &W;

  /// A cast that leaves every value as it is.
  std::optional<LinearForm> inCast(const CastExpr *C, unsigned Depth) {
    const Expr *From = C->getSubExpr();
    if (C->getCastKind() == CK_LValueToRValue)
      return read(From, Depth);
    std::optional<IntType> A = intType(From->getType(), W.Context),
                           B = intType(C->getType(), W.Context);
    bool Keeps =
        (C->getCastKind() == CK_IntegralCast || C->getCastKind() == CK_NoOp) &&
        A && B && Range::of(*A).within(Range::of(*B));
    return Keeps ? read(From, Depth) : std::nullopt;
  }

  std::optional<LinearForm> scaled(const Expr *E, int64_t Factor,
                                   unsigned Depth) {
    std::optional<LinearForm> F = read(E, Depth), Out = LinearForm();
    bool Small = F && std::abs(Factor) <= Most && std::abs(F->Constant) <= Most;
    return Small && Out->add(*F, Factor, W.Context) ? Out : std::nullopt;
  }

  std::optional<LinearForm> sum(const Expr *E, unsigned Depth) {
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && (U->getOpcode() == UO_Minus || U->getOpcode() == UO_Plus))
      return scaled(U->getSubExpr(), U->getOpcode() == UO_Minus ? -1 : 1,
                    Depth);
    const auto *B = dyn_cast<BinaryOperator>(E);
    if (!B)
      return std::nullopt;
    if (B->getOpcode() == BO_Mul) {
      if (std::optional<int64_t> N = constant(B->getRHS(), W.Context))
        return scaled(B->getLHS(), *N, Depth);
      if (std::optional<int64_t> N = constant(B->getLHS(), W.Context))
        return scaled(B->getRHS(), *N, Depth);
    }
    if (!B->isAdditiveOp())
      return std::nullopt;
    std::optional<LinearForm> L = scaled(B->getLHS(), 1, Depth),
                              R = scaled(B->getRHS(), 1, Depth);
    int64_t Sign = B->getOpcode() == BO_Sub ? -1 : 1;
    return L && R && L->add(*R, Sign, W.Context) ? L : std::nullopt;
  }

  std::optional<LinearForm> term(const Expr *E) const {
    if (!W.IsTerm(E))
      return std::nullopt;
    LinearForm F;
    F.Parts.push_back({E, 1});
    return F;
  }
};

} // namespace

std::optional<LinearForm> linearForm(const Expr *E, const LinearWays &Ways) {
  return Reader(Ways).read(E);
}

std::string asInt(const Expr *E, const ASTContext &Context) {
  return isInt(E->IgnoreImpCasts()->getType(), Context)
             ? spelled(E, Context)
             : "(int)" + spelledOperand(E, Context);
}

/// In long: no sum of a few ints overflows.
static std::string longText(const LinearForm &F, const ASTContext &Context) {
  std::string Out;
  for (const LinearForm::Part &P : F.Parts) {
    bool First = Out.empty();
    Out += First ? P.Factor < 0 ? "-" : "" : P.Factor < 0 ? " - " : " + ";
    if (std::abs(P.Factor) != 1)
      Out += std::to_string(std::abs(P.Factor)) + " * ";
    Out += "(long)" + spelledOperand(P.Term, Context);
  }
  if (F.Constant != 0)
    Out +=
        (F.Constant < 0 ? " - " : " + ") + std::to_string(std::abs(F.Constant));
  return "convert_int_sat(" + Out + ")";
}

std::string saturatedText(const LinearForm &F, const ASTContext &Context) {
  auto text = [&](unsigned N) { return asInt(F.Parts[N].Term, Context); };
  auto number = [](int64_t N) { return std::to_string(N); };
  if (F.Parts.empty())
    return number(F.Constant);
  bool Ones =
      all_of(F.Parts, [](const auto &P) { return std::abs(P.Factor) == 1; });
  if (Ones && F.Parts.size() == 1) {
    if (F.Parts[0].Factor < 0)
      return "sub_sat(" + number(F.Constant) + ", " + text(0) + ")";
    if (F.Constant == 0)
      return text(0);
    return (F.Constant < 0 ? "sub_sat(" : "add_sat(") + text(0) + ", " +
           number(std::abs(F.Constant)) + ")";
  }
  bool Difference = Ones && F.Constant == 0 && F.Parts.size() == 2 &&
                    F.Parts[0].Factor + F.Parts[1].Factor == 0;
  if (!Difference)
    return longText(F, Context);
  unsigned Plus = F.Parts[0].Factor < 0 ? 1 : 0;
  return "sub_sat(" + text(Plus) + ", " + text(1 - Plus) + ")";
}

} // namespace clrewrite::rewrite
