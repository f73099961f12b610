#include "rewrite/text/LoopText.h"
#include "frontend/RawTokens.h"
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/affine/IntegerRange.h"
#include "rewrite/affine/LoopPlaces.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/text/Directives.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

bool isMacro(StringRef Word, const ASTContext &Context) {
  return Context.Idents.get(Word).hadMacroDefinition();
}

namespace {

const ForStmt &loopOf(const Site &S) { return *S.get<ForStmt>(); }

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

/// The directive that ends the arm of an #if in which \p Declared stands,
/// before
/// \p Use: another build may declare it otherwise. Invalid where none does, and
/// where it stands in another file.
SourceRange armEndBetween(SourceLocation Declared, SourceLocation Use,
                          const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const FileID Main = SM.getMainFileID();
  auto [File, From] = SM.getDecomposedExpansionLoc(Declared);
  auto [UseFile, To] = SM.getDecomposedExpansionLoc(Use);
  if (File != Main || UseFile != Main || From >= To)
    return {};
  int Open = 0;
  StringRef Between = SM.getBufferData(Main).slice(From, To);
  for (StringRef Line : drop_begin(split(Between, '\n'))) {
    std::optional<StringRef> D = directive(Line);
    if (!D)
      continue;
    // One whose word stands in the next line may be any.
    bool IsCut = D->empty() || D->starts_with("\\");
    if (IsCut || (!Open && (D->starts_with("el") || armsOpenedBy(*D) < 0)))
      return directiveOn(Line, Context);
    Open += armsOpenedBy(*D);
  }
  return {};
}

/// \p Declared stands in an arm of an #if of a header that is no include guard.
bool isChosenInHeader(SourceLocation Declared, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  auto [File, Offset] = SM.getDecomposedExpansionLoc(Declared);
  if (File == SM.getMainFileID() || SM.isInSystemHeader(Declared))
    return false;
  int Open = 0;
  bool First = true;
  for (StringRef Line : split(SM.getBufferData(File).take_front(Offset), '\n'))
    if (std::optional<StringRef> D = directive(Line)) {
      bool Guards = std::exchange(First, false) && D->starts_with("ifndef");
      Open += Guards ? 0 : armsOpenedBy(*D);
    }
  return Open > 0;
}

/// Looks for what a loop names that may be declared otherwise in another build:
/// fields, enumerators and functions that a directive stands in, or that an arm
/// of an #if holds.
class ChosenSearch : public DynamicRecursiveASTVisitor {
public:
  ChosenSearch(SourceLocation Use, MacroStability &Macros,
               const ASTContext &Context)
      : Use(Use), Macros(Macros), Context(Context) {}
  SourceRange Found;

  bool VisitMemberExpr(MemberExpr *M) override {
    const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
    return !F || look(F->getParent());
  }
  bool VisitDeclRefExpr(DeclRefExpr *D) override {
    if (const auto *E = dyn_cast<EnumConstantDecl>(D->getDecl()))
      return look(cast<EnumDecl>(E->getDeclContext()));
    const auto *F = dyn_cast<FunctionDecl>(D->getDecl());
    const FunctionDecl *Body = nullptr;
    if (!F || !F->hasBody(Body) || !Seen.insert(Body).second)
      return true;
    if (!look(Body))
      return false;
    StringRef Text = text(Body->getSourceRange(), Context).value_or("");
    for (StringRef Word : Macros.unstableIn(Text))
      if (!Macros.isNumber(Word)) {
        Found = locationOf(Word, Context);
        return false;
      }
    return TraverseStmt(Body->getBody());
  }

private:
  SourceLocation Use;
  MacroStability &Macros;
  const ASTContext &Context;
  SmallPtrSet<const FunctionDecl *, 8> Seen;

  bool look(const Decl *D) {
    if (!Context.getSourceManager().isInMainFile(D->getBeginLoc()))
      return true;
    Found = variationIn(D->getSourceRange(), Context);
    if (Found.isInvalid())
      Found = armEndBetween(D->getBeginLoc(), Use, Context);
    return Found.isInvalid();
  }
};

/// No operator of \p Text that binds more tightly than a comparison stands
/// beside the macro \p Word there.
bool standsAlone(StringRef Word, StringRef Text) {
  auto binds = [](StringRef Token) {
    return Token.find_first_of("+-*/%~!&|^.") != StringRef::npos ||
           Token == "<<" || Token == ">>";
  };
  bool Alone = true, Follows = false;
  StringRef Before;
  frontend::eachRawToken(Text, [&](tok::TokenKind, size_t At, StringRef Token) {
    bool Here = At == size_t(Word.data() - Text.data());
    Alone &= !(Here && binds(Before)) && !(Follows && binds(Token));
    Follows = Here;
    Before = Token;
  });
  return Alone;
}

/// Another build's definition of the number \p Word, in \p Text, is an operand
/// where this one's is: it may be a sum.
bool staysWhole(StringRef Word, StringRef Text, MacroStability &Macros) {
  return Macros.isStable(Word) || Macros.isOperand(Word) ||
         standsAlone(Word, Text);
}

/// The first macro by which \p Text may mean something else in another build:
/// one that is not \p Same there, unless all macros in it are numbers. Another
/// one might paste a number to a name, or put it beside an operator.
std::optional<StringRef> varyingMacro(StringRef Text, MacroStability &Macros,
                                      const ASTContext &Context,
                                      function_ref<bool(StringRef)> Same) {
  const std::vector<StringRef> Words = macrosIn(Text, Context);
  bool AllNumbers =
      all_of(Words, [&](StringRef Word) { return Macros.isNumber(Word); });
  for (StringRef Word : Words)
    if (!Same(Word) && !(AllNumbers && staysWhole(Word, Text, Macros)))
      return Word;
  return std::nullopt;
}

/// The loop means the same in every build: its macros are numbers or have one
/// definition, those before it, in declarations, are numbers or stable, and no
/// #if chooses a declaration.
bool isAlike(const Site &S) {
  MacroStability Macros(S.Context);
  SourceRange Whole = loopOf(S).getSourceRange();
  auto textOf = [&](SourceRange Range) {
    return text(Range, S.Context).value_or("");
  };
  auto varying = [&](SourceRange Range, function_ref<bool(StringRef)> Same) {
    return varyingMacro(textOf(Range), Macros, S.Context, Same);
  };
  if (auto Word = varying(Whole, [&](StringRef Macro) {
        return Macros.isFixed(Macro) ||
               (Macros.isStable(Macro) && Macros.isNumber(Macro));
      }))
    return S.brokenBy(locationOf(*Word, S.Context));
  for (StringRef Word : wordsIn(textOf(Whole)))
    if (Macros.isMacroElsewhere(Word))
      return S.brokenBy(locationOf(Word, S.Context));
  std::vector<SourceRange> Declared{S.Function.getParametersSourceRange()};
  SourceRange Chosen = variationIn(Declared.front(), S.Context);
  if (Declared.front().isValid() && Chosen.isValid())
    return S.brokenBy(Chosen);
  mentionsAny(&loopOf(S), [&](const VarDecl *V) {
    Declared.push_back(V->getSourceRange());
    if (Chosen.isInvalid())
      Chosen =
          isChosenInHeader(V->getBeginLoc(), S.Context)
              ? SourceRange(Whole.getBegin())
              : armEndBetween(V->getBeginLoc(), Whole.getBegin(), S.Context);
    return false;
  });
  if (Chosen.isValid())
    return S.brokenBy(Chosen);
  ChosenSearch Others(Whole.getBegin(), Macros, S.Context);
  Others.TraverseStmt(const_cast<ForStmt *>(&loopOf(S)));
  if (Others.Found.isValid())
    return S.brokenBy(Others.Found);
  for (SourceRange Range : Declared)
    if (auto Word = varying(
            Range, [&](StringRef Macro) { return Macros.isStable(Macro); }))
      return S.brokenBy(locationOf(*Word, S.Context));
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

bool runsWholly(const Site &S) {
  return S.unlessBroken(mayEndTurn(loopOf(S).getBody())) &&
         S.unlessBroken(mayBeEntered(loopOf(S).getBody()));
}

/// One word, or a thing in parentheses.
bool isOperand(StringRef Text) {
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
       isAlike, "write out what it stands for, and define types once"},
      {"the loop declares something that is no variable", declaresVariablesOnly,
       "declare it in front of the loop"},
      {"a line of the loop goes on behind a backslash", linesAreWhole,
       "write it as one line"},
      {"before the loop stands what may be about it", startsAStatement,
       "put the loop into a block of its own"}};
  append_range(Out, More);
  return Out;
}

bool keepsMeaning(StringRef Word, const Site &S) {
  auto declares = [&](const DeclContext &Scope) {
    return any_of(Scope.decls(), [&](const Decl *D) {
      auto is = [&](const Decl *Each) {
        const auto *N = dyn_cast<NamedDecl>(Each);
        return N && N->getIdentifier() && N->getName() == Word;
      };
      const auto *E = dyn_cast<EnumDecl>(D);
      return isa<UsingDirectiveDecl>(D) || is(D) ||
             (E && any_of(E->enumerators(), is));
    });
  };
  for (const DeclContext *Scope = &S.Function; !Scope->isTranslationUnit();
       Scope = Scope->getLexicalParent())
    if (declares(*Scope))
      return false;
  return !isMacro(Word, S.Context);
}

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
    if (all_of(Words, [&](StringRef Word) { return keepsMeaning(Word, S); }))
      return Text;
  }
  return std::nullopt;
}

/// The macro that \p E is written as, in parentheses where it is a sum in this
/// build or may be one in another.
static std::string wholeMacro(const Expr *E, const ASTContext &Context) {
  std::string Text = spelled(E, Context);
  bool IsOne = isa<IntegerLiteral, ParenExpr>(E->IgnoreImpCasts()) &&
               MacroStability(Context).isStable(Text);
  return IsOne ? Text : "(" + Text + ")";
}

std::string operandText(const Expr *E, const ASTContext &Context) {
  return isMacro(spelled(E, Context), Context) ? wholeMacro(E, Context)
                                               : spelledOperand(E, Context);
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
  HasType = HasType &&
            MacroStability(S.Context).unstableIn(spelled(E, S.Context)).empty();
  return HasType ? Text : cast(T) + Text;
}

std::string TurnText::of(const Expr *E) const {
  E = E->IgnoreImpCasts();
  if (!moves(E))
    return kept(isMacro(spelled(E, S.Context), S.Context)
                    ? wholeMacro(E, S.Context)
                    : spelled(E, S.Context));
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

std::string TurnText::kept(std::string Text) const {
  Lost |= Text.empty();
  return Text;
}

std::string TurnText::operandOf(const Expr *E) const {
  Lost |= !text(E->getSourceRange(), S.Context);
  return operandText(E, S.Context);
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
               isOperand(Text) || (!moves(E) && isa<CallExpr>(E));
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
  bool Sum = (B && B->isAdditiveOp()) || (!isOperand(Text) && meaningOf(E));
  return Sum && !isOperand(Text) ? "(" + Text + ")" : Text;
}

bool TurnText::meaningOf(const Expr *E) const {
  const VarDecl *V = namedVariable(E);
  return V && meaning(V);
}

} // namespace clrewrite::rewrite
