// vectorise-stores: what a loop stores element by element is kept, and stored
// as vectors after the loop.
//
//   for (int i = 0; i < 8; i++) {
//     ...
//     for (int j = 0; j < 8; j++)
//       out[(by + j) * pitch + bx + i] = c[j];
//   }
// writes to eight rows in each iteration, and comes back to the same 32 bytes
// of a row eight times. With `kept[j][i] = c[j]` in the loop, each row is one
// store after it, plain where the address says that it is aligned, else
// vstore8.
//
// Rows that are less than eight elements apart overlap, and then the order of
// the stores matters. So the distance is tested, and the other way stores the
// elements as the loop did. StoreRun.h finds the loop, Effects.h says
// whether anything in it could tell.
#include "StoreRun.h"
#include "rewrite/Rewrite.h"
#include "rewrite/affine/CountedLoop.h"
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/affine/IntegerRange.h"
#include "rewrite/ast/Effects.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/ast/WholeAccess.h"
#include "rewrite/text/FreshLocal.h"
#include "rewrite/text/Head.h"
#include "rewrite/text/LoopText.h"
#include "rewrite/text/Text.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::vectorise_stores {
namespace {

bool storesRun(const ForStmt &Node, ASTContext &Context) {
  const FunctionDecl *Function =
      enclosingFunction(DynTypedNode::create(Node), Context);
  // A store after the loop needs a block to stand in.
  return Function && blockOf(Node, Context) &&
         storeRun(Node, *Function, Context);
}

StoreRun storeOf(const Site &S) {
  return *storeRun(loopOf(S), S.Function, S.Context);
}

/// Where the line starts on which the loop does, or a pragma or an attribute
/// before it. None where something else stands there, or where a directive
/// parts them: an attribute in an #if is not the place for what all builds
/// need.
std::optional<unsigned> lineOf(const Site &S) {
  const SourceManager &SM = S.Context.getSourceManager();
  StringRef Text = fileText(S.Context);
  const unsigned Loop = SM.getFileOffset(loopOf(S).getBeginLoc());
  unsigned At = Loop;
  const AttributedStmt *A = attributed(loopOf(S), S.Context);
  for (const Attr *Each : A ? A->getAttrs() : ArrayRef<const Attr *>()) {
    if (!SM.isInMainFile(Each->getLocation()) ||
        Each->getLocation().isMacroID())
      return std::nullopt;
    At = std::min(At, SM.getFileOffset(Each->getLocation()));
  }
  unsigned Line = unsigned(Text.rfind('\n', At) + 1);
  StringRef Before = Text.slice(Line, At).trim();
  bool Known = A ? Before.starts_with("#") || Before.starts_with("__attribute")
                 : Before.empty();
  return Known && holdsPragmasOnly(Text.slice(Line, Loop)) ? std::optional(Line)
                                                           : std::nullopt;
}

bool isText(const Site &S) {
  const StoreRun &G = S.once<storeOf>();
  return wholeStatement(&loopOf(S), S.Context).isValid() && lineOf(S) &&
         holdsPragmasOnly(
             text(loopOf(S).getSourceRange(), S.Context).value_or("#")) &&
         G.Column.IsText &&
         hasStableType(*cast<VarDecl>(G.Pointer->getDecl()), S.Context) &&
         !hasDevicesWidth(G.Place->getType()) &&
         operatorsAreStable(G.Place->getIdx(), S.Context) &&
         isPlainText(headOf(*G.Columns), S) &&
         (!G.Rows || (G.Row.IsText && isPlainText(headOf(*G.Rows), S))) &&
         isPlainText(G.Place->getSourceRange(), S) &&
         isCopyable(G.Place->getIdx()->getSourceRange(), S.Context) &&
         all_of(
             namesOf(G.Column.Variable, G.Place->getIdx()),
             [](const DeclRefExpr *I) { return I->getLocation().isFileID(); });
}

bool runsOnceATurn(const Site &S) {
  const StoreRun &G = S.once<storeOf>();
  return G.RunsAlways || S.brokenBy(G.Place);
}

bool isNotLeft(const Site &S) {
  const StoreRun &G = S.once<storeOf>();
  return S.unlessBroken(mayEndTurn(loopOf(S).getBody())) &&
         (!G.Rows || S.unlessBroken(mayEndTurn(G.Rows->getBody())));
}

bool isSum(const Site &S) {
  const StoreRun &G = S.once<storeOf>();
  return G.IsSum || S.brokenBy(G.Place->getIdx());
}

/// The test that tells that the rows do not overlap; empty where that is sure.
/// None where neither is known.
std::optional<std::string> rowTest(const StoreRun &G,
                                   const ASTContext &Context) {
  if (!G.Rows || G.Row.Trips == 1)
    return "";
  if (!G.Step)
    return std::nullopt;
  int64_t Factor = std::abs(G.Step->Factor), Lanes = G.Column.Trips;
  // In the index, `j * a + b` may stand where a macro is `a + b`.
  if (G.Step->Leaf && !macrosAreStable(G.Step->Leaf, Context))
    return std::nullopt;
  if (!G.Step->Leaf)
    return Factor >= Lanes ? std::optional<std::string>("") : std::nullopt;
  std::string Least = std::to_string((Lanes + Factor - 1) / Factor);
  std::string Step = spelledOperand(G.Step->Leaf, Context);
  IntType T = *intType(G.Step->Leaf->IgnoreImpCasts()->getType(), Context);
  // The rows may be up to 2^4 * 2^24 * Leaf apart. What is wider than 32 bits
  // could get around 2^64 and back to the first.
  if (T.Bits > 32)
    return Step + " >= " + Least + " && " + Step + " <= 0xffffffff";
  return Step + " >= " + Least +
         (T.Signed ? " || " + Step + " <= -" + Least : "");
}

bool rowsAreApart(const Site &S) {
  const StoreRun &G = S.once<storeOf>();
  return rowTest(G, S.Context) || S.brokenBy(G.Place->getIdx());
}

Effects effectsOf(const Site &S) {
  return EffectsOf(S.Function).of(&loopOf(S));
}

/// The one write to memory that other work-items may see; null where there are
/// others.
const Access *onlyWrite(const Site &S) {
  const Access *Out = nullptr;
  for (const Access &A : S.once<effectsOf>().Accesses) {
    if (!A.Write || isPrivateSpace(A.Where.Space) || A.Where.isOwn())
      continue;
    if (A.By != S.once<storeOf>().Store)
      return nullptr;
    Out = &A;
  }
  return Out;
}

/// Nobody else is waited for, or told anything.
bool isAlone(const Site &S) {
  return !S.once<effectsOf>().More && onlyWrite(S);
}

bool readsNothingStored(const Site &S) {
  EffectsOf Asked(S.Function);
  return all_of(S.once<effectsOf>().Accesses, [&](const Access &A) {
    return A.Write || !Asked.mayMeet(A.Where, onlyWrite(S)->Where) ||
           S.unlessBroken(A.By);
  });
}

/// Writes one loop.
class Writer {
public:
  explicit Writer(const Site &S)
      : S(S), G(S.once<storeOf>()), A(rowOf(G, S.Context)),
        Whole(S.Function, S.Context),
        Function(Whole.name(A, WholeAccess::Form::Tested)),
        Kept(freshLocal("kept", S)),
        Indent(indentation(loopOf(S).getBeginLoc(), S.Context)),
        Step(indentUnit(loopOf(S), S.Context)) {}

  bool meansOpenCL() const {
    return namesAreOpenCL(A, S.Context) &&
           meansBuiltin("vload" + lanes(), S.Context);
  }

  Alternative all() const {
    // By the program's own name for the type.
    std::string Array = spelledType(G.Place->getType(), S.Context) + " " +
                        Kept + (G.Rows ? size(G.Row) : "") + size(G.Column) +
                        ";\n";
    Alternative Out;
    Out.Label = "tested";
    Out.Changes = {
        definitionsBefore(
            S.Function,
            {{Function, Whole.function(A, WholeAccess::Form::Tested)}},
            S.Context),
        Edit{*lineOf(S), 0, Indent + Array},
        replacement(G.Place->getSourceRange(), keptElement(), S.Context),
        Edit{endOfLine(), 0, behind()}};
    return Out;
  }

private:
  const Site &S;
  const StoreRun &G;
  VectorAccess A; ///< the store of a row
  WholeAccess Whole;
  std::string Function, Kept, Indent, Step; ///< the last: of one level

  static VectorAccess rowOf(const StoreRun &G, const ASTContext &Context) {
    QualType Element = G.Place->getType().getCanonicalType();
    VectorAccess A;
    A.Store = true;
    A.Lanes = unsigned(G.Column.Trips);
    A.Vector = Context.getExtVectorType(Element.getUnqualifiedType(), A.Lanes);
    A.Pointer = G.Pointer;
    return A;
  }

  std::string lanes() const { return std::to_string(A.Lanes); }

  static std::string size(const TripCount &C) {
    return "[" + std::to_string(C.Trips) + "]";
  }

  static std::string index(const TripCount &C) {
    return "[" + C.Variable->getNameAsString() +
           (C.First ? " - " + std::to_string(C.First) : "") + "]";
  }

  std::string keptRow() const { return Kept + (G.Rows ? index(G.Row) : ""); }
  std::string keptElement() const { return keptRow() + index(G.Column); }

  std::string head(const ForStmt &Loop) const {
    return text(headOf(Loop), S.Context)->str();
  }

  /// The index in the first iteration over the columns.
  std::string firstIndex() const {
    const Expr *E = G.Place->getIdx()->IgnoreImpCasts();
    const VarDecl *I = G.Column.Variable;
    // `rest + i`: the rest is of the same type, and i is 0.
    if (const auto *B = dyn_cast<BinaryOperator>(E);
        B && B->getOpcode() == BO_Add && G.Column.First == 0 &&
        isName(B->getRHS()->IgnoreParenCasts(), I) &&
        S.Context.hasSameUnqualifiedType(
            B->getType(), B->getLHS()->IgnoreImpCasts()->getType()) &&
        commentsIn(E->getSourceRange(), {B->getLHS()->getSourceRange()}, "",
                   S.Context)
            .empty())
      return spelled(B->getLHS(), S.Context);
    return spelledWith(E, I, firstValue(), S.Context);
  }

  /// The value of the variable in the first iteration, with its type.
  std::string firstValue() const {
    std::string Number = std::to_string(G.Column.First);
    QualType T = G.Column.Variable->getType();
    bool BecomesInt = S.Context.getTypeSize(T) < 32 || isInt(T, S.Context);
    return BecomesInt ? Number : "(" + spelledType(T, S.Context) + ")" + Number;
  }

  /// The store of a whole row, which stands \p Indented.
  std::string wholeStore(StringRef Indented) const {
    std::string First = firstIndex(), Pointer = spelled(G.Pointer, S.Context);
    std::string At = First == "0" ? Pointer : "&" + Pointer + "[" + First + "]";
    std::string Start =
        Function + "(vload" + lanes() + "(0, " + keptRow() + "), 0,";
    bool Fits = Indented.size() + Start.size() + At.size() + 3 <= 80;
    std::string Break =
        Fits ? " "
             : "\n" + std::string(Indented.size() + Function.size() + 1, ' ');
    return Start + Break + At + ");";
  }

  std::string behind() const {
    std::string In = "\n" + Indent;
    std::string Comments =
        commentsIn(G.Place->getSourceRange(),
                   {G.Place->getIdx()->getSourceRange()}, Indent, S.Context);
    if (!G.Rows)
      return In + Comments + wholeStore(Indent);
    std::string Test = *rowTest(G, S.Context);
    std::string Deep = Test.empty() ? In : In + Step;
    std::string Vectors =
        head(*G.Rows) + Deep + Step + wholeStore(Deep.substr(1) + Step);
    if (Test.empty())
      return In + Comments + Vectors;
    return In + Comments + "if (" + Test + ")" + Deep + Vectors + In + "else" +
           Deep + head(*G.Columns) + Deep + Step + head(*G.Rows) + Deep + Step +
           Step + spelled(G.Place, S.Context) + " = " + keptElement() + ";";
  }

  /// The end of the loop, or of its last line where only a comment follows
  /// there.
  unsigned endOfLine() const {
    unsigned End =
        replacement(wholeStatement(&loopOf(S), S.Context), "", S.Context).end();
    StringRef Rest =
        fileText(S.Context).drop_front(End).split('\n').first.rtrim();
    bool Comment = Rest.ltrim().starts_with("//") && !Rest.ends_with("\\");
    return End + (Comment ? unsigned(Rest.size()) : 0);
  }
};

bool namesAreOwn(const Site &S) { return Writer(S).meansOpenCL(); }

std::vector<Alternative> alternatives(const Site &S) {
  return {Writer(S).all()};
}

} // namespace

const Rewrite &rewriteVectoriseStores() {
  static const Rewrite R{
      "vectorise-stores",
      "store a loop's elements as vectors behind it",
      Safety::Exact,
      sitesOf<ForStmt, storesRun>,
      {{"the loop's head, the store's place, its type or the number of turns "
        "comes from a macro, or a preprocessor directive other than #pragma "
        "stands there",
        isText, WriteItOut},
       {"the store is part of another statement or expression than the body of "
        "the loop, or of one loop of 16 turns or less in it",
        runsOnceATurn, "have each turn of the loop run it, as a statement"},
       {"the loop or a turn of it may end before all its stores", isNotLeft},
       LoopIsNotEntered,
       {"the index is no sum, in int or in 64 bits, of the loop's variable and "
        "of what stays the same in it",
        isSum},
       {"the elements that one turn stores are less than a row apart, or no "
        "single number or value says how far",
        rowsAreApart},
       {"the loop has other effects that can be seen outside, accesses "
        "volatile memory, or calls what can't be looked into",
        isAlone},
       {"the loop reads what its stores may change: neither pointer is "
        "restrict",
        readsNothingStored,
        "declare the pointers restrict where the host passes buffers that do "
        "not overlap"},
       {"the program gives another meaning to size_t, uintptr_t, vloadN, "
        "vstoreN or a type",
        namesAreOwn, RenameOwn},
       HeadIsPlain},
      alternatives};
  return R;
}

} // namespace clrewrite::rewrite::vectorise_stores
