// promote-element: an element of a buffer that a loop reads and writes in each
// turn is a variable while the loop runs.
//
//   for (int j = 0; j < n; j++)
//     x[i] += a[j * n + i] * y[j];
// stores x[i] in each turn, and loads it again in the next, since a or y may be
// the same buffer. No turn's a[j * n + i] is x[i] where that is not among the
// elements from the first turn's to the last one's; likewise y[j]. The loop
// then runs on a variable, and otherwise as it was.
//
// Compilers call this scalar promotion, and do it where they can prove it.
#include "LoopElements.h"
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/text/FreshLocal.h"
#include "rewrite/text/Head.h"
#include "rewrite/text/LoopText.h"
#include "rewrite/text/Text.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::promote_element {
namespace {

LoopElements find(const Site &S) {
  return loopElements(loopOf(S), S.Function, S.Context);
}
const LoopElements &found(const Site &S) { return S.once<find>(); }

bool hasElement(const Site &S) { return !found(S).Elements.empty(); }

bool counts(const Site &S) {
  return found(S).Head || S.brokenBy(headOf(loopOf(S)));
}

bool isAlone(const Site &S) { return S.unlessBroken(found(S).More); }

bool hasValuesOnly(const Site &S) { return S.unlessBroken(found(S).Addressed); }

bool othersAreAffine(const Site &S) {
  return S.unlessBroken(found(S).NotAffine);
}

bool othersAreAlways(const Site &S) {
  return S.unlessBroken(found(S).NotAlways);
}

bool namesAreOwn(const Site &S) {
  return none_of(std::initializer_list<const char *>{"size_t", "uintptr_t",
                                                     "bool", "at", "size",
                                                     "width", "first", "last",
                                                     "low", "high"},
                 [&](const char *Name) { return isMacro(Name, S.Context); });
}

/// Writes one loop.
class Writer {
public:
  explicit Writer(const Site &S)
      : S(S), Found(found(S)),
        Indent(indentation(loopOf(S).getBeginLoc(), S.Context)),
        Step(indentUnit(loopOf(S), S.Context)) {
    FreshNames Fresh(S, Scope::Closed);
    for (size_t I = 0; I < Found.Elements.size(); ++I)
      Kept.push_back(Fresh.named("kept"));
    for (const auto &[Element, Other] : Found.Pairs) {
      LangAS Space = Element->getType().getAddressSpace();
      StringRef Of = Space == LangAS::opencl_local ? "_local_apart" : "_apart";
      Apart[Space] = freshName((S.Function.getName() + Of).str(), S.Context);
    }
  }

  /// All that is written has a text, which is not out of proportion.
  bool isWritten() const {
    constexpr size_t Most = 4000;
    bool Short = test().size() <= Most;
    return Short && !Lost && all_of(Found.Elements, [&](const LoopElement &E) {
             return typeName(E.Place->getType(), S) &&
                    all_of(E.Names, [&](const Expr *Name) {
                      return isPlainText(Name->getSourceRange(), S.Context);
                    });
           });
  }

  Alternative all() const {
    Alternative Out;
    Out.Label = "tested";
    Out.Remark = "a register, where no other access reaches the element";
    Out.Explains = true;
    Out.Changes = {
        definitionsBefore(S.Function, functions(), S.Context),
        replacement(wholeStatement(&loopOf(S), S.Context), both(), S.Context)};
    return Out;
  }

private:
  const Site &S;
  const LoopElements &Found;
  std::string Indent, Step; ///< of the loop's line, and of one level
  std::vector<std::string> Kept;
  std::map<LangAS, std::string> Apart; ///< the functions that test, by space
  mutable bool Lost = false;

  TurnText turnText(Turn Of) const {
    return TurnText(S, loopOf(S), *Found.Head, Of);
  }

  /// All elements in a space and what is accessed beside them have one type.
  bool hasOneType(LangAS Space) const {
    QualType T;
    return all_of(Found.Pairs, [&](const auto &Pair) {
      for (const Expr *Place : {Pair.first, Pair.second}) {
        if (Place->getType().getAddressSpace() != Space)
          continue;
        QualType Own = Place->getType().getCanonicalType().getUnqualifiedType();
        if (!T.isNull() && !S.Context.hasSameType(T, Own))
          return false;
        T = Own;
      }
      return true;
    });
  }

  std::map<std::string, std::string> functions() const {
    std::map<std::string, std::string> Out;
    for (const auto &[Space, Name] : Apart)
      Out[Name] = function(Space, Name);
    return Out;
  }

  std::string function(LangAS Space, const std::string &Name) const {
    const bool One = hasOneType(Space);
    StringRef Qualifier =
        Space == LangAS::opencl_local ? "__local" : "__global";
    std::string Pointer = "const " + Qualifier.str() + " void *",
                Start = specifiersFor(S.Function) + "bool " + Name + "(",
                In = ",\n" + std::string(Start.size(), ' '),
                Width = One ? "size" : "width";
    return (One ? "// `at` leads to none of the elements of `size` bytes from "
                  "`first` to `last`,\n// of which either may come first.\n"
                : "// The `size` bytes at `at` are none of the elements of "
                  "`width` bytes from\n// `first` to `last`, of which either "
                  "may come first.\n") +
           Start + Pointer + "at, size_t size" + (One ? "" : ", size_t width") +
           In + Pointer + "first" + In + Pointer + "last) {\n" +
           "  uintptr_t low = (uintptr_t)(first < last ? first : last);\n"
           "  uintptr_t high = (uintptr_t)(first < last ? last : first);\n"
           "  return (uintptr_t)at + size <= low || high + " +
           Width + " <= (uintptr_t)at;\n}\n";
  }

  std::string test() const {
    const CountedLoop &Head = *Found.Head;
    std::string Break = " &&\n" + Indent + Step + Step, Out;
    std::optional<int64_t> First = constant(Head.Start, S.Context),
                           End = constant(Head.End, S.Context);
    // Small numbers mean the same in each type.
    auto isSmall = [](const Expr *E, std::optional<int64_t> Value) {
      return isWrittenNumber(E) && Value && *Value >= 0 && *Value <= INT32_MAX;
    };
    bool StartIsSmall = isSmall(Head.Start, First);
    if (!StartIsSmall || !isSmall(Head.End, End) || *First >= *End)
      Out = (StartIsSmall ? std::to_string(*First)
                          : noted(turnText(Turn::First),
                                  [](auto &T) { return T.variable(); })) +
            (Head.isInclusive() ? " <= " : " < ") +
            spelledOperand(Head.End, S.Context);
    Lost |= !text(Head.End->getSourceRange(), S.Context);
    for (auto [Element, Other] : Found.Pairs)
      Out += (Out.empty() ? "" : Break) + call(Element, Other);
    return Out;
  }

  std::string call(const Expr *Element, const Expr *Other) const {
    std::vector<std::string> Arguments{"&" + spelled(Element, S.Context),
                                       size(Element)};
    const LangAS Space = Element->getType().getAddressSpace();
    if (!hasOneType(Space))
      Arguments.push_back(size(Other));
    Arguments.push_back(turn(Other, false));
    Arguments.push_back(turn(Other, true));
    const std::string In = Indent + Step + Step;
    const std::string &Name = Apart.at(Space);
    const size_t Column = In.size() + Name.size() + 1;
    size_t Width = Column;
    std::string Out = Name + "(" + Arguments[0];
    Width += Arguments[0].size();
    for (const std::string &Each : drop_begin(Arguments)) {
      bool Fits = Width + Each.size() + 2 <= 75;
      Out += Fits ? ", " : ",\n" + In + std::string(Name.size() + 1, ' ');
      Width = (Fits ? Width + 2 : Column) + Each.size();
      Out += Each;
    }
    return Out + ")";
  }

  /// What \p Spell makes of \p T, and whether that counts.
  template <typename Function>
  std::string noted(const TurnText &T, Function Spell) const {
    std::string Out = Spell(T);
    Lost |= T.isLost();
    return Out;
  }

  std::string turn(const Expr *Place, bool Last) const {
    return "&" + noted(turnText(Last ? Turn::Last : Turn::First),
                       [&](auto &T) { return T.of(Place); });
  }

  /// The size of what \p Place names; of a structure, by its place.
  std::string size(const Expr *Place) const {
    std::optional<std::string> Type = typeName(Place->getType(), S);
    return "sizeof(" + (Type ? *Type : turn(Place, false).substr(1)) + ")";
  }

  StringRef original() const {
    return *text(wholeStatement(&loopOf(S), S.Context), S.Context);
  }

  std::string promoted() const {
    Edits Names;
    for (size_t I = 0; I < Kept.size(); ++I)
      for (const Expr *Name : Found.Elements[I].Names)
        Names.push_back(
            replacement(Name->getSourceRange(), Kept[I], S.Context));
    return edited(original(), Names, S.Context);
  }

  std::string both() const {
    std::string In = "\n" + Indent + Step, Out = "if (" + test() + ") {";
    for (size_t I = 0; I < Kept.size(); ++I) {
      const Expr *Place = Found.Elements[I].Place;
      Out += In + *typeName(Place->getType(), S) + " " + Kept[I] + " = " +
             spelled(Place, S.Context) + ";";
    }
    Out += In + indented(promoted(), Step);
    for (size_t I = 0; I < Kept.size(); ++I)
      Out += In + spelled(Found.Elements[I].Place, S.Context) + " = " +
             Kept[I] + ";";
    return Out + "\n" + Indent + "} else" + In + indented(original(), Step);
  }
};

bool canBeAsked(const Site &S) {
  return Writer(S).isWritten() || S.brokenBy(headOf(loopOf(S)));
}

std::vector<Alternative> alternatives(const Site &S) {
  return {Writer(S).all()};
}

} // namespace

const Rewrite &rewritePromoteElement() {
  static const Rewrite R{
      "promote-element",
      "keep an element of a buffer in a register while a loop runs",
      Safety::Exact,
      sitesOf<ForStmt, standsInBlock>,
      loopIsCopied(
          {{"the loop does not count up by one, in its variable's type, "
            "between "
            "two "
            "values that stay the same",
            counts, "write `for (int i = start; i < end; ++i)`"},
           runsAllTurns(),
           {"the loop waits for other work-items, accesses volatile memory, "
            "has "
            "other effects, or calls what can't be looked into",
            isAlone},
           {"the address of the element is taken in the loop", hasValuesOnly,
            "use the element itself"},
           {"the loop accesses what may be the element's memory, at an address "
            "that "
            "is no sum of what stays the same and of a multiple of the loop's "
            "variable",
            othersAreAffine,
            "declare the pointers restrict where the host passes buffers that "
            "do "
            "not overlap"},
           {"the loop accesses what may be the element's memory in some of its "
            "turns "
            "alone",
            othersAreAlways,
            "declare the pointers restrict where the host passes buffers that "
            "do "
            "not overlap"},
           {"an address or a bound can't be written in front of the loop: a "
            "part "
            "of "
            "it is no text of its own, a name means something else there, or "
            "it is "
            "too long",
            canBeAsked, "put it into a variable before the loop"},
           HeadIsPlain,
           {"the program gives another meaning to size_t, uintptr_t, bool or "
            "the "
            "name of a parameter that is written",
            namesAreOwn, RenameOwn}}),
      alternatives,
      /*Phase=*/0,
      HoldsElsewhere,
      hasElement};
  return R;
}

} // namespace clrewrite::rewrite::promote_element
