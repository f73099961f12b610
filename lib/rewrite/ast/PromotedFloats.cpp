// Expressions of doubles are looked at from where they end: what makes a float
// of one, an integer or the answer of a comparison.
#include "rewrite/ast/PromotedFloats.h"
#include "rewrite/ast/Builtins.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// Built-in functions of floats, doubles and halfs alike, which have a result
/// and parameters of one type.
constexpr llvm::StringLiteral OfOneType[] = {
    "acos",  "acosh", "asin",  "asinh", "atan",     "atan2", "atanh",
    "cbrt",  "ceil",  "clamp", "cos",   "cosh",     "erf",   "erfc",
    "exp",   "exp10", "exp2",  "expm1", "fabs",     "fdim",  "floor",
    "fma",   "fmax",  "fmin",  "fmod",  "hypot",    "log",   "log10",
    "log1p", "log2",  "mad",   "max",   "min",      "mix",   "pow",
    "powr",  "rint",  "round", "rsqrt", "sin",      "sinh",  "smoothstep",
    "sqrt",  "step",  "tan",   "tanh",  "copysign", "trunc", "sign"};

bool isKind(QualType T, clang::BuiltinType::Kind Kind) {
  return T->isSpecificBuiltinType(Kind);
}
bool isDouble(const Expr *E) {
  return isKind(E->getType(), clang::BuiltinType::Double);
}
bool isFloat(const Expr *E) {
  return isKind(E->getType(), clang::BuiltinType::Float);
}

/// A float or a half that becomes a double.
bool isWidened(const CastExpr &C) {
  const Expr *From = C.getSubExpr();
  return C.getCastKind() == CK_FloatingCast &&
         (isFloat(From) || isKind(From->getType(), clang::BuiltinType::Half));
}

class Search : public DynamicRecursiveASTVisitor {
public:
  std::vector<PromotedFloats> Found;

  bool VisitCastExpr(CastExpr *C) override {
    const CastKind Kind = C->getCastKind();
    if (isDouble(C->getSubExpr()) &&
        ((Kind == CK_FloatingCast && isFloat(C)) ||
         Kind == CK_FloatingToIntegral || Kind == CK_FloatingToBoolean))
      add({C, {}}, {C->getSubExpr()});
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator *B) override {
    if (B->isRelationalOp() && isDouble(B->getLHS()) && isDouble(B->getRHS()))
      add({B, {}}, {B->getLHS(), B->getRHS()});
    return true;
  }

  bool VisitCompoundAssignOperator(CompoundAssignOperator *B) override {
    if (isFloat(B->getLHS()) && isDouble(B->getRHS()))
      add({B, {}, /*Others=*/1, /*Operations=*/1}, {B->getRHS()});
    return true;
  }

private:
  void add(PromotedFloats P, ArrayRef<const Expr *> Parts) {
    if (all_of(Parts, [&](const Expr *E) { return collect(E, P); }) &&
        !P.Literals.empty() && P.Others)
      Found.push_back(std::move(P));
  }

  /// \p E, of type double, has a literal or a conversion at each end.
  static bool collect(const Expr *E, PromotedFloats &P) {
    E = E->IgnoreParens();
    if (const auto *L = dyn_cast<FloatingLiteral>(E)) {
      P.Literals.push_back(L);
      return true;
    }
    if (const auto *C = dyn_cast<ImplicitCastExpr>(E)) {
      ++P.Others;
      return C->getCastKind() == CK_IntegralToFloating || isWidened(*C);
    }
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return (U->getOpcode() == UO_Minus || U->getOpcode() == UO_Plus) &&
             collect(U->getSubExpr(), P);
    if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
      return collect(Choice->getTrueExpr(), P) &&
             collect(Choice->getFalseExpr(), P);
    ++P.Operations;
    if (const auto *B = dyn_cast<BinaryOperator>(E))
      return (B->isAdditiveOp() || B->getOpcode() == BO_Mul ||
              B->getOpcode() == BO_Div) &&
             collect(B->getLHS(), P) && collect(B->getRHS(), P);
    const auto *Call = dyn_cast<CallExpr>(E);
    return Call && isBuiltinCall(Call) &&
           is_contained(OfOneType, calleeName(Call)) &&
           all_of(Call->arguments(), [&](const Expr *Argument) {
             return isDouble(Argument) && collect(Argument, P);
           });
  }
};

/// Looks for what LLVM does not compute in float by itself, a part of an
/// expression of doubles.
class WideSearch : public DynamicRecursiveASTVisitor {
public:
  bool Found = false;
  bool VisitCallExpr(CallExpr *Call) override {
    Found |= isDouble(Call);
    return !Found;
  }
  bool VisitCastExpr(CastExpr *C) override {
    Found |= C->getCastKind() == CK_IntegralToFloating && isDouble(C);
    return !Found;
  }
};

} // namespace

std::optional<APFloat> asFloat(const FloatingLiteral &Literal) {
  APFloat Value = Literal.getValue();
  const bool WasZero = Value.isZero();
  bool Inexact = false;
  Value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &Inexact);
  return Value.isFinite() && (WasZero || Value.isNormal())
             ? std::optional(Value)
             : std::nullopt;
}

bool PromotedFloats::isNarrowedByCompilers() const {
  auto isHeld = [](const FloatingLiteral *L) {
    APFloat Value = L->getValue();
    bool Inexact = false;
    Value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                  &Inexact);
    return !Inexact;
  };
  WideSearch Wide;
  Wide.TraverseStmt(const_cast<Expr *>(Whole));
  const bool Compares =
      isa<BinaryOperator>(Whole) && !isa<CompoundAssignOperator>(Whole);
  const bool Converts = Compares || isFloat(Whole);
  return Converts && !Wide.Found && Operations <= !Compares &&
         all_of(Literals, isHeld);
}

std::vector<PromotedFloats> promotedFloats(const FunctionDecl &Function) {
  Search S;
  S.TraverseStmt(Function.getBody());
  return std::move(S.Found);
}

} // namespace clrewrite::rewrite
