// Writing what differs between similar pieces as an expression of a counter.
//
// Numbers in even steps are linear in the counter, and so are sums that differ
// by such numbers; other numbers may go into a constant table; the rest is
// chosen by a chain of selects. Not by a private array: compilers may keep that
// in memory.
#include "rewrite/ast/Conditions.h"
#include "rewrite/text/Text.h"
#include "rewrite/text/Unify.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// The value of a literal of type int or uint, perhaps with a sign.
std::optional<int64_t> wholeNumber(const Expr *E) {
  E = E->IgnoreParens();
  bool Minus = false;
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_Minus &&
      U->getType()->isSpecificBuiltinType(BuiltinType::Int)) {
    Minus = true;
    E = U->getSubExpr()->IgnoreParens();
  }
  const auto *L = dyn_cast<IntegerLiteral>(E);
  if (!L || L->getValue().getActiveBits() > 30 ||
      !(L->getType()->isSpecificBuiltinType(BuiltinType::Int) ||
        L->getType()->isSpecificBuiltinType(BuiltinType::UInt)))
    return std::nullopt;
  int64_t Value = int64_t(L->getValue().getZExtValue());
  return Minus ? -Value : Value;
}

/// first + step * Counter.
struct Steps {
  int64_t First = 0, Step = 0;
};

std::optional<Steps> evenSteps(ArrayRef<int64_t> Values) {
  Steps S{Values[0], Values[1] - Values[0]};
  for (size_t I = 1; I < Values.size(); ++I)
    if (Values[I] - Values[I - 1] != S.Step)
      return std::nullopt;
  return S;
}

std::string spelledSteps(const Steps &S, StringRef Counter) {
  std::string Product =
      S.Step == 1 ? Counter.str() : (Twine(S.Step) + " * " + Counter).str();
  return S.First ? (Twine(S.First) + " + " + Product).str() : Product;
}

/// A sum as something and a number that is added to it.
struct Shifted {
  const Expr *Base;
  int64_t By;
};

Shifted shifted(const Expr *E) {
  const Expr *Inner = E->IgnoreParenImpCasts();
  const auto *B = dyn_cast<BinaryOperator>(Inner);
  if (!B || !B->isAdditiveOp())
    return {Inner, 0};
  std::optional<int64_t> By = wholeNumber(B->getRHS()->IgnoreImpCasts());
  const Expr *Base = B->getLHS()->IgnoreParenImpCasts();
  // A sum of another type may wrap around elsewhere.
  if (!By ||
      !B->getRHS()->IgnoreParenImpCasts()->getType()->isSpecificBuiltinType(
          BuiltinType::Int))
    return {Inner, 0};
  return {Base, B->getOpcode() == BO_Add ? *By : -*By};
}

/// It holds a macro that differs each time it is expanded.
bool variesByPlace(StringRef Text) {
  return Text.contains("__LINE__") || Text.contains("__COUNTER__");
}

/// A literal, not negative, times something; or something alone.
Shifted multiple(const Expr *E) {
  const Expr *Inner = E->IgnoreParenImpCasts();
  const auto *B = dyn_cast<BinaryOperator>(Inner);
  if (!B || B->getOpcode() != BO_Mul)
    return {Inner, 1};
  for (bool Left : {true, false}) {
    const Expr *Number = Left ? B->getLHS() : B->getRHS();
    const Expr *Base = Left ? B->getRHS() : B->getLHS();
    std::optional<int64_t> By = wholeNumber(Number->IgnoreImpCasts());
    if (By && *By >= 0 &&
        Number->IgnoreParenImpCasts()->getType()->isSpecificBuiltinType(
            BuiltinType::Int))
      return {Base->IgnoreParenImpCasts(), *By};
  }
  return {Inner, 1};
}

class Chooser {
public:
  Chooser(const Varied &V, StringRef Counter, const ASTContext &Context)
      : V(V), Counter(Counter), Context(Context),
        Type(V.Values.front()->getType().getCanonicalType()) {}

  /// Empty where the values are in no even steps.
  std::string steps() const {
    std::string Out = linear();
    if (Out.empty())
      Out = offset();
    if (Out.empty())
      Out = scaled(V.Values);
    return Out.empty() ? offsetScaled() : Out;
  }

  std::string text(Tables &T) const {
    std::string Out = steps();
    if (Out.empty() && !T.Name.empty())
      Out = element(T);
    return "(" + (Out.empty() ? selects() : Out) + ")";
  }

private:
  const Varied &V;
  StringRef Counter;
  const ASTContext &Context;
  QualType Type;

  /// Numbers in even steps.
  std::string linear() const {
    std::vector<int64_t> Values;
    for (const Expr *E : V.Values) {
      std::optional<int64_t> N = wholeNumber(E);
      if (!N)
        return "";
      Values.push_back(*N);
    }
    std::optional<Steps> S = evenSteps(Values);
    if (!S || !S->Step)
      return "";
    bool Unsigned = Type->isSpecificBuiltinType(BuiltinType::UInt);
    std::string Out = spelledSteps(*S, Counter);
    return Unsigned ? "(uint)(" + Out + ")" : Out;
  }

  /// x - 1, x, x + 1.
  std::string offset() const {
    std::vector<int64_t> Values;
    const Expr *Base = shifted(V.Values.front()).Base;
    if (wholeNumber(Base) ||
        !Context.hasSameUnqualifiedType(Base->getType(), Type))
      return "";
    for (const Expr *E : V.Values) {
      Shifted S = shifted(E);
      if (!sameExpression(S.Base, Base, Context))
        return "";
      Values.push_back(S.By);
    }
    std::optional<Steps> S = evenSteps(Values);
    if (!S || !S->Step)
      return "";
    std::string By = spelledSteps(*S, Counter);
    bool Sum = S->First || S->Step < 0;
    return spelledOperand(Base, Context) + " + " + (Sum ? "(" + By + ")" : By);
  }

  /// w, 2 * w, 3 * w: each product is one that the original computes, so that
  /// none overflows that did not before.
  std::string scaled(ArrayRef<const Expr *> Terms) const {
    const Expr *Base = multiple(Terms.back()).Base;
    QualType BaseType = Base->getType();
    std::vector<int64_t> Values;
    for (const Expr *E : Terms) {
      Shifted M = E ? multiple(E) : Shifted{Base, 0};
      bool Integer = !E || Context.hasSameUnqualifiedType(
                               E->IgnoreParenImpCasts()->getType(), BaseType);
      if (!Integer || !sameExpression(M.Base, Base, Context))
        return "";
      Values.push_back(M.By);
    }
    std::optional<Steps> S = evenSteps(Values);
    if (!S || !S->Step || wholeNumber(Base) || !BaseType->isIntegerType() ||
        Context.isPromotableIntegerType(BaseType))
      return "";
    std::string By = spelledSteps(*S, Counter);
    bool Sum = S->First || S->Step < 0;
    return (Sum ? "(" + By + ")" : By) + " * " + spelledOperand(Base, Context);
  }

  /// p, p + w, p + 2 * w.
  std::string offsetScaled() const {
    auto sum = [](const Expr *E) {
      const auto *B = dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts());
      return B && B->getOpcode() == BO_Add ? B : nullptr;
    };
    const auto *Last = sum(V.Values.back());
    if (!Last)
      return "";
    const Expr *Base = Last->getLHS()->IgnoreParenImpCasts();
    std::vector<const Expr *> Terms;
    for (const Expr *E : V.Values) {
      const auto *B = sum(E);
      bool Alone = sameExpression(E->IgnoreParenImpCasts(), Base, Context);
      if (!Alone && (!B || !sameExpression(B->getLHS()->IgnoreParenImpCasts(),
                                           Base, Context)))
        return "";
      Terms.push_back(Alone ? nullptr : B->getRHS());
    }
    // The sum's own type, so that no operand is converted otherwise.
    if (!Context.hasSameUnqualifiedType(Base->getType(), Type))
      return "";
    std::string By = scaled(Terms);
    return By.empty() ? "" : spelledOperand(Base, Context) + " + " + By;
  }

  std::string element(Tables &T) const {
    // What a macro is defined as may not be known before the function.
    const SourceManager &SM = Context.getSourceManager();
    if (V.Values.size() < 3 || !all_of(V.Values, [&](const Expr *E) {
          return isNumber(E) && !SM.isMacroBodyExpansion(E->getBeginLoc()) &&
                 !SM.isMacroBodyExpansion(E->getEndLoc());
        }))
      return "";
    std::string Name =
        T.Name + std::to_string(StringRef(T.Text).count('=') + 1);
    T.Text += "__constant " + spelledType(Type, Context) + " " + Name + "[" +
              std::to_string(V.Values.size()) + "] = {";
    size_t Column = 0;
    for (const Expr *E : V.Values) {
      std::string Value = spelled(E, Context);
      bool First = E == V.Values.front();
      bool Break = First || Column + Value.size() + 2 > 78;
      T.Text += (First ? "\n    " : Break ? ",\n    " : ", ") + Value;
      Column = (Break ? 4 : Column + 2) + Value.size();
    }
    T.Text += "};\n\n";
    return Name + "[" + Counter.str() + "]";
  }

  std::string selects() const {
    auto value = [&](size_t I) { return spelledOperand(V.Values[I], Context); };
    size_t Count = V.Values.size();
    if (Count == 2)
      return Counter.str() + " ? " + value(1) + " : " + value(0);
    std::string Out;
    for (size_t I = 0; I + 1 < Count; ++I) {
      // Equal neighbours share a test.
      if (value(I) == value(I + 1))
        continue;
      bool Shares = I && value(I) == value(I - 1);
      Out += Counter.str() + (Shares ? " <= " : " == ") + std::to_string(I) +
             " ? " + value(I) + " : ";
    }
    return Out + value(Count - 1);
  }
};

} // namespace

bool isNumber(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_Minus)
    E = U->getSubExpr()->IgnoreParenImpCasts();
  return isa<IntegerLiteral, FloatingLiteral>(E);
}

bool inEvenSteps(const Varied &V, const ASTContext &Context) {
  return !Chooser(V, "i", Context).steps().empty();
}

std::optional<std::string> chosenText(unsigned Begin, unsigned End,
                                      ArrayRef<Varied> Places,
                                      StringRef Counter, Tables &T,
                                      const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  StringRef All = SM.getBufferData(SM.getMainFileID());
  if (Begin >= End)
    return std::nullopt;
  std::vector<Edit> Changes;
  std::vector<std::vector<std::string>> Spelled;
  for (const Varied &V : Places) {
    std::vector<std::string> Each;
    for (const Expr *E : V.Values) {
      std::optional<StringRef> Text = text(E->getSourceRange(), Context);
      if (!Text || variesByPlace(*Text))
        return std::nullopt;
      Each.push_back(Text->str());
    }
    Edit New = replacement(V.Values.front()->getSourceRange(), "", Context);
    if (New.Offset < Begin || New.end() > End)
      return std::nullopt;
    // A macro's argument may stand for several places.
    bool Known = false;
    for (size_t I = 0; I < Changes.size(); ++I) {
      if (New.end() <= Changes[I].Offset || Changes[I].end() <= New.Offset)
        continue;
      if (New.Offset != Changes[I].Offset || New.Length != Changes[I].Length ||
          Each != Spelled[I])
        return std::nullopt;
      Known = true;
    }
    if (Known)
      continue;
    New.Text = Chooser(V, Counter, Context).text(T);
    Changes.push_back(std::move(New));
    Spelled.push_back(std::move(Each));
  }
  std::string Body = All.slice(Begin, End).str();
  llvm::sort(Changes,
             [](const Edit &A, const Edit &B) { return A.Offset > B.Offset; });
  for (const Edit &E : Changes)
    Body.replace(E.Offset - Begin, E.Length, E.Text);
  return Body;
}

} // namespace clrewrite::rewrite
