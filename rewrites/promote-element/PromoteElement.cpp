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
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/affine/IntegerRange.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/ast/PointsTo.h"
#include "rewrite/text/FreshLocal.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// In the arm of an `if` the rewrite leaves the loop that it has tested
/// something for.
bool isLoop(const ForStmt &Loop, ASTContext &Context) {
  return blockOf(Loop, Context);
}

const ForStmt &loopOf(const Site &S) { return *S.get<ForStmt>(); }

LoopElements find(const Site &S) {
  return loopElements(loopOf(S), S.Function, S.Context);
}
const LoopElements &found(const Site &S) { return S.once<find>(); }

bool hasElement(const Site &S) { return !found(S).Elements.empty(); }

bool isText(const Site &S) {
  SourceRange Whole = wholeStatement(&loopOf(S), S.Context);
  if (Whole.isInvalid())
    return S.brokenBy(loopOf(S).getBeginLoc());
  return isPlainText(Whole, S.Context) ||
         S.brokenBy(hindranceIn(Whole, S.Context));
}

bool startsAStatement(const Site &S) {
  SourceRange Before =
      beforeStatement(&loopOf(S), *blockOf(loopOf(S), S.Context), S.Context);
  return S.unlessBroken(Before);
}

bool counts(const Site &S) {
  return found(S).Head || S.brokenBy(headOf(loopOf(S)));
}

bool runsAllTurns(const Site &S) {
  return S.unlessBroken(mayEndTurn(loopOf(S))) &&
         S.unlessBroken(mayBeEntered(loopOf(S).getBody()));
}

bool isAlone(const Site &S) { return S.unlessBroken(found(S).More); }

bool hasValuesOnly(const Site &S) { return S.unlessBroken(found(S).Addressed); }

bool othersAreAffine(const Site &S) {
  return S.unlessBroken(found(S).NotAffine);
}

bool othersAreAlways(const Site &S) {
  return S.unlessBroken(found(S).NotAlways);
}

/// Where \p Word, a part of the main file, stands.
SourceRange placeOf(StringRef Word, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  FileID Main = SM.getMainFileID();
  return SM.getLocForStartOfFile(Main).getLocWithOffset(
      int(Word.data() - SM.getBufferData(Main).data()));
}

bool isMacro(StringRef Word, const ASTContext &Context) {
  return Context.Idents.get(Word).hadMacroDefinition();
}

/// The loop means the same in every build: its only macros are numbers, and
/// those before it, in types, are stable.
bool isAlike(const Site &S) {
  MacroStability Macros(S.Context);
  auto isNumber = [&](StringRef Word) {
    // A whole expression without a word, but for suffixes of numbers.
    auto hasNoNames = [](StringRef Body) {
      StringRef First = Body.ltrim("(+-~ \t"), Last = Body.rtrim(") \t");
      return Body.find_first_not_of("0123456789()+-*/%<>&|^~ \tuUlL") ==
                 StringRef::npos &&
             !First.empty() && isDigit(First.front()) && isAlnum(Last.back()) &&
             Body.count('(') == Body.count(')');
    };
    std::optional<std::vector<std::string>> Bodies = Macros.bodiesOf(Word);
    return Macros.isStable(Word) && Bodies && all_of(*Bodies, hasNoNames);
  };
  SourceRange Whole = loopOf(S).getSourceRange();
  auto textOf = [&](SourceRange Range) {
    return text(Range, S.Context).value_or("");
  };
  for (StringRef Word : macrosIn(textOf(Whole), S.Context))
    if (!isNumber(Word))
      return S.brokenBy(placeOf(Word, S.Context));
  std::vector<SourceRange> Declared{S.Function.getParametersSourceRange()};
  mentionsAny(&loopOf(S), [&](const VarDecl *V) {
    Declared.push_back(V->getSourceRange());
    return false;
  });
  for (SourceRange Range : Declared)
    if (auto Unstable = Macros.unstableIn(textOf(Range)); !Unstable.empty())
      return S.brokenBy(placeOf(Unstable.front(), S.Context));
  return Macros.unstableTypeIn(S.Function).empty() ||
         S.brokenBy(Whole.getBegin());
}

/// Looks for a declaration of anything but variables of the work-item's own.
class DeclarationSearch : public DynamicRecursiveASTVisitor {
public:
  const Stmt *Found = nullptr;
  bool VisitDeclStmt(DeclStmt *D) override {
    if (!all_of(D->decls(), [](const Decl *Each) {
          const auto *V = dyn_cast<VarDecl>(Each);
          return V && !V->isStaticLocal();
        }))
      Found = D;
    return !Found;
  }
};

bool declaresVariablesOnly(const Site &S) {
  DeclarationSearch D;
  D.TraverseStmt(const_cast<ForStmt *>(&loopOf(S)));
  return S.unlessBroken(D.Found);
}

bool linesAreWhole(const Site &S) {
  StringRef Text = text(loopOf(S).getSourceRange(), S.Context).value_or("\\\n");
  return !(Text.contains("\\\n") || Text.contains("\\\r\n") ||
           Text.contains("R\"")) ||
         S.brokenBy(loopOf(S).getBeginLoc());
}

/// The type of \p T by a name that means it at the loop: the program's own, or
/// the language's. None where neither is sure to.
std::optional<std::string> typeName(QualType T, const Site &S) {
  QualType Canonical = T.getCanonicalType().getUnqualifiedType();
  const auto *Vector = Canonical->getAs<clang::ExtVectorType>();
  if (!isa<clang::BuiltinType>(
          Vector ? Vector->getElementType().getCanonicalType() : Canonical))
    return std::nullopt;
  for (QualType Each : {T.getUnqualifiedType(), Canonical}) {
    std::string Text = spelledType(Each, S.Context);
    SmallVector<StringRef, 2> Words;
    SplitString(Text, Words);
    auto isTaken = [&](StringRef Word) {
      return isMacro(Word, S.Context) ||
             any_of(S.Function.decls(), [&](const Decl *D) {
               const auto *N = dyn_cast<NamedDecl>(D);
               return N && N->getIdentifier() && N->getName() == Word;
             });
    };
    if (none_of(Words, isTaken))
      return Text;
  }
  return std::nullopt;
}

bool namesAreOwn(const Site &S) {
  return none_of(std::initializer_list<const char *>{"size_t", "uintptr_t",
                                                     "bool", "at", "size",
                                                     "width", "first", "last",
                                                     "low", "high"},
                 [&](const char *Name) { return isMacro(Name, S.Context); });
}

bool headIsPlain(const Site &S) {
  return headOf(S.Function, S.Context).has_value();
}

/// Spells expressions of a turn as they are in the first turn or the last one.
class TurnText {
public:
  TurnText(const Site &S, bool Last) : S(S), Head(*found(S).Head), Last(Last) {}

  /// The value of the loop's variable in that turn, as an operand of its type.
  std::string variable() const {
    const Expr *E = Last ? Head.End : Head.Start;
    std::string Text;
    if (isWrittenNumber(E))
      Text = std::to_string(number(E));
    else if (Last && !Head.isInclusive())
      Text = "(" + operandOf(E) + " - 1)";
    else
      Text = operandOf(E);
    QualType T = Head.Variable->getType();
    bool HasType =
        isWrittenNumber(E)
            ? isInt(T, S.Context)
            : S.Context.hasSameUnqualifiedType(
                  T.getCanonicalType(),
                  E->IgnoreParenImpCasts()->getType().getCanonicalType());
    return HasType ? Text : cast(T) + Text;
  }

  /// \p E, whose value is a sum in that turn.
  std::string of(const Expr *E) const {
    E = E->IgnoreImpCasts();
    if (!moves(E))
      return kept(spelled(E, S.Context));
    if (const auto *P = dyn_cast<ParenExpr>(E)) {
      const Expr *Inner = P->getSubExpr()->IgnoreImpCasts();
      std::string Text = of(Inner);
      return isOperand(Text) ? Text : "(" + Text + ")";
    }
    if (const auto *C = dyn_cast<CStyleCastExpr>(E))
      return cast(C->getType()) + operand(C->getSubExpr());
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return UnaryOperator::getOpcodeStr(U->getOpcode()).str() +
             operand(U->getSubExpr());
    if (const auto *B = dyn_cast<BinaryOperator>(E))
      return of(*B);
    if (const auto *A = dyn_cast<ArraySubscriptExpr>(E))
      return operand(A->getBase()) + "[" + index(A->getIdx()) + "]";
    if (const auto *M = dyn_cast<MemberExpr>(E))
      return operand(M->getBase()) + (M->isArrow() ? "->" : ".") +
             kept(M->getMemberNameInfo().getAsString());
    const VarDecl *V = namedVariable(E);
    if (V && V == Head.Variable)
      return variable();
    return V && meaning(V) ? operand(meaning(V)) : kept("");
  }

  /// Something had no text of its own, so that nothing that was spelled counts.
  bool isLost() const { return Lost; }

private:
  const Site &S;
  const CountedLoop &Head;
  const bool Last;
  mutable bool Lost = false;

  std::string kept(std::string Text) const {
    Lost |= Text.empty();
    return Text;
  }
  std::string operandOf(const Expr *E) const {
    Lost |= !text(E->getSourceRange(), S.Context);
    return spelledOperand(E, S.Context);
  }
  std::string cast(QualType T) const {
    std::optional<std::string> Name = typeName(T, S);
    Lost |= !Name;
    return "(" + Name.value_or("") + ")";
  }

  const Expr *meaning(const VarDecl *V) const {
    return meaningInTurn(V, loopOf(S), S.Function, S.Context);
  }

  /// \p E is another value in each turn.
  bool moves(const Expr *E) const {
    return mentionsAny(
        E, [&](const VarDecl *V) { return V == Head.Variable || meaning(V); });
  }

  /// One word, or a thing in parentheses.
  static bool isOperand(StringRef Text) {
    bool Word = all_of(Text, [](char C) { return isInWord(C) || C == '.'; });
    bool Parens = Text.starts_with("(") && Text.ends_with(")") &&
                  Text.find(')') == Text.size() - 1;
    return Word || Parens;
  }

  /// \p Text without parentheses that are around all of it.
  static StringRef bare(StringRef Text) {
    bool Around = Text.starts_with("(") && Text.find(')') == Text.size() - 1;
    return Around ? Text.drop_front().drop_back() : Text;
  }

  /// A number that is all of an index means the same in each type.
  std::string index(const Expr *E) const {
    const Expr *Value = Last ? Head.End : Head.Start;
    bool Written = namedVariable(E) == Head.Variable &&
                   isWrittenNumber(Value) && number(Value) >= 0;
    return Written ? std::to_string(number(Value)) : bare(of(E)).str();
  }

  /// The variable's value, where \p Value is a number.
  int64_t number(const Expr *Value) const {
    return *constant(Value, S.Context) - (Last && !Head.isInclusive());
  }

  std::string operand(const Expr *E) const {
    std::string Text = of(E);
    E = E->IgnoreImpCasts();
    bool Binds = isa<ArraySubscriptExpr, MemberExpr, ParenExpr>(E) ||
                 isOperand(Text) || (!moves(E) && isa<CallExpr>(E));
    return Binds ? Text : "(" + Text + ")";
  }

  /// A sum or a product, without what adds nothing to it.
  std::string of(const BinaryOperator &B) const {
    const Expr *L = B.getLHS()->IgnoreImpCasts(),
               *R = B.getRHS()->IgnoreImpCasts();
    std::string Left = of(L), Right = of(R);
    auto hasType = [&](const Expr *E) {
      return S.Context.hasSameUnqualifiedType(E->getType(), B.getType());
    };
    bool IsZero = B.getOpcode() == BO_Mul
                      ? Left == "0" || Right == "0"
                      : B.getOpcode() == BO_Sub &&
                            isInt(B.getType(), S.Context) && Left == Right;
    if (IsZero && hasType(L) && hasType(R))
      return "0";
    if (B.getOpcode() == BO_Add && Left == "0" && hasType(R))
      return Right;
    if (B.isAdditiveOp() && Right == "0" && hasType(L))
      return Left;
    bool Factor = B.getOpcode() == BO_Mul, Minus = B.getOpcode() == BO_Sub;
    return (Factor ? factor(L, Left) : Left) + " " + B.getOpcodeStr().str() +
           " " + (Factor || Minus ? factor(R, Right) : Right);
  }

  /// \p Text of \p E as an operand of a product.
  std::string factor(const Expr *E, const std::string &Text) const {
    const auto *B = dyn_cast<BinaryOperator>(E);
    bool Sum = (B && B->isAdditiveOp()) || (!isOperand(Text) && meaningOf(E));
    return Sum && !isOperand(Text) ? "(" + Text + ")" : Text;
  }
  bool meaningOf(const Expr *E) const {
    const VarDecl *V = namedVariable(E);
    return V && meaning(V);
  }
};

/// Writes one loop.
class Writer {
public:
  explicit Writer(const Site &S)
      : S(S), Found(found(S)),
        Indent(indentation(loopOf(S).getBeginLoc(), S.Context)),
        Step(StringRef(Indent).ends_with("\t") ? "\t" : "  ") {
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
                          : noted(TurnText(S, false),
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
    return "&" + noted(TurnText(S, Last), [&](auto &T) { return T.of(Place); });
  }

  /// The size of what \p Place names; of a structure, by its place.
  std::string size(const Expr *Place) const {
    std::optional<std::string> Type = typeName(Place->getType(), S);
    return "sizeof(" + (Type ? *Type : turn(Place, false).substr(1)) + ")";
  }

  std::string original() const {
    SourceRange Whole = wholeStatement(&loopOf(S), S.Context);
    return text(Whole, S.Context)->str();
  }

  std::string promoted() const {
    Edit Whole =
        replacement(wholeStatement(&loopOf(S), S.Context), "", S.Context);
    std::map<unsigned, std::pair<unsigned, std::string>> Names;
    for (size_t I = 0; I < Kept.size(); ++I)
      for (const Expr *Name : Found.Elements[I].Names) {
        Edit At = replacement(Name->getSourceRange(), "", S.Context);
        Names[At.Offset] = {At.Length, Kept[I]};
      }
    std::string Text = original();
    for (const auto &[Offset, New] : reverse(Names))
      Text.replace(Offset - Whole.Offset, New.first, New.second);
    return Text;
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
      sitesOf<ForStmt, isLoop>,
      {{"the loop or a part of it comes from a macro, or a directive stands in "
        "it",
        isText, WriteItOut},
       {"a macro in the loop is no number, or it or a type may be another one "
        "with other build options",
        isAlike, "write out what it stands for, and define types once"},
       {"the loop declares something that is no variable",
        declaresVariablesOnly, "declare it in front of the loop"},
       {"a line of the loop goes on behind a backslash", linesAreWhole,
        "write it as one line"},
       {"before the loop stands what may be about it", startsAStatement,
        "put the loop into a block of its own"},
       {"the loop does not count up by one, in its variable's type, between "
        "two "
        "values that stay the same",
        counts, "write `for (int i = start; i < end; ++i)`"},
       {"a turn of the loop, or the loop, may end early, or a label stands in "
        "it",
        runsAllTurns},
       {"the loop waits for other work-items, accesses volatile memory, has "
        "other effects, or calls what can't be looked into",
        isAlone},
       {"the address of the element is taken in the loop", hasValuesOnly,
        "use the element itself"},
       {"the loop accesses what may be the element's memory, at an address "
        "that "
        "is no sum of what stays the same and of a multiple of the loop's "
        "variable",
        othersAreAffine,
        "declare the pointers restrict where the host passes buffers that do "
        "not overlap"},
       {"the loop accesses what may be the element's memory in some of its "
        "turns "
        "alone",
        othersAreAlways,
        "declare the pointers restrict where the host passes buffers that do "
        "not overlap"},
       {"an address or a bound can't be written in front of the loop: a part "
        "of "
        "it is no text of its own, a name means something else there, or it is "
        "too long",
        canBeAsked, "put it into a variable before the loop"},
       {"a directive other than #if stands in the function's head, or its "
        "braces do not pair",
        headIsPlain, MoveDirective},
       {"the program gives another meaning to size_t, uintptr_t, bool or the "
        "name of a parameter that is written",
        namesAreOwn, RenameOwn}},
      alternatives,
      /*Phase=*/0,
      /*AmdOnly=*/false,
      /*Separable=*/false,
      /*IsSite=*/hasElement,
      /*Hints=*/{},
      /*MayShelter=*/false,
      /*ChecksTypes=*/true};
  return R;
}

} // namespace clrewrite::rewrite
