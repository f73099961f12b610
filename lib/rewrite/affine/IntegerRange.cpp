// Ranges of integers are combined as interval arithmetic does it, without
// overflow.
#include "rewrite/affine/IntegerRange.h"
#include "rewrite/ast/Builtins.h"
#include "rewrite/ast/Nodes.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

std::optional<IntType> intType(QualType T, const ASTContext &Context) {
  if (!T->isIntegerType() || T->isIncompleteType() || T->isBitIntType())
    return std::nullopt;
  return IntType{unsigned(Context.getTypeSize(T)),
                 T->isSignedIntegerOrEnumerationType()};
}

bool hasDevicesWidth(QualType T) {
  while (const auto *Typedef = T->getAs<TypedefType>()) {
    if (is_contained({"size_t", "ptrdiff_t", "intptr_t", "uintptr_t"},
                     Typedef->getDecl()->getName()))
      return true;
    T = Typedef->desugar();
  }
  // What sizeof, offsetof and the difference of two pointers have.
  return is_contained({"__size_t", "__ptrdiff_t", "__signed_size_t"},
                      T.getUnqualifiedType().getAsString());
}

namespace {

class WidthSearch : public DynamicRecursiveASTVisitor {
public:
  bool Found = false;
  bool VisitExpr(Expr *E) override {
    const auto *B = dyn_cast<BinaryOperator>(E);
    Found |= calleeName(E).starts_with("get_") || // of a work-item
             hasDevicesWidth(E->getType()) ||
             isa<UnaryExprOrTypeTraitExpr, OffsetOfExpr>(E) ||
             (B && B->getOpcode() == BO_Sub &&
              B->getLHS()->getType()->isPointerType());
    return !Found;
  }
  // A conversion has the type that it says.
  bool TraverseCStyleCastExpr(CStyleCastExpr *C) override {
    Found |= hasDevicesWidth(C->getType());
    return !Found;
  }
};

} // namespace

bool mayHaveDevicesWidth(const Expr *E) {
  return searched(WidthSearch(), E).Found;
}

bool isInt(QualType T, const ASTContext &Context) {
  return intType(T, Context) == IntType();
}

bool isWide(QualType T, const ASTContext &Context) {
  std::optional<IntType> I = intType(T, Context);
  return I && (I->Bits == 64 || (I->Bits == 32 && I->Signed));
}

IntType promoted(IntType T) { return T.Bits < 32 ? IntType() : T; }

IntType commonType(IntType A, IntType B) {
  A = promoted(A);
  B = promoted(B);
  if (A.Bits != B.Bits)
    return A.Bits > B.Bits ? A : B;
  return {A.Bits, A.Signed && B.Signed};
}

Range Range::of(IntType T) {
  if (T.Bits >= 64)
    return {T.Signed ? INT64_MIN : 0, INT64_MAX};
  return T.Signed ? Range{minIntN(T.Bits), maxIntN(T.Bits)}
                  : Range{0, int64_t(maxUIntN(T.Bits))};
}

Range Range::meet(Range Other) const {
  return {std::max(Lo, Other.Lo), std::min(Hi, Other.Hi)};
}

Range Range::join(Range Other) const {
  return {std::min(Lo, Other.Lo), std::max(Hi, Other.Hi)};
}

namespace {

/// \p Exact unless it overflowed; then the bound in the sign's direction.
int64_t bounded(bool Overflowed, int64_t Exact, bool Negative) {
  if (!Overflowed)
    return Exact;
  return Negative ? INT64_MIN : INT64_MAX;
}

bool isNone(int64_t Bound) { return Bound == INT64_MAX || Bound == INT64_MIN; }

/// The sum of two lower bounds, of which \p None is none, or of two upper ones.
int64_t sum(int64_t A, int64_t B, int64_t None) {
  int64_t R;
  return isNone(A) || isNone(B) || AddOverflow(A, B, R) ? None : R;
}

int64_t product(int64_t A, int64_t B) {
  int64_t R = 0;
  bool Overflows = MulOverflow(A, B, R) || (R && (isNone(A) || isNone(B)));
  return bounded(Overflows, R, (A < 0) != (B < 0));
}

/// As large as INT64_MAX, which is no bound.
int64_t negated(int64_t A) {
  return A == INT64_MIN ? INT64_MAX : A == INT64_MAX ? INT64_MIN : -A;
}

/// All bits below the highest one that \p A may have.
int64_t allBits(int64_t A) {
  return A <= 0 ? 0 : int64_t(maxUIntN(64 - countl_zero(uint64_t(A))));
}

} // namespace

Range combined(BinaryOperatorKind Op, Range A, Range B) {
  switch (Op) {
  case BO_Add:
    return {sum(A.Lo, B.Lo, INT64_MIN), sum(A.Hi, B.Hi, INT64_MAX)};
  case BO_Sub:
    return {sum(A.Lo, negated(B.Hi), INT64_MIN),
            sum(A.Hi, negated(B.Lo), INT64_MAX)};
  case BO_Shl:
    if (B.Lo < 0 || B.Hi > 62)
      return {};
    B = {int64_t(1) << B.Lo, int64_t(1) << B.Hi};
    [[fallthrough]];
  case BO_Mul: {
    auto [Lo, Hi] = std::minmax({product(A.Lo, B.Lo), product(A.Lo, B.Hi),
                                 product(A.Hi, B.Lo), product(A.Hi, B.Hi)});
    return {Lo, Hi};
  }
  case BO_And:
    if (A.Lo >= 0 && B.Lo >= 0)
      return {0, std::min(A.Hi, B.Hi)};
    if (A.Lo >= 0 || B.Lo >= 0)
      return {0, A.Lo >= 0 ? A.Hi : B.Hi};
    return {};
  case BO_Or:
  case BO_Xor:
    if (A.Lo < 0 || B.Lo < 0)
      return {};
    return {0, allBits(std::max(A.Hi, B.Hi))};
  case BO_Shr:
    if (A.Lo < 0)
      return {A.Lo, std::max<int64_t>(A.Hi, 0)};
    if (A.Hi == INT64_MAX || B.Lo < 0 || B.Lo > 62)
      return {0, A.Hi};
    return {0, A.Hi >> B.Lo};
  case BO_Div:
    if (A.Lo < 0 || B.Lo < 0)
      return {};
    return {0, A.Hi == INT64_MAX || B.Lo == 0 ? A.Hi : A.Hi / B.Lo};
  case BO_Rem:
    if (A.Lo < 0)
      return {};
    return {0, B.Lo > 0 && !isNone(B.Hi) ? std::min(A.Hi, B.Hi - 1) : A.Hi};
  default:
    return {0, 1};
  }
}

} // namespace clrewrite::rewrite
