// A select must give the bits that the branch gave.
//
// `?:` converts its operands to a common type, and an assignment converts to
// the type of its target; so each value is cast to the target's type unless it
// has that type. select(b, a, c) takes its arguments in the opposite order, and
// wants all of one type and a c of the same width: an integer for scalars; for
// vectors, one integer per lane, whose top bit decides. It evaluates both
// values, so it is only used for values that are defined whatever the branch
// decides. min, max and clamp are used for integers alone: with floats they
// lose NaN and the sign of zero.
#include "SelectText.h"
#include "rewrite/affine/IntegerRange.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/text/Text.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::branch_to_select {

QualType typeBeforeConversion(const Expr *E) {
  E = E->IgnoreParens();
  while (const auto *Cast = dyn_cast<ImplicitCastExpr>(E)) {
    CastKind K = Cast->getCastKind();
    if (K == CK_LValueToRValue || K == CK_ArrayToPointerDecay ||
        K == CK_FunctionToPointerDecay)
      break;
    E = Cast->getSubExpr()->IgnoreParens();
  }
  return E->getType().getUnqualifiedType();
}

/// Types that the overloads of the integer and select built-ins take.
static bool isBuiltinInteger(QualType T) {
  const auto *B = T.getCanonicalType()->getAs<BuiltinType>();
  return B && is_contained({BuiltinType::Char_S, BuiltinType::UChar,
                            BuiltinType::Short, BuiltinType::UShort,
                            BuiltinType::Int, BuiltinType::UInt,
                            BuiltinType::Long, BuiltinType::ULong},
                           B->getKind());
}

std::string SelectWriter::copy(const Expr *E) {
  Copied.push_back(E->getSourceRange());
  std::string Text = spelled(E, Context);
  const Expr *Inner = E->IgnoreImplicit();
  const auto *B = dyn_cast<BinaryOperator>(Inner);
  bool Loose = isa<AbstractConditionalOperator>(Inner) ||
               (B && B->getOpcode() == BO_Comma);
  return Loose ? "(" + Text + ")" : Text;
}

/// \p Text, which spells \p E, cast to \p T.
static std::string cast(const Expr *E, std::string Text, QualType T,
                        const ASTContext &Context) {
  const auto *Comma = dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts());
  bool List = Comma && Comma->getOpcode() == BO_Comma;
  bool Bare = isOperand(E, Context) && !List;
  if (T->isVectorType() && !isa<ParenExpr>(E->IgnoreImplicit()))
    Bare = false;
  return "(" + spelledType(T, Context) + ")" + (Bare ? Text : "(" + Text + ")");
}

std::string SelectWriter::value(const Assignment &A) {
  QualType T = A.Target->getType().getUnqualifiedType();
  if (A.Op == BO_Assign) {
    std::string Text = copy(A.Value);
    return Context.hasSameType(typeBeforeConversion(A.Value), T)
               ? Text
               : cast(A.Value, std::move(Text), T, Context);
  }
  std::string One =
      T->isVectorType() ? "(" + spelledType(T, Context) + ")(1)" : "1";
  std::string Text =
      copy(A.Target) + " " + BinaryOperator::getOpcodeStr(A.Op).str() + " ";
  QualType Result = T;
  if (A.Value) {
    Copied.push_back(A.Value->getSourceRange());
    Text += isa<CStyleCastExpr>(A.Value->IgnoreImplicit())
                ? spelled(A.Value, Context)
                : spelledOperand(A.Value, Context);
    Result =
        dyn_cast<CompoundAssignOperator>(A.Node)->getComputationResultType();
  } else {
    Text += One;
    if (T->isIntegerType() && Context.isPromotableIntegerType(T))
      Result = Context.IntTy;
  }
  return Context.hasSameUnqualifiedType(Result, T)
             ? Text
             : "(" + spelledType(T, Context) + ")(" + Text + ")";
}

bool SelectWriter::assigns(const Branch &B, const Target &T) const {
  return any_of(assignmentsOf(B), [&](const Assignment *A) {
    return sameExpression(A->Target, T.LValue, Context);
  });
}

std::string SelectWriter::chosen(const Branch &B) {
  for (const auto &[Named, Name] : Names)
    if (Named == &B)
      return Name;
  // ?: takes no float for a condition, though if does.
  if (B.Condition->getType()->isFloatingType()) {
    Copied.push_back(B.Condition->getSourceRange());
    return spelledOperand(B.Condition, Context) + " != 0";
  }
  return copy(B.Condition);
}

/// The value of \p T after the arm, by the only step that assigns it.
std::string SelectWriter::inArm(const Arm &A, const Target &T) {
  for (const ArmStep &S : A) {
    if (S.Inner && assigns(*S.Inner, T))
      return inBranch(*S.Inner, T);
    if (!S.Inner && sameExpression(S.Assign.Target, T.LValue, Context))
      return value(S.Assign);
  }
  return spelled(T.LValue, Context);
}

std::string SelectWriter::inBranch(const Branch &B, const Target &T) {
  std::string If = chosen(B);
  std::string Then = inArm(B.Then, T), Else = inArm(B.Else, T);
  bool Nested = any_of(B.Then, [&](const ArmStep &S) {
    return S.Inner && assigns(*S.Inner, T);
  });
  if (Nested)
    Then = "(" + Then + ")";
  return If + " ? " + Then + " : " + Else;
}

std::string SelectWriter::ternary(const Target &T) { return inBranch(Tree, T); }

/// The path to \p Inner from \p At as conditions on the outer branches.
static bool pathTo(const Branch *Inner, const Branch &At,
                   std::vector<std::pair<const Branch *, bool>> &Path) {
  if (&At == Inner)
    return true;
  for (bool Then : {true, false})
    for (const ArmStep &S : Then ? At.Then : At.Else)
      if (S.Inner) {
        Path.push_back({&At, Then});
        if (pathTo(Inner, *S.Inner, Path))
          return true;
        Path.pop_back();
      }
  return false;
}

std::string SelectWriter::condition(const Branch &B) {
  if (!mayBeUndefined(B.Condition, Context))
    return chosen(B);
  std::vector<std::pair<const Branch *, bool>> Path;
  pathTo(&B, Tree, Path);
  std::string Text;
  for (const auto &[Outer, Then] : Path)
    Text += (Then ? "" : "!") + chosen(*Outer) + " && ";
  return Text.empty() ? chosen(B) : Text + "(" + chosen(B) + ")";
}

static bool isTruth(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return B->isComparisonOp() || B->isLogicalOp();
  const auto *U = dyn_cast<UnaryOperator>(E);
  return U && U->getOpcode() == UO_LNot;
}

std::string SelectWriter::mask(const Branch &B, QualType T) {
  bool Named = any_of(Names, [&](auto &N) { return N.first == &B; });
  std::string Text = chosen(B);
  if (!Named && !isTruth(B.Condition))
    Text = spelledOperand(B.Condition, Context) + " != 0";
  // A macro may spell the parentheses.
  bool Wrapped = isa<ParenExpr>(B.Condition->IgnoreImplicit()) &&
                 isTruth(B.Condition) && StringRef(Text).starts_with("(");
  std::string Plain = Text;
  if (!Named && !Wrapped)
    Text = "(" + Text + ")";
  else if (Wrapped)
    Plain = StringRef(Text).drop_front().drop_back().str();
  const auto *Vector = T->getAs<clang::VectorType>();
  QualType Element = Vector ? Vector->getElementType() : T;
  uint64_t Bits = Context.getTypeSize(Element);
  std::string Name = Bits == 8    ? "char"
                     : Bits == 16 ? "short"
                     : Bits == 32 ? "int"
                                  : "long";
  if (Vector)
    return "(" + Name + std::to_string(Vector->getNumElements()) + ")(-" +
           (Named ? "(int)" : "") + Text + ")";
  if (Bits == 32 && !Named)
    return Plain;
  return "(" + Name + ")" + Text;
}

std::string SelectWriter::selectIn(const Arm &A, const Target &T) {
  for (const ArmStep &S : A) {
    if (S.Inner && assigns(*S.Inner, T)) {
      std::string Else = selectIn(S.Inner->Else, T);
      std::string Then = selectIn(S.Inner->Then, T);
      return "select(" + Else + ", " + Then + ", " +
             mask(*S.Inner, T.LValue->getType()) + ")";
    }
    if (!S.Inner && sameExpression(S.Assign.Target, T.LValue, Context))
      return value(S.Assign);
  }
  return spelled(T.LValue, Context);
}

std::optional<std::string> SelectWriter::selection(const Target &T) {
  QualType Type = T.LValue->getType().getUnqualifiedType();
  if (hasDevicesWidth(Type))
    return std::nullopt;
  const auto *Vector = Type->getAs<clang::VectorType>();
  QualType Element = Vector ? Vector->getElementType() : Type;
  if ((!isBuiltinInteger(Element) && !Element->isRealFloatingType()) ||
      !meansBuiltin("select", Context))
    return std::nullopt;
  for (const Assignment *A : assignmentsOf(Tree))
    if (mayBeUndefined(A->Node, Context))
      return std::nullopt;
  for (const Branch *B : branchesOf(Tree))
    if (mayBeUndefined(B->Condition, Context))
      return std::nullopt;
  std::string Else = selectIn(Tree.Else, T), Then = selectIn(Tree.Then, T);
  return "select(" + Else + ", " + Then + ", " + mask(Tree, Type) + ")";
}

namespace {

/// `Low < High`, whichever way the comparison is written.
struct Comparison {
  const Expr *Low = nullptr, *High = nullptr;
};

/// One arm of a chain: a single plain assignment to the target.
const Expr *onlyValue(const Arm &A, const Target &T) {
  if (A.empty())
    return T.LValue;
  return A.size() == 1 && !A[0].Inner && A[0].Assign.Op == BO_Assign
             ? A[0].Assign.Value
             : nullptr;
}

/// Comparing and assigning integers of one type, and constants that fit it.
class Bounds {
public:
  Bounds(QualType T, const ASTContext &Context) : T(T), Context(Context) {}

  std::optional<Comparison> comparison(const Expr *E) const {
    const auto *B = dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts());
    if (!B || !B->isRelationalOp())
      return std::nullopt;
    // The type that is compared in must hold every value of T.
    QualType In = B->getLHS()->getType();
    bool Keeps = Context.hasSameUnqualifiedType(In, T) ||
                 (Context.isPromotableIntegerType(T) &&
                  Context.hasSameUnqualifiedType(In, Context.IntTy));
    if (!Keeps || !fits(B->getLHS()) || !fits(B->getRHS()))
      return std::nullopt;
    bool Less = B->getOpcode() == BO_LT || B->getOpcode() == BO_LE;
    return Less ? Comparison{B->getLHS(), B->getRHS()}
                : Comparison{B->getRHS(), B->getLHS()};
  }
  bool fits(const Expr *E) const {
    return Context.hasSameUnqualifiedType(typeBeforeConversion(E), T) ||
           constant(E);
  }
  /// The value of a constant that T can hold, before any conversion.
  std::optional<APSInt> constant(const Expr *E) const {
    Expr::EvalResult Result;
    const Expr *Inner = E->IgnoreParenImpCasts();
    if (!Inner->getType()->isIntegerType() || Inner->isValueDependent() ||
        !Inner->EvaluateAsInt(Result, Context) || !isStableText(Inner, Context))
      return std::nullopt;
    APSInt Value = Result.Val.getInt();
    unsigned Bits = unsigned(Context.getTypeSize(T));
    bool Signed = T->isSignedIntegerType();
    APSInt Lowest = APSInt::getMinValue(Bits, !Signed);
    APSInt Highest = APSInt::getMaxValue(Bits, !Signed);
    if (APSInt::compareValues(Value, Lowest) < 0 ||
        APSInt::compareValues(Value, Highest) > 0)
      return std::nullopt;
    return Value;
  }
  bool same(const Expr *A, const Expr *B) const {
    return sameExpression(A->IgnoreParenImpCasts(), B->IgnoreParenImpCasts(),
                          Context);
  }

private:
  QualType T;
  const ASTContext &Context;
};

} // namespace

std::optional<std::string> SelectWriter::bounded(const Target &T) {
  QualType Type = T.LValue->getType().getUnqualifiedType();
  if (!isBuiltinInteger(Type) || hasDevicesWidth(Type))
    return std::nullopt;
  Bounds In(Type, Context);
  auto text = [&](const Expr *E) {
    std::string Text = copy(E);
    return Context.hasSameType(typeBeforeConversion(E), Type) &&
                   !mayHaveDevicesWidth(E)
               ? Text
               : cast(E, std::move(Text), Type, Context);
  };
  std::optional<Comparison> C = In.comparison(Tree.Condition);
  const Expr *Then = onlyValue(Tree.Then, T);
  if (!C || !Then || !In.fits(Then))
    return std::nullopt;
  bool ThenLow = In.same(Then, C->Low), ThenHigh = In.same(Then, C->High);
  if (ThenLow == ThenHigh)
    return std::nullopt;
  // The other operand, which Then replaces.
  const Expr *Value = ThenLow ? C->High : C->Low;
  if (const Expr *Else = onlyValue(Tree.Else, T)) {
    if (!In.same(Else, Value) || !In.fits(Else))
      return std::nullopt;
    std::string Name = ThenLow ? "min" : "max";
    if (!meansBuiltin(Name, Context))
      return std::nullopt;
    return Name + "(" + text(C->Low) + ", " + text(C->High) + ")";
  }
  // v < lo ? lo : v > hi ? hi : v, and the same from above.
  if (Tree.Else.size() != 1 || !Tree.Else[0].Inner)
    return std::nullopt;
  const Branch &Inner = *Tree.Else[0].Inner;
  std::optional<Comparison> D = In.comparison(Inner.Condition);
  const Expr *Second = onlyValue(Inner.Then, T);
  const Expr *Last = onlyValue(Inner.Else, T);
  if (!D || !Second || !Last || !In.same(Last, Value) || !In.fits(Last))
    return std::nullopt;
  const Expr *Low = ThenHigh ? Then : Second, *High = ThenHigh ? Second : Then;
  bool Right = ThenHigh ? In.same(D->High, Value) && In.same(D->Low, Second)
                        : In.same(D->Low, Value) && In.same(D->High, Second);
  std::optional<APSInt> From = In.constant(Low), To = In.constant(High);
  if (!Right || !From || !To || APSInt::compareValues(*From, *To) > 0 ||
      !meansBuiltin("clamp", Context))
    return std::nullopt;
  return "clamp(" + text(Value) + ", " + text(Low) + ", " + text(High) + ")";
}

} // namespace clrewrite::rewrite::branch_to_select
