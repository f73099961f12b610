// contract-fma: a product and the sum that it stands in become one fma().
//
// `a * b + c` rounds twice, fma(a, b, c) once: one instruction instead of two
// on most GPUs, and no register for the product. Compilers contract by
// themselves where the program allows it, within one expression; this rewrite
// writes it out, for programs whose pragma or driver keeps them from it. The
// last bit changes, and more of it where the sum cancels, so it is approximate.
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Lanes.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/text/Text.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::contract_fma {
namespace {

/// How far the results of a kernel may be off on the inputs that verification
/// tries, in units in the last place. A threshold for acceptance, no theorem.
constexpr unsigned AcceptedUlps = 16;

bool isRealType(QualType T) {
  const auto *B = laneOf(T)->getAs<BuiltinType>();
  return B && (B->getKind() == BuiltinType::Float ||
               B->getKind() == BuiltinType::Double);
}

/// The product that \p E is, parentheses and conversions aside.
const BinaryOperator *productIn(const Expr *E) {
  const auto *B = dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts());
  return B && B->getOpcode() == BO_Mul && isRealType(B->getType()) ? B
                                                                   : nullptr;
}

/// A sum or a difference as Product + Other, and the signs of both.
struct Sum {
  const BinaryOperator *Product;
  const Expr *Other;
  bool MinusProduct, MinusOther;
};

/// The ways to see \p B as such a sum, the left operand as the product first.
std::vector<Sum> sumsIn(const BinaryOperator &B) {
  bool Minus = B.getOpcode() == BO_Sub || B.getOpcode() == BO_SubAssign;
  bool Sums = Minus || B.getOpcode() == BO_Add || B.getOpcode() == BO_AddAssign;
  std::vector<Sum> Out;
  if (!Sums || !isRealType(B.getType()))
    return Out;
  if (const BinaryOperator *P = productIn(B.getLHS()))
    Out.push_back({P, B.getRHS(), false, Minus});
  if (const BinaryOperator *P = productIn(B.getRHS()))
    Out.push_back({P, B.getLHS(), Minus, false});
  return Out;
}

bool addsAProduct(const BinaryOperator &Node, ASTContext &) {
  return !sumsIn(Node).empty();
}

const BinaryOperator &sumOf(const Site &S) { return *S.get<BinaryOperator>(); }

/// Both factors and what is added.
std::vector<const Expr *> partsOf(const Sum &S) {
  return {S.Product->getLHS(), S.Product->getRHS(), S.Other};
}

bool notFromMacro(const Site &S) {
  const BinaryOperator &B = sumOf(S);
  if (!isPlainText(B.getSourceRange(), S))
    return false;
  if (B.getOperatorLoc().isMacroID())
    return S.brokenBy(B.getOperatorLoc());
  return all_of(sumsIn(B), [&](const Sum &Each) {
    if (Each.Product->getOperatorLoc().isMacroID())
      return S.brokenBy(Each.Product->getOperatorLoc());
    return S.each(partsOf(Each), [&](const Expr *E) {
      return text(E->getSourceRange(), S.Context).has_value();
    });
  });
}

/// In another build \p E is one operand, too: a macro that is defined otherwise
/// there may be `a + b`, of which only `a` would be a factor. What stands in the
/// brackets of an element is none of the operand's operators.
bool isOperandInAllBuilds(const Expr *E, const ASTContext &Context) {
  E = E->IgnoreImpCasts();
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E))
    return isOperandInAllBuilds(Element->getBase(), Context);
  return isa<ParenExpr, CallExpr>(E) || macrosAreStable(E, Context);
}

bool operandsAreStable(const Site &S) {
  return all_of(sumsIn(sumOf(S)), [&](const Sum &Each) {
    return S.each(partsOf(Each), [&](const Expr *E) {
      return isOperandInAllBuilds(E, S.Context);
    });
  });
}

bool isPureSum(const Site &S) {
  const BinaryOperator &B = sumOf(S);
  return S.each(ArrayRef<const Expr *>{B.getLHS(), B.getRHS()}, isPure);
}

bool hasOneType(const Site &S) {
  const BinaryOperator &B = sumOf(S);
  QualType T = B.getType();
  if (const auto *C = dyn_cast<CompoundAssignOperator>(&B))
    if (!S.Context.hasSameUnqualifiedType(C->getComputationResultType(), T))
      return false;
  return all_of(sumsIn(B), [&](const Sum &Each) {
    return S.Context.hasSameUnqualifiedType(Each.Product->getType(), T) ||
           S.brokenBy(Each.Product);
  });
}

bool isNoConstant(const Site &S) {
  return sumOf(S).isAssignmentOp() ||
         !sumOf(S).isConstantInitializer(S.Context, /*ForRef=*/false);
}

bool fmaIsBuiltin(const Site &S) { return meansBuiltin("fma", S.Context); }

/// \p E without parentheses that an argument does not need.
const Expr *bare(const Expr *E, const ASTContext &Context) {
  const auto *P = dyn_cast<ParenExpr>(E->IgnoreImplicit());
  const Expr *Inner = P ? P->getSubExpr() : nullptr;
  const auto *B = dyn_cast_or_null<BinaryOperator>(Inner);
  bool Needed = !P || (B && B->isCommaOp()) ||
                spelled(P, Context) != "(" + spelled(Inner, Context) + ")";
  return Needed ? E : Inner;
}

/// \p E as an argument of type \p T: fma's overloads convert nothing.
std::string argument(const Expr *E, bool Minus, QualType T,
                     const ASTContext &Context) {
  bool Same =
      Context.hasSameUnqualifiedType(E->IgnoreParenImpCasts()->getType(), T);
  std::string Text = Same && !Minus ? spelled(bare(E, Context), Context)
                                    : spelledOperand(E, Context);
  if (!Same)
    Text = "(" + spelledType(T.getCanonicalType(), Context) + ")" + Text;
  return (Minus ? "-" : "") + Text;
}

std::vector<Alternative> alternatives(const Site &S) {
  const BinaryOperator &B = sumOf(S);
  QualType T = B.getType();
  std::vector<Alternative> Out;
  for (const Sum &Each : sumsIn(B)) {
    std::string Call =
        "fma(" +
        argument(Each.Product->getLHS(), Each.MinusProduct, T, S.Context) +
        ", " + argument(Each.Product->getRHS(), false, T, S.Context) + ", " +
        argument(Each.Other, Each.MinusOther, T, S.Context) + ")";
    if (B.isAssignmentOp())
      Call = spelled(B.getLHS(), S.Context) + " = " + Call;
    std::vector<SourceRange> Kept;
    for (const Expr *E : partsOf(Each))
      Kept.push_back(E->getSourceRange());
    std::string Comments =
        commentsIn(B.getSourceRange(), Kept,
                   indentation(B.getBeginLoc(), S.Context), S.Context);
    Alternative A;
    A.Label = Out.empty() ? "fma" : "fma-right";
    A.Class = Safety::Approximate;
    A.Ulps = AcceptedUlps;
    A.Changes = {replacement(B.getSourceRange(), Comments + Call, S.Context)};
    Out.push_back(std::move(A));
  }
  return Out;
}

} // namespace

const Rewrite &rewriteContractFma() {
  static const Rewrite R{
      "contract-fma",
      "join a product and a sum into one fma",
      Safety::Approximate,
      sitesOf<BinaryOperator, addsAProduct>,
      {{"a part of the expression comes from a macro's body, or a preprocessor "
        "directive stands in it",
        notFromMacro, WriteItOut},
       {"an operand is a macro that another build may define as more than one "
        "operand",
        operandsAreStable, "put it into parentheses"},
       {"an operand has side effects or is volatile", isPureSum,
        "compute it in a statement before"},
       {"the product and the sum have different types", hasOneType,
        "convert the factors to the type of the sum"},
       {"the expression is a constant", isNoConstant},
       {"the name fma means something else in this program", fmaIsBuiltin,
        RenameOwn}},
      alternatives};
  return R;
}

} // namespace clrewrite::rewrite::contract_fma
