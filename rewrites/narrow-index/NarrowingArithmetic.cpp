// Operators with two operands of which one is an index.
#include "NarrowingTrial.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/text/Text.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::narrow_index {

static bool isLowOperator(BinaryOperatorKind Op) {
  return is_contained({BO_Add, BO_Sub, BO_Mul, BO_And, BO_Or, BO_Xor, BO_Shl},
                      Op);
}

bool Trial::trusting(function_ref<bool()> Ask) {
  if (Ask())
    return true;
  Out.Assumed = true;
  return Sign.withParameters(Ask);
}

Value Trial::arithmetic(BinaryOperatorKind Op, const Expr *L, const Expr *R,
                        Value Old, Need N) {
  bool IsLow = isLowOperator(Op), IsShift = Op == BO_Shl || Op == BO_Shr;
  bool Compares = BinaryOperator::isComparisonOp(Op);
  Need Inner = IsLow ? N : Exact;
  // Comparing an id is no arithmetic, and the rest of what may be negative
  // is left alone.
  bool Divides = Op == BO_Div || Op == BO_Rem;
  auto take = [&](const Expr *E, Need Wanted, bool Stays) {
    return Stays ? visit(bareInteger(E), Wanted) : operand(E, Wanted);
  };
  Value A = take(L, Inner, Compares);
  Value B = take(R, IsShift ? Low : Inner,
                 Compares || (Divides && !Sign.notNegative(L)));
  if (!A.Type || !B.Type)
    return Old;
  Range Result = combined(Op, A.Bounds, B.Bounds);
  if (!A.Changed && (!B.Changed || IsShift)) {
    if (Old.Type && Result.within(Old.Bounds))
      Old.Bounds = Result;
    return Old;
  }
  IntType OldA = *typeOf(bareInteger(L)), OldB = *typeOf(bareInteger(R));
  IntType Before = IsShift ? promoted(OldA) : commonType(OldA, OldB);
  IntType After = IsShift ? promoted(*A.Type) : commonType(*A.Type, *B.Type);
  if (IsShift && Before.Bits > After.Bits &&
      !B.Bounds.within({0, int64_t(After.Bits) - 1}))
    stop(Narrowing::Shift, R);
  if (IsLow)
    checkLow(Op, L, R, A, B, After, N);
  else
    After = checkSigns(Op, L, R, A, B, Before, After);
  if (Compares)
    return Old;
  // What wrapped without a sign must not overflow with one. The ends of long
  // stand for no bound.
  if (IsLow && After.Signed && !Before.Signed && After.Bits == 64 &&
      (Result.Lo == INT64_MIN || Result.Hi == INT64_MAX)) {
    convert(A.Changed ? R : L, Before);
    After = Before;
  }
  Value New{After, !(After == Before), Result};
  if (!Result.within(Range::of(After))) {
    Out.Assumed |= After.Bits == 32;
    New.Bounds = Range::of(After);
  }
  return New;
}

void Trial::checkLow(BinaryOperatorKind Op, const Expr *L, const Expr *R,
                     const Value &A, const Value &B, IntType After, Need N) {
  if (N == Low || After.Signed || After.Bits > 32 ||
      combined(Op, A.Bounds, B.Bounds).within(Range::of(After)))
    return;
  if (!trusting([&] { return Sign.notNegative(Op, L, R); }))
    stop(Narrowing::Wraps, L);
}

IntType Trial::checkSigns(BinaryOperatorKind Op, const Expr *L, const Expr *R,
                          const Value &A, const Value &B, IntType Before,
                          IntType After) {
  if (After == Before)
    return After;
  bool Compares = BinaryOperator::isComparisonOp(Op);
  bool Equality = Op == BO_EQ || Op == BO_NE;
  bool FineA = A.Bounds.Lo >= 0 || Sign.notNegative(L);
  bool FineB = Op == BO_Shr || B.Bounds.Lo >= 0 || Sign.notNegative(R);
  // What is divided or shifted was huge if it was negative.
  if (!Compares && !FineA && !(After.Signed && Before.Signed))
    stop(Narrowing::Negative, L);
  if (After.Signed) {
    // Extending the sign keeps the order of unsigned numbers: comparing as
    // uint is what comparing as ulong was.
    if (Before.Signed || Equality || (FineA && FineB))
      return After;
    After.Signed = false;
    convert(A.Changed ? R : L, After);
  } else if (After.Bits == 32) {
    // A negative int is above 2^31 as a uint, as it was above 2^63.
    for (auto [Side, Fine] : {std::pair(A, FineA), std::pair(B, FineB)})
      if (Side.Type->Signed && !Fine) {
        if (Side.Changed)
          stop(Narrowing::Negative, L);
        Out.Half = Out.Assumed = true;
      }
  }
  return After;
}

void Trial::convert(const Expr *E, IntType T) {
  E = bareInteger(E);
  if (!text(E->getSourceRange(), Context))
    stop(Narrowing::Negative, E);
  // Another build may give a macro a wider type.
  if (!isStableText(E, Context))
    stop(Narrowing::TypeShows, E);
  Out.Unsigned.push_back({E, T});
}

} // namespace clrewrite::rewrite::narrow_index
