// Anti-unification of expressions: the one place where they differ.
//
// vload8(x, p + a), vload8(x, p + b) differ in `a` and `b` alone, so both are
// vload8(x, p + (i ? b : a)). The search walks all terms in step from the root
// and stops where more than one child differs, or where the nodes have nothing
// in common; the deepest scalar place wins, since it leaves most text shared.
#include "rewrite/Unify.h"
#include "rewrite/Conditions.h"
#include "rewrite/Text.h"

using namespace llvm;
using namespace clang;

namespace clrewrite {

using Terms = std::vector<const Expr *>;

static bool allSame(const Terms &T, const ASTContext &Context) {
  return all_of(
      T, [&](const Expr *E) { return sameExpression(T.front(), E, Context); });
}

static Terms operandsAt(const Terms &T, size_t Index) {
  Terms Out;
  for (const Expr *E : T)
    Out.push_back(operandsOf(E)[Index]);
  return Out;
}

/// The corresponding places where \p T differ; empty where there is no such
/// single place.
static Terms hole(Terms T, const ASTContext &Context) {
  for (const Expr *&E : T)
    E = E->IgnoreParenImpCasts();
  // ?: promotes narrow integers, which would change overloads and shifts.
  auto usable = [&](const Expr *E) {
    QualType Type = E->getType();
    return ((Type->isIntegerType() && !Context.isPromotableIntegerType(Type)) ||
            Type->isPointerType()) &&
           Context.hasSameUnqualifiedType(Type, T.front()->getType()) &&
           isPure(E) && text(E->getSourceRange(), Context);
  };
  bool Alike =
      all_of(T, [&](const Expr *E) { return sameNode(T.front(), E, Context); });
  if (Alike) {
    size_t Count = operandsOf(T.front()).size();
    std::optional<size_t> Differs;
    bool One = true;
    for (size_t I = 0; I < Count; ++I)
      if (!allSame(operandsAt(T, I), Context)) {
        One = !Differs;
        Differs = I;
        if (!One)
          break;
      }
    if (One && Differs)
      if (Terms Deeper = hole(operandsAt(T, *Differs), Context);
          !Deeper.empty())
        return Deeper;
  }
  return all_of(T, usable) ? T : Terms();
}

/// Literals in even steps as `first + step * Counter`; else empty.
static std::string linear(const Terms &Holes, StringRef Counter) {
  std::vector<int64_t> Values;
  for (const Expr *E : Holes) {
    const auto *L = dyn_cast<IntegerLiteral>(E);
    if (!L || L->getValue().getActiveBits() > 31 ||
        !L->getType()->isSpecificBuiltinType(BuiltinType::Int))
      return "";
    Values.push_back(int64_t(L->getValue().getZExtValue()));
  }
  int64_t Step = Values[1] - Values[0];
  for (size_t I = 1; I < Values.size(); ++I)
    if (Values[I] - Values[I - 1] != Step)
      return "";
  std::string Product =
      Step == 1 ? Counter.str() : (Twine(Step) + " * " + Counter).str();
  return Values[0] ? (Twine(Values[0]) + " + " + Product).str() : Product;
}

static std::string chosen(const Terms &Holes, StringRef Counter,
                          const ASTContext &Context) {
  if (std::string Linear = linear(Holes, Counter); !Linear.empty())
    return "(" + Linear + ")";
  std::string Out = "(";
  if (Holes.size() == 2)
    return ("(" + Counter + " ? " + spelledOperand(Holes[1], Context) + " : " +
            spelledOperand(Holes[0], Context) + ")")
        .str();
  for (size_t I = 0; I + 1 < Holes.size(); ++I)
    Out += (Counter + " == " + Twine(I) + " ? " +
            spelledOperand(Holes[I], Context) + " : ")
               .str();
  return Out + spelledOperand(Holes.back(), Context) + ")";
}

std::optional<std::string> unified(ArrayRef<const Expr *> List,
                                   StringRef Counter,
                                   const ASTContext &Context) {
  Terms T(List.begin(), List.end());
  if (T.size() < 2 || allSame(T, Context))
    return std::nullopt;
  Terms Holes = hole(T, Context);
  if (Holes.empty())
    return std::nullopt;
  Edit Whole = replacement(T.front()->getSourceRange(), "", Context);
  Edit Part = replacement(Holes.front()->getSourceRange(), "", Context);
  std::string Body = spelled(T.front(), Context);
  if (Part.Offset < Whole.Offset || Part.end() > Whole.end())
    return std::nullopt;
  Body.replace(Part.Offset - Whole.Offset, Part.Length,
               chosen(Holes, Counter, Context));
  return Body;
}

} // namespace clrewrite
