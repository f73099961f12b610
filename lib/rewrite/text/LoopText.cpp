#include "rewrite/text/LoopText.h"
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/affine/IntegerRange.h"
#include "rewrite/affine/LoopPlaces.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/Lanes.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/text/CodeVariation.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

namespace {

bool isText(const Site &S) {
  SourceRange Whole = wholeStatement(&loopOf(S), S.Context);
  if (Whole.isInvalid())
    return S.brokenBy(loopOf(S).getBeginLoc());
  return isPlainText(Whole, S);
}

bool startsAStatement(const Site &S) {
  SourceRange Before =
      beforeStatement(&loopOf(S), *blockOf(loopOf(S), S.Context), S.Context);
  return S.unlessBroken(Before);
}

bool isAlike(const Site &S) {
  return S.unlessBroken(variationOf(&loopOf(S), loopOf(S).getSourceRange(),
                                    S.Function, S.Context));
}

/// No declaration there is of anything but variables of the work-item's own.
bool declaresVariablesOnly(const Site &S) {
  return S.unlessBroken(firstIn<DeclStmt>(&loopOf(S), [](const DeclStmt *D) {
    return !all_of(D->decls(), [](const Decl *Each) {
      const auto *V = dyn_cast<VarDecl>(Each);
      return V && !V->isStaticLocal();
    });
  }));
}

bool linesAreWhole(const Site &S) {
  StringRef Text = text(loopOf(S).getSourceRange(), S.Context).value_or("\\\n");
  return !(Text.contains("\\\n") || Text.contains("\\\r\n") ||
           Text.contains("R\"")) ||
         S.brokenBy(loopOf(S).getBeginLoc());
}

bool runsWholly(const Site &S) {
  return S.unlessBroken(mayEndTurn(loopOf(S).getBody())) && loopIsNotEntered(S);
}

/// One word, or a thing in parentheses.
bool isPrimary(StringRef Text) {
  bool Word = all_of(Text, [](char C) { return isInWord(C) || C == '.'; });
  bool Parens = Text.starts_with("(") && Text.ends_with(")") &&
                Text.find(')') == Text.size() - 1;
  return Word || Parens;
}

/// \p Text without parentheses that are around all of it.
StringRef bare(StringRef Text) {
  bool Around = Text.starts_with("(") && Text.find(')') == Text.size() - 1;
  return Around ? Text.drop_front().drop_back() : Text;
}

} // namespace

bool standsInBlock(const ForStmt &Loop, ASTContext &Context) {
  return blockOf(Loop, Context);
}

bool loopIsNotEntered(const Site &S) {
  return S.unlessBroken(mayBeEntered(loopOf(S).getBody()));
}

Condition runsAllTurns() {
  return {"a turn of the loop, or the loop, may end early, or a label stands "
          "in it",
          runsWholly};
}

std::vector<Condition> loopIsCopied(std::vector<Condition> More) {
  std::vector<Condition> Out{
      {"the loop or a part of it comes from a macro, or a directive stands in "
       "it",
       isText, WriteItOut},
      {"a macro in the loop is neither a number nor defined once in this file, "
       "outside of #if, or a type may be another one with other build options",
       isAlike,
       "write out what it stands for, and define types once, or say "
       "--only-these-builds where no other options are used"},
      {"the loop declares something that is no variable", declaresVariablesOnly,
       "declare it in front of the loop"},
      {"a line of the loop goes on behind a backslash", linesAreWhole,
       "write it as one line"},
      {"before the loop stands what may be about it", startsAStatement,
       "put the loop into a block of its own"}};
  append_range(Out, More);
  return Out;
}

bool mayStandTwice(const ForStmt &Loop, const Site &S) {
  const Site Here{{DynTypedNode::create(Loop)}, S.Context, S.Function};
  return standsInBlock(Loop, S.Context) && !mayBeEntered(Loop.getBody()) &&
         all_of(loopIsCopied({}),
                [&](const Condition &C) { return C.Holds(Here); });
}

bool declares(const DeclContext &Scope, StringRef Word, const NamedDecl *But) {
  return any_of(Scope.decls(), [&](const Decl *D) {
    auto is = [&](const Decl *Each) {
      const auto *N = dyn_cast<NamedDecl>(Each);
      return N && N != But && N->getIdentifier() && N->getName() == Word;
    };
    const auto *E = dyn_cast<EnumDecl>(D);
    return isa<UsingDirectiveDecl>(D) || is(D) ||
           (E && any_of(E->enumerators(), is));
  });
}

bool keepsMeaning(StringRef Word, const Site &S) {
  for (const DeclContext *Scope = &S.Function; !Scope->isTranslationUnit();
       Scope = Scope->getLexicalParent())
    if (declares(*Scope, Word))
      return false;
  return !isMacro(Word, S.Context);
}

std::optional<std::string> typeName(QualType T, const Site &S) {
  QualType Canonical = T.getCanonicalType().getUnqualifiedType();
  if (!isa<clang::BuiltinType>(laneOf(Canonical)))
    return std::nullopt;
  for (QualType Each : {T.getUnqualifiedType(), Canonical}) {
    std::string Text = spelledType(Each, S.Context);
    SmallVector<StringRef, 2> Words;
    SplitString(Text, Words);
    if (all_of(Words, [&](StringRef Word) { return keepsMeaning(Word, S); }))
      return Text;
  }
  return std::nullopt;
}

std::string TurnText::variable() const {
  if (Of == Turn::Any)
    return Head.Variable->getNameAsString();
  const bool Last = Of == Turn::Last;
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
  // A number that a macro stands for may have another type in another build.
  HasType =
      HasType &&
      MacroStability::of(S.Context).unstableIn(spelled(E, S.Context)).empty();
  return HasType ? Text : cast(T) + Text;
}

std::string TurnText::of(const Expr *E) const {
  E = E->IgnoreImpCasts();
  if (!moves(E))
    return kept(isMacro(spelled(E, S.Context), S.Context)
                    ? spelledOperand(E, S.Context)
                    : spelled(E, S.Context));
  if (const auto *P = dyn_cast<ParenExpr>(E)) {
    const Expr *Inner = P->getSubExpr()->IgnoreImpCasts();
    std::string Text = of(Inner);
    return isPrimary(Text) ? Text : "(" + Text + ")";
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

std::string TurnText::kept(std::string Text) const {
  Lost |= Text.empty();
  return Text;
}

std::string TurnText::operandOf(const Expr *E) const {
  Lost |= !text(E->getSourceRange(), S.Context);
  return spelledOperand(E, S.Context);
}

std::string TurnText::cast(QualType T) const {
  std::optional<std::string> Name = typeName(T, S);
  Lost |= !Name;
  return "(" + Name.value_or("") + ")";
}

const Expr *TurnText::meaning(const VarDecl *V) const {
  return meaningInTurn(V, Loop, S.Function, S.Context);
}

/// \p E has another text than the one in the loop.
bool TurnText::moves(const Expr *E) const {
  return mentionsAny(E, [&](const VarDecl *V) {
    return (Of != Turn::Any && V == Head.Variable) || meaning(V);
  });
}

/// A number that is all of an index means the same in each type.
std::string TurnText::index(const Expr *E) const {
  const Expr *Value = Of == Turn::Last ? Head.End : Head.Start;
  bool Written = Of != Turn::Any && namedVariable(E) == Head.Variable &&
                 isWrittenNumber(Value) && number(Value) >= 0;
  return Written ? std::to_string(number(Value)) : bare(of(E)).str();
}

/// The variable's value, where \p Value is a number.
int64_t TurnText::number(const Expr *Value) const {
  return *constant(Value, S.Context) -
         (Of == Turn::Last && !Head.isInclusive());
}

std::string TurnText::operand(const Expr *E) const {
  std::string Text = of(E);
  E = E->IgnoreImpCasts();
  bool Binds = isa<ArraySubscriptExpr, MemberExpr, ParenExpr>(E) ||
               isPrimary(Text) || (!moves(E) && isa<CallExpr>(E));
  return Binds ? Text : "(" + Text + ")";
}

/// A sum or a product, without what adds nothing to it.
std::string TurnText::of(const BinaryOperator &B) const {
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
std::string TurnText::factor(const Expr *E, const std::string &Text) const {
  const auto *B = dyn_cast<BinaryOperator>(E);
  bool Sum = (B && B->isAdditiveOp()) || (!isPrimary(Text) && meaningOf(E));
  return Sum && !isPrimary(Text) ? "(" + Text + ")" : Text;
}

bool TurnText::meaningOf(const Expr *E) const {
  const VarDecl *V = namedVariable(E);
  return V && meaning(V);
}

} // namespace clrewrite::rewrite
