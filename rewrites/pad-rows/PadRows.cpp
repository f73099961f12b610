// pad-rows: rows of a local array get an element more, so that those of a
// column lie in different banks.
//
//   local float tile[32][32];     local float tile[32][32 + 1];
//   ... = tile[x][y];             ... = tile[x][y];
//
// LDS has 32 banks of one word, and a bank gives one lane its word at a time.
// The words of a column are a row apart: with 32 words a row they are all in
// one bank, and 32 lanes wait for each other; with 33 each is in another one.
//
// Nothing else sees how long a row is, as long as each access names its row and
// an element of that row. That an index stays in its row follows from the size
// of the work-group, a loop or a guard (ValueRanges), or else is assumed.
#include "launch/LocalMemory.h"
#include "rewrite/Rewrite.h"
#include "rewrite/affine/ValueRanges.h"
#include "rewrite/ast/Builtins.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::pad_rows {
namespace {

using launch::LdsBanks;
using launch::WordBytes;

/// How many times as many serialised accesses a column takes, at least, as one
/// of padded rows.
constexpr unsigned LeastGain = 2;

/// The shape of an array of arrays: the rows are the innermost arrays.
struct Shape {
  int64_t Rows = 1, Elements = 0, ElementBytes = 0;

  /// As many elements more as make a whole word.
  int64_t more() const {
    return std::max<int64_t>(1, WordBytes / ElementBytes);
  }
  /// How many accesses, one after the other, it takes for 32 lanes to reach an
  /// element of a row each, where rows have \p Length elements.
  unsigned serialised(int64_t Length) const {
    SmallVector<int64_t, LdsBanks> At;
    for (int64_t Lane = 0; Lane < std::min(Rows, LdsBanks); ++Lane)
      At.push_back(Lane * Length * ElementBytes);
    return launch::busiestBank(At, ElementBytes);
  }
};

std::optional<Shape> shapeOf(const VarDecl &V, const ASTContext &Context) {
  Shape Out;
  QualType T = V.getType();
  while (const ConstantArrayType *A = Context.getAsConstantArrayType(T)) {
    Out.Rows *= std::max<int64_t>(1, Out.Elements);
    Out.Elements = int64_t(A->getSize().getLimitedValue(INT32_MAX));
    T = A->getElementType();
  }
  bool IsPlain = T->isScalarType() || T->isExtVectorType();
  if (!IsPlain || Out.Rows == 1 || Out.Rows > INT32_MAX || Out.Elements == 0)
    return std::nullopt;
  Out.ElementBytes = Context.getTypeSizeInChars(T).getQuantity();
  return Out;
}

bool hasCrowdedColumns(const VarDecl &V, const ASTContext &Context) {
  if (V.getType().getAddressSpace() != LangAS::opencl_local)
    return false;
  std::optional<Shape> Is = shapeOf(V, Context);
  return Is && Is->serialised(Is->Elements) >=
                   LeastGain * Is->serialised(Is->Elements + Is->more());
}

std::vector<const VarDecl *> arraysIn(const DeclStmt &D,
                                      const ASTContext &Context) {
  std::vector<const VarDecl *> Out;
  for (const Decl *Each : D.decls())
    if (const auto *V = dyn_cast<VarDecl>(Each);
        V && hasCrowdedColumns(*V, Context))
      Out.push_back(V);
  return Out;
}

bool declaresCrowdedColumns(const DeclStmt &D, ASTContext &Context) {
  return !arraysIn(D, Context).empty();
}

const DeclStmt &declarationOf(const Site &S) { return *S.get<DeclStmt>(); }

/// The brackets that hold how many elements a row has; invalid where a typedef
/// has them.
ArrayTypeLoc rowOf(const VarDecl &V) {
  TypeLoc T = V.getTypeSourceInfo()->getTypeLoc();
  ArrayTypeLoc Last;
  while (true) {
    T = T.getUnqualifiedLoc();
    if (auto Paren = T.getAs<ParenTypeLoc>()) {
      T = Paren.getInnerLoc();
    } else if (auto Array = T.getAs<ArrayTypeLoc>()) {
      Last = Array;
      T = Array.getElementLoc();
    } else {
      bool HidesMore = T.getType()->isArrayType();
      return HidesMore ? ArrayTypeLoc() : Last;
    }
  }
}

/// Beside the bound stands what is empty in this build.
bool holdsMore(ArrayTypeLoc Row, const ASTContext &Context) {
  StringRef All = text(Row.getBracketsRange(), Context).value_or("");
  StringRef Size =
      text(Row.getSizeExpr()->getSourceRange(), Context).value_or("");
  if (Size.empty() || Size.data() < All.data())
    return true;
  StringRef Before = All.take_front(size_t(Size.data() - All.data())),
            Behind = All.drop_front(Before.size() + Size.size());
  auto isBlank = [](StringRef Text) {
    return Text.contains("/*") || Text.contains("//") || wordsIn(Text).empty();
  };
  return !isBlank(Before) || !isBlank(Behind);
}

bool rowsAreText(const Site &S) {
  for (const VarDecl *V : arraysIn(declarationOf(S), S.Context)) {
    ArrayTypeLoc Row = rowOf(*V);
    if (Row.isNull() || !Row.getSizeExpr())
      return S.brokenBy({V->getLocation(), V->getLocation()});
    SourceRange Brackets = Row.getBracketsRange();
    if (!Brackets.getBegin().isFileID() || !Brackets.getEnd().isFileID() ||
        !isCopyable(Brackets, S.Context) || holdsMore(Row, S.Context))
      return S.brokenBy(Brackets);
  }
  return true;
}

/// An element of the array where it is used.
struct Element {
  const Expr *Whole = nullptr;    ///< `tile[y][x]`
  std::vector<const Expr *> Rows; ///< `y`, outermost first
  const Expr *InRow = nullptr;    ///< `x`
};

/// An array of the declaration, and how it is used.
struct Array {
  const VarDecl *Declared = nullptr;
  const Expr *Other = nullptr; ///< the first use but by an element
  /// The elements whose index in the row nothing keeps there.
  std::vector<Element> Strays;
};

/// The subscripts behind \p Name, down to an element; an element without Whole
/// where there are fewer.
Element elementAt(const DeclRefExpr *Name, ASTContext &Context) {
  Element Out;
  const Expr *At = Name;
  std::vector<const Expr *> Indices;
  while (At->getType()->isArrayType()) {
    const Expr *Up = outerExpr(At, Context);
    const auto *Decay = dyn_cast_or_null<ImplicitCastExpr>(Up);
    if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay)
      return {};
    At = Decay;
    const auto *Sub =
        dyn_cast_or_null<ArraySubscriptExpr>(outerExpr(At, Context));
    if (!Sub || Sub->getBase() != At)
      return {};
    Indices.push_back(Sub->getIdx());
    At = Sub;
  }
  Out.InRow = Indices.back();
  Indices.pop_back();
  Out.Rows = std::move(Indices);
  Out.Whole = At;
  return Out;
}

/// The address \p E of an element of \p Size bits is the operand of an atomic
/// function that accesses no more.
bool isOfAtomic(const Expr *E, uint64_t Size, ASTContext &Context) {
  const Expr *At = E, *Up;
  while ((Up = outerExpr(At, Context)) && isa<CastExpr>(Up)) {
    QualType To = Up->getType();
    if (!To->isPointerType() || To->getPointeeType()->isIncompleteType() ||
        Context.getTypeSize(To->getPointeeType()) != Size)
      return false;
    At = Up;
  }
  const auto *Call = dyn_cast_or_null<CallExpr>(Up);
  return Call && isBuiltinCall(Call) && calleeName(Call).starts_with("atom") &&
         Call->getNumArgs() > 0 && Call->getArg(0) == At;
}

/// The element \p E is read, written or changed there, or some lanes of it, and
/// nothing else is reached.
bool staysInElement(const Expr *E, ASTContext &Context) {
  const Expr *At = E, *Up = outerExpr(At, Context);
  while (Up && At->getType()->isVectorType() &&
         isa<ExtVectorElementExpr, ArraySubscriptExpr>(Up)) {
    At = Up;
    Up = outerExpr(At, Context);
  }
  if (const auto *Cast = dyn_cast_or_null<ImplicitCastExpr>(Up))
    return Cast->getCastKind() == CK_LValueToRValue;
  // In C++ the element itself is what an assignment gives.
  if (const auto *B = dyn_cast_or_null<BinaryOperator>(Up))
    return B->isAssignmentOp() && B->getLHS() == At && B->isPRValue();
  const auto *U = dyn_cast_or_null<UnaryOperator>(Up);
  if (U && U->getOpcode() == UO_AddrOf)
    return At->IgnoreParens() == E &&
           isOfAtomic(U, Context.getTypeSize(E->getType()), Context);
  return At->isPRValue() ||
         (U && U->isIncrementDecrementOp() && U->isPRValue()) ||
         isa_and_nonnull<UnaryExprOrTypeTraitExpr>(Up);
}

/// \p Name with the subscripts behind it, and with the & before it.
const Expr *useOf(const DeclRefExpr *Name, ASTContext &Context) {
  const Expr *At = Name;
  while (const Expr *Up = outerExpr(At, Context)) {
    const auto *U = dyn_cast<UnaryOperator>(Up);
    if (!isa<ImplicitCastExpr, ArraySubscriptExpr>(Up) &&
        !(U && U->getOpcode() == UO_AddrOf))
      break;
    At = Up;
  }
  return At;
}

Array arrayOf(const VarDecl &V, const Site &S, ValueRanges &Values) {
  Array Out;
  Out.Declared = &V;
  Range Row{0, shapeOf(V, S.Context)->Elements - 1};
  for (const DeclRefExpr *Name : namesOf(&V, S.Function.getBody())) {
    Element Is = elementAt(Name, S.Context);
    if (!Is.Whole || !staysInElement(Is.Whole, S.Context)) {
      if (!Out.Other)
        Out.Other = useOf(Name, S.Context);
    } else if (!Values.of(Is.InRow).within(Row)) {
      Out.Strays.push_back(std::move(Is));
    }
  }
  return Out;
}

std::vector<Array> arraysOf(const Site &S) {
  ValueRanges Values(S.Function, S.Context);
  std::vector<Array> Out;
  for (const VarDecl *V : arraysIn(declarationOf(S), S.Context))
    Out.push_back(arrayOf(*V, S, Values));
  return Out;
}
const std::vector<Array> &arrays(const Site &S) { return S.once<arraysOf>(); }

bool usesAreElements(const Site &S) {
  return all_of(arrays(S),
                [&](const Array &A) { return S.unlessBroken(A.Other); });
}

bool everyNameIsSeen(const Site &S) {
  return all_of(arrays(S), [&](const Array &A) {
    return S.unlessBroken(unseenName(A.Declared));
  });
}

/// Gathers where macros are named that are values or types in this build.
class PlainMacros : public DynamicRecursiveASTVisitor {
public:
  explicit PlainMacros(const SourceManager &SM) : SM(SM) {}

  bool VisitExpr(Expr *E) override {
    const auto *B = dyn_cast<BinaryOperator>(E);
    bool IsValue =
        isa<IntegerLiteral, FloatingLiteral, ParenExpr, ImplicitCastExpr,
            ConstantExpr>(E) ||
        (B && (B->isAdditiveOp() || B->isMultiplicativeOp() || B->isShiftOp()));
    note(E->getExprLoc(), IsValue);
    return true;
  }
  bool VisitStmt(Stmt *S) override {
    if (!isa<Expr>(S))
      note(S->getBeginLoc(), false);
    return true;
  }
  bool VisitAttr(Attr *A) override {
    note(A->getLocation(), false);
    return true;
  }
  bool VisitTypeLoc(TypeLoc T) override {
    note(T.getBeginLoc(), true);
    return true;
  }
  bool isPlain(unsigned Offset) const {
    auto Found = Seen.find(Offset);
    return Found != Seen.end() && Found->second;
  }

private:
  const SourceManager &SM;
  std::map<unsigned, bool> Seen;
  void note(SourceLocation At, bool Plain) {
    if (At.isMacroID())
      Seen.try_emplace(SM.getFileOffset(SM.getExpansionLoc(At)), true)
          .first->second &= Plain;
  }
};

/// Each definition of the macro \p Name in the files is a number, or one name
/// of a type that C has. What the command line defines is not looked at.
bool hasPlainBodies(StringRef Name, MacroStability &Macros) {
  std::optional<std::vector<std::string>> Bodies = Macros.bodiesOf(Name);
  return !Bodies || all_of(*Bodies, [](StringRef Body) {
    Body = Body.trim();
    bool IsType =
        is_contained({"char", "short", "int", "long", "float", "double", "half",
                      "uchar", "ushort", "uint", "ulong", "size_t"},
                     Body.rtrim("0123456789"));
    return IsType || all_of(wordsIn(Body), [](StringRef Word) {
             return isDigit(Word.front());
           });
  });
}

/// What of the function may be other code in another build: a directive, or an
/// unstable macro that is no value or type. Invalid where nothing is.
SourceRange variationOf(const Site &S) {
  SourceRange Whole = S.Function.getSourceRange();
  if (SourceRange Found = variationIn(Whole, S.Context); Found.isValid())
    return Found;
  const SourceManager &SM = S.Context.getSourceManager();
  PlainMacros Plain(SM);
  Plain.TraverseDecl(const_cast<FunctionDecl *>(&S.Function));
  MacroStability &Macros = MacroStability::of(S.Context);
  for (StringRef Word : Macros.unstableIn(text(Whole, S.Context).value_or("")))
    if (SourceLocation At = locationOf(Word, S.Context);
        !Plain.isPlain(SM.getFileOffset(At)) || !hasPlainBodies(Word, Macros))
      return At;
  return {};
}

/// Code that walks the array as one long row usually starts from a row with a
/// constant index.
bool staysInNamedRows(const Site &S) {
  auto isNumber = [&](const Expr *E) {
    return constant(E, S.Context).has_value();
  };
  for (const Array &A : arrays(S))
    for (const Element &Each : A.Strays)
      if (isNumber(Each.InRow) || all_of(Each.Rows, isNumber))
        return S.brokenBy(Each.Whole);
  return true;
}

/// `32 + 1` for the \p Row that has 32 elements. Where the text has a name, it
/// may stand for anything in another build, unless it is a stable macro's.
std::string longer(ArrayTypeLoc Row, int64_t More, const ASTContext &Context) {
  const Expr *Size = Row.getSizeExpr()->IgnoreImpCasts();
  std::string Text = spelled(Size, Context);
  const auto *B = dyn_cast<BinaryOperator>(Size);
  const auto *Paren = dyn_cast<ParenExpr>(Size);
  bool InBrackets =
      Paren && Paren->getLParen().isFileID() && Paren->getRParen().isFileID();
  MacroStability &Macros = MacroStability::of(Context);
  bool MayDiffer = any_of(wordsIn(Text), [&](StringRef Word) {
    return !isDigit(Word.front()) &&
           !(isMacro(Word, Context) && Macros.isStable(Word));
  });
  bool BindsLoosely = (B && !B->isAdditiveOp() && !B->isMultiplicativeOp()) ||
                      bindsAsChoice(Size) || MayDiffer;
  return (BindsLoosely && !InBrackets ? "(" + Text + ")" : Text) + " + " +
         std::to_string(More);
}

/// The edit of the bound of \p V, up to the end of the statement where only
/// that follows, so that a comment can stand behind it.
Edit lengthening(const VarDecl &V, const Site &S) {
  ArrayTypeLoc Row = rowOf(V);
  std::string New = longer(Row, shapeOf(V, S.Context)->more(), S.Context);
  SourceRange Size = Row.getSizeExpr()->getSourceRange(),
              Statement = wholeStatement(&declarationOf(S), S.Context);
  Edit Bound = replacement(Size, New, S.Context);
  if (Statement.isInvalid())
    return Bound;
  Edit Whole =
      replacement({Size.getBegin(), Statement.getEnd()}, New, S.Context);
  StringRef Rest = fileText(S.Context).slice(Bound.end(), Whole.end());
  if (Whole.Length == 0 || Rest.trim(" ") != "];")
    return Bound;
  Whole.Text += Rest;
  return Whole;
}

std::string note(ArrayRef<Array> Assumed, const Site &S) {
  std::vector<std::string> Parts;
  for (const Array &A : Assumed) {
    SourceRange Index = A.Strays.front().InRow->getSourceRange();
    std::string Such = isCopyable(Index, S.Context)
                           ? " (such as " + text(Index, S.Context)->str() + ")"
                           : "";
    Parts.push_back(
        "each last index of " + A.Declared->getNameAsString() + Such +
        " is from 0 to " +
        std::to_string(shapeOf(*A.Declared, S.Context)->Elements - 1));
  }
  if (!Parts.empty())
    return join(Parts, ", and ") +
           " (the attribute reqd_work_group_size may show it without a grant)";
  const SourceManager &SM = S.Context.getSourceManager();
  return "no index leaves its row in a build that has other code in line " +
         std::to_string(
             SM.getExpansionLineNumber(S.once<variationOf>().getBegin()));
}

Alternative padded(StringRef Label, ArrayRef<Array> All, const Site &S) {
  Alternative A;
  A.Label = Label.str();
  A.ForTime = true;
  A.Remark = "a column's elements lie in different banks";
  A.Explains = true;
  std::vector<Array> Assumed;
  for (const Array &Each : All) {
    A.Changes.push_back(lengthening(*Each.Declared, S));
    if (!Each.Strays.empty())
      Assumed.push_back(Each);
  }
  if (!Assumed.empty() || S.once<variationOf>().isValid()) {
    A.Class = Safety::Assumes;
    A.Note = note(Assumed, S);
  }
  return A;
}

/// The arrays whose indices are shown to stay in their rows, and all.
std::vector<Alternative> alternatives(const Site &S) {
  std::vector<Array> Shown;
  for (const Array &Each : arrays(S))
    if (Each.Strays.empty())
      Shown.push_back(Each);
  std::vector<Alternative> Out;
  if (!Shown.empty())
    Out.push_back(padded("padded", Shown, S));
  if (Shown.size() < arrays(S).size())
    Out.push_back(padded("assumed", arrays(S), S));
  return Out;
}

} // namespace

const Rewrite &rewritePadRows() {
  static const Rewrite R{
      "pad-rows",
      "pad the rows of a local array whose columns lie in few banks",
      Safety::Exact,
      sitesOf<DeclStmt, declaresCrowdedColumns>,
      {{"how long a row is comes from a macro's body or a typedef, or a "
        "directive stands there",
        rowsAreText, "write the array's bounds in its declaration"},
       {"the array is used other than by its elements", usesAreElements,
        "write the element there, by its indices"},
       {"the array's name, a macro that may stand for it, or an #include "
        "stands where this build does not see the array",
        everyNameIsSeen, "give the array a name of its own, outside of #if"},
       IsOnlyForHost,
       {"an index leads out of its row, or may do so in a row that is written "
        "as a number, as where an array is gone through as one row",
        staysInNamedRows,
        "require a work-group (reqd_work_group_size) that keeps the index in "
        "its row"}},
      alternatives,
      /*Phase=*/0,
      Separable | HoldsElsewhere};
  return R;
}

} // namespace clrewrite::rewrite::pad_rows
