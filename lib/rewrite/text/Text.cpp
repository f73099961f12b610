// Source ranges are turned into offsets of the main file; ranges that macros or
// directives cut through have no text.
#include "rewrite/text/Text.h"
#include "frontend/RawTokens.h"
#include "rewrite/Rewrite.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/Parents.h"
#include "source/Words.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using clang::ASTContext;
using clang::CharSourceRange;
using clang::CompoundStmt;
using clang::FunctionDecl;
using clang::Lexer;
using clang::SourceLocation;
using clang::SourceManager;
using clang::SourceRange;
using clang::Stmt;

namespace clrewrite::rewrite {

/// For Clang, a vector literal of one value, `(float4)(x)`, ends with the
/// value: adds the parenthesis that closes it.
static CharSourceRange withLastParen(CharSourceRange R,
                                     const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  while (true) {
    StringRef Text = Lexer::getSourceText(R, SM, Context.getLangOpts());
    if (Text.count('(') <= Text.count(')'))
      return R;
    std::optional<clang::Token> Next = Lexer::findNextToken(
        R.getEnd().getLocWithOffset(-1), SM, Context.getLangOpts());
    if (!Next || Next->isNot(clang::tok::r_paren))
      return R;
    R.setEnd(Next->getEndLoc());
  }
}

/// The file range of whole tokens that spells \p Range; invalid as in text().
static CharSourceRange fileRange(SourceRange Range, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  if (Range.isInvalid())
    return {};
  CharSourceRange R = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(Range), SM, Context.getLangOpts());
  if (R.isValid())
    R = withLastParen(R, Context);
  if (R.isInvalid() || SM.getFileID(R.getBegin()) != SM.getMainFileID() ||
      SM.getFileID(R.getEnd()) != SM.getMainFileID())
    return {};
  return R;
}

std::optional<StringRef> text(SourceRange Range, const ASTContext &Context) {
  CharSourceRange R = fileRange(Range, Context);
  if (R.isInvalid())
    return std::nullopt;
  return Lexer::getSourceText(R, Context.getSourceManager(),
                              Context.getLangOpts());
}

std::string spelled(const clang::Expr *E, const ASTContext &Context) {
  return text(E->getSourceRange(), Context).value_or("").str();
}

bool isOperand(const clang::Expr *E, const ASTContext &Context) {
  const std::string Text = spelled(E, Context);
  return isa<clang::ParenExpr, clang::DeclRefExpr, clang::IntegerLiteral,
             clang::FloatingLiteral, clang::CallExpr, clang::ArraySubscriptExpr,
             clang::MemberExpr, clang::ExtVectorElementExpr>(
             E->IgnoreImplicit()) &&
         (!isMacro(Text, Context) ||
          MacroStability::of(Context).isStable(Text));
}

std::string spelledOperand(const clang::Expr *E, const ASTContext &Context) {
  const std::string Text = spelled(E, Context);
  return isOperand(E, Context) ? Text : "(" + Text + ")";
}

/// The file that \p Range stands in, as text.
StringRef fileText(const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  return SM.getBufferData(SM.getMainFileID());
}

std::optional<StringRef> directive(StringRef Line) {
  for (size_t End;
       (End = Line.find("*/")) < Line.find('#') && End < Line.find("%:");)
    Line = Line.drop_front(End + 2);
  Line = Line.ltrim();
  return Line.consume_front("#") || Line.consume_front("%:")
             ? std::optional(Line.ltrim())
             : std::nullopt;
}

static bool isDirective(StringRef Line) { return directive(Line).has_value(); }

static bool isVariation(StringRef Line) {
  std::optional<StringRef> D = directive(Line);
  return D && !D->starts_with("pragma");
}

bool holdsPragmasOnly(StringRef Text) {
  return none_of(split(Text, '\n'), isVariation);
}

std::string withoutDirectives(StringRef Text, bool KeepPragmas) {
  std::string Out = Text.str();
  bool GoesOn = false;
  for (StringRef Line : split(Text, '\n')) {
    GoesOn |= KeepPragmas ? isVariation(Line) : isDirective(Line);
    const auto At = size_t(Line.begin() - Text.begin());
    for (size_t I = 0; GoesOn && I < Line.size(); ++I)
      Out[At + I] = I ? ' ' : ';';
    GoesOn &= Line.rtrim('\r').ends_with("\\");
  }
  return Out;
}

SourceLocation locationOf(StringRef Part, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  return SM.getLocForStartOfFile(SM.getMainFileID())
      .getLocWithOffset(int(Part.data() - fileText(Context).data()));
}

SourceRange directiveOn(StringRef Line, const ASTContext &Context) {
  StringRef Words = Line.drop_until([](char C) { return C == '#' || C == '%'; })
                        .split("//")
                        .first.split("/*")
                        .first.rtrim(" \t\r\\");
  const char *Last = Words.end() - 1;
  while (Last > Words.begin() && isInWord(*Last) && isInWord(Last[-1]))
    --Last;
  return {locationOf(Words, Context), locationOf(StringRef(Last, 1), Context)};
}

/// The word _Pragma in \p Text that is no hint to a loop's unrolling; empty for
/// none.
static StringRef pragmaOperatorIn(StringRef Text) {
  constexpr llvm::StringLiteral Word = "_Pragma";
  for (size_t At = 0; (At = Text.find(Word, At)) != StringRef::npos;) {
    StringRef Behind = Text.drop_front(At + Word.size());
    if ((!At || !isInWord(Text[At - 1])) &&
        !Behind.ltrim(" \t(\"").starts_with("unroll") &&
        !Behind.ltrim(" \t(\"").starts_with("nounroll"))
      return Text.substr(At, Word.size());
    At += Word.size();
  }
  return "";
}

SourceRange directiveIn(SourceRange Range, const ASTContext &Context) {
  StringRef Rest = text(Range, Context).value_or("");
  if (StringRef Word = pragmaOperatorIn(Rest); !Word.empty())
    return locationOf(Word, Context);
  while (!Rest.empty()) {
    Rest = Rest.split('\n').second;
    StringRef Line = Rest.take_until([](char C) { return C == '\n'; });
    if (isDirective(Line))
      return directiveOn(Line, Context);
  }
  return {};
}

/// \p Text from behind the #endif of the #if that the line before it is, if
/// nothing but pragmas stands in its arms; none where something does.
static std::optional<StringRef> behindPragmas(StringRef Text) {
  for (unsigned Depth = 1; !Text.empty();) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    std::optional<StringRef> D = directive(Line);
    Line = Line.trim();
    if (D && D->starts_with("if"))
      ++Depth;
    else if (D && D->starts_with("endif"))
      --Depth;
    else if (D ? !D->starts_with("el") && !D->starts_with("pragma")
               : !Line.empty() && !Line.starts_with("//"))
      return std::nullopt;
    if (!Depth)
      return Text;
  }
  return std::nullopt;
}

namespace {

/// Whatever the build, \p Name is empty or a hint to the compiler.
bool isHint(StringRef Name, MacroStability &Macros) {
  std::optional<std::vector<std::string>> Bodies = Macros.bodiesOf(Name);
  return Bodies && all_of(*Bodies, [](StringRef Body) {
           return Body.empty() || Body.starts_with("_Pragma") ||
                  Body.contains("unroll_hint");
         });
}

} // namespace

/// The first macro in \p Range that stands where a statement may, and of which
/// nothing comes in this build, but perhaps in another one.
static SourceRange emptyMacroIn(SourceRange Range, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  std::vector<SourceLocation> Candidates;
  bool MayBegin = false;
  const std::string Text = withoutDirectives(text(Range, Context).value_or(""),
                                             /*KeepPragmas=*/false);
  frontend::eachRawToken(
      Text, [&](clang::tok::TokenKind Kind, size_t At, StringRef Word) {
        // What stands behind a macro of which nothing comes may begin one, too.
        const bool IsMacro = MayBegin && isMacro(Word, Context);
        if (IsMacro)
          Candidates.push_back(Range.getBegin().getLocWithOffset(int(At)));
        MayBegin = IsMacro ||
                   is_contained({clang::tok::semi, clang::tok::l_brace,
                                 clang::tok::r_brace, clang::tok::r_paren,
                                 clang::tok::colon},
                                Kind) ||
                   Word == "else" || Word == "do";
      });
  if (Candidates.empty())
    return {};
  std::set<SourceLocation> Known; // where something of a function comes from
  auto note = [&](SourceLocation At) {
    Known.insert(SM.getExpansionLoc(At));
    // An argument of a macro, perhaps another macro, is written there.
    Known.insert(SM.getFileLoc(At));
  };
  for (clang::Decl *D : Context.getTranslationUnitDecl()->decls())
    if (const auto *F = dyn_cast<FunctionDecl>(D);
        F && F->doesThisDeclarationHaveABody() &&
        SM.getExpansionLoc(F->getBeginLoc()) <= Range.getBegin() &&
        Range.getBegin() <= SM.getExpansionLoc(F->getEndLoc())) {
      for (const Stmt *S : allIn<Stmt>(F->getBody())) {
        note(S->getBeginLoc());
        if (const auto *B = dyn_cast<clang::BinaryOperator>(S))
          note(B->getOperatorLoc());
      }
      for (const clang::Decl *Each : allIn<clang::Decl>(F->getBody()))
        note(Each->getBeginLoc());
    }
  MacroStability &Macros = MacroStability::of(Context);
  for (SourceLocation At : Candidates) {
    const StringRef Word(
        SM.getCharacterData(At),
        Lexer::MeasureTokenLength(At, SM, Context.getLangOpts()));
    if (!Known.count(At) && !Macros.isStable(Word) && !isHint(Word, Macros))
      return At;
  }
  return {};
}

SourceRange variationIn(SourceRange Range, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  Range = {SM.getExpansionLoc(Range.getBegin()),
           SM.getExpansionRange(Range.getEnd()).getEnd()};
  const std::optional<StringRef> Text = text(Range, Context);
  if (!Text)
    return Range;
  StringRef Rest = *Text;
  while (!Rest.empty()) {
    Rest = Rest.split('\n').second;
    StringRef Line = Rest.take_until([](char C) { return C == '\n'; });
    if (!isVariation(Line))
      continue;
    // Hints to unroll, say, change no result.
    std::optional<StringRef> Behind;
    if (directive(Line)->starts_with("if"))
      Behind = behindPragmas(Rest.drop_front(Line.size()).ltrim('\n'));
    if (!Behind)
      return directiveOn(Line, Context);
    Rest = Rest.take_back(Behind->size() + 1);
  }
  return emptyMacroIn(Range, Context);
}

bool holdsDirective(SourceRange Range, const ASTContext &Context) {
  return directiveIn(Range, Context).isValid();
}

SourceRange hindranceIn(SourceRange Range, const ASTContext &Context) {
  SourceRange Directive = directiveIn(Range, Context);
  return Directive.isValid() ? Directive : Range;
}

bool isPlainText(SourceRange Range, const ASTContext &Context) {
  return !Range.getBegin().isMacroID() && !Range.getEnd().isMacroID() &&
         isCopyable(Range, Context);
}

bool bindsAsChoice(const clang::Expr *E) {
  E = E->IgnoreImplicit();
  const auto *B = dyn_cast<clang::BinaryOperator>(E);
  return isa<clang::AbstractConditionalOperator>(E) ||
         (B && (B->isAssignmentOp() || B->isCommaOp()));
}

bool isCopyable(SourceRange Range, const ASTContext &Context) {
  return text(Range, Context) && !holdsDirective(Range, Context);
}

bool isPlainText(SourceRange Range, const Site &S) {
  return isPlainText(Range, S.Context) ||
         S.brokenBy(hindranceIn(Range, S.Context));
}

bool isCopyable(SourceRange Range, const Site &S) {
  return isCopyable(Range, S.Context) ||
         S.brokenBy(hindranceIn(Range, S.Context));
}

const clang::Stmt *lastPart(const clang::Stmt *S) {
  if (const auto *If = dyn_cast<clang::IfStmt>(S))
    return If->getElse() ? If->getElse() : If->getThen();
  if (const auto *For = dyn_cast<clang::ForStmt>(S))
    return For->getBody();
  if (const auto *While = dyn_cast<clang::WhileStmt>(S))
    return While->getBody();
  if (const auto *Switch = dyn_cast<clang::SwitchStmt>(S))
    return Switch->getBody();
  if (const auto *Case = dyn_cast<clang::SwitchCase>(S))
    return Case->getSubStmt();
  if (const auto *Label = dyn_cast<clang::LabelStmt>(S))
    return Label->getSubStmt();
  const auto *A = dyn_cast<clang::AttributedStmt>(S);
  return A ? A->getSubStmt() : nullptr;
}

const clang::Stmt *lastOf(const clang::Stmt *S) {
  while (isa<clang::IfStmt, clang::ForStmt, clang::WhileStmt>(S))
    S = lastPart(S);
  return S;
}

SourceRange wholeStatement(const clang::Stmt *S, const ASTContext &Context) {
  const clang::Stmt *Last = lastOf(S);
  if (S->getBeginLoc().isMacroID())
    return {};
  if (isa<clang::CompoundStmt, clang::NullStmt, clang::DeclStmt>(Last))
    return Last->getEndLoc().isMacroID() ? SourceRange() : S->getSourceRange();
  const CharSourceRange R =
      fileRange({S->getBeginLoc(), Last->getEndLoc()}, Context);
  if (R.isInvalid())
    return {};
  std::optional<clang::Token> Next =
      Lexer::findNextToken(R.getEnd().getLocWithOffset(-1),
                           Context.getSourceManager(), Context.getLangOpts());
  if (!Next || Next->isNot(clang::tok::semi))
    return {};
  return {S->getBeginLoc(), Next->getLocation()};
}

Edit replacement(SourceRange Range, std::string New, const ASTContext &Context,
                 bool Semicolon) {
  const SourceManager &SM = Context.getSourceManager();
  CharSourceRange R = fileRange(Range, Context);
  if (R.isInvalid())
    return {};
  unsigned Begin = SM.getFileOffset(R.getBegin());
  unsigned End = SM.getFileOffset(R.getEnd());
  if (Semicolon) {
    // Comments may stand between the statement and its semicolon.
    std::optional<clang::Token> Next = Lexer::findNextToken(
        R.getEnd().getLocWithOffset(-1), SM, Context.getLangOpts());
    if (Next && Next->is(clang::tok::semi) && Next->getLocation().isFileID())
      End = SM.getFileOffset(Next->getLocation()) + 1;
  }
  return Edit{Begin, End - Begin, std::move(New)};
}

std::string edited(StringRef Part, const Edits &Changes,
                   const ASTContext &Context) {
  const auto Begin = unsigned(Part.data() - fileText(Context).data());
  std::map<unsigned, const Edit *> In;
  for (const Edit &E : Changes)
    if (E.Offset >= Begin && E.end() <= Begin + Part.size())
      In[E.Offset] = &E;
  std::string Out = Part.str();
  for (const auto &[Offset, E] : reverse(In))
    Out.replace(Offset - Begin, E->Length, E->Text);
  return Out;
}

Edit removal(const clang::DeclStmt &D, const ASTContext &Context) {
  Edit E = replacement(D.getSourceRange(), "", Context);
  StringRef File = fileText(Context), Before = File.take_front(E.Offset),
            After = File.drop_front(E.Offset + E.Length);
  unsigned Blanks = unsigned(Before.size() - Before.rtrim().size());
  StringRef Rest = After.take_until([](char C) { return C == '\n'; });
  if (Rest.trim().empty())
    return Edit{E.Offset - Blanks, E.Length + Blanks, ""};
  E.Length += unsigned(Rest.size() - Rest.ltrim().size());
  return E;
}

Edit insertion(SourceLocation Loc, std::string New, const ASTContext &Context) {
  return Edit{Context.getSourceManager().getFileOffset(Loc), 0, std::move(New)};
}

bool standsBefore(SourceLocation A, SourceLocation B,
                  const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation FromA = SM.getExpansionLoc(A), FromB = SM.getExpansionLoc(B);
  return FromA == FromB ? SM.isBeforeInTranslationUnit(A, B)
                        : SM.isBeforeInTranslationUnit(FromA, FromB);
}

namespace {

/// Reads code token by token, in all arms of #if, and says what may be the
/// start of a statement in one build or another that has not ended yet.
class OpenCode {
public:
  SourceRange Open; ///< invalid where there is none

  void token(const clang::Token &T) {
    bool Brace = T.isOneOf(clang::tok::l_brace, clang::tok::r_brace),
         Ends = Brace || (T.is(clang::tok::semi) && Parentheses == 0);
    if (Brace)
      Parentheses = 0;
    else if (T.is(clang::tok::l_paren))
      ++Parentheses;
    else if (T.is(clang::tok::r_paren) && Parentheses > 0)
      --Parentheses;
    if (Ends)
      Open = {};
    else if (Open.isValid())
      Open.setEnd(T.getLocation());
    else
      Open = T.getLocation();
  }
  void directive(StringRef Name, SourceRange Where) {
    if (Name.starts_with("if")) {
      Arms.push_back({Open, {}, false});
    } else if (Name == "pragma" || (Arms.empty() && isOfArms(Name))) {
      Open = Where;
    } else if (isOfArms(Name)) {
      Block &B = Arms.back();
      if (B.After.isInvalid())
        B.After = Open;
      Open = B.Before;
      B.HasElse |= Name == "else";
      if (Name == "endif") {
        Open = B.After.isValid() || B.HasElse ? B.After : B.Before;
        Arms.pop_back();
      }
    }
  }

private:
  struct Block {
    SourceRange Before, After;
    bool HasElse;
  };
  std::vector<Block> Arms;
  unsigned Parentheses = 0; ///< that are open: ';' separates there
  static bool isOfArms(StringRef Name) {
    return Name.starts_with("el") || Name == "endif";
  }
};

} // namespace

/// In each build what the macro around \p Last stands for ends a statement.
static bool endsStatement(SourceLocation Last, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Name = SM.getExpansionLoc(Last);
  const StringRef Macro(
      SM.getCharacterData(Name),
      Lexer::MeasureTokenLength(Name, SM, Context.getLangOpts()));
  MacroStability &Macros = MacroStability::of(Context);
  return Macros.isStable(Macro) || Macros.endsStatement(Macro);
}

SourceRange beforeStatement(const clang::Stmt *S,
                            const clang::CompoundStmt &Block,
                            const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Start = Block.getLBracLoc(), Last = Start,
                 To = S->getBeginLoc();
  for (const clang::Stmt *Each : Block.body()) {
    if (Each == S)
      break;
    Last = Each->getEndLoc();
  }
  // A macro that ends the statement before may be the head of a branch
  // elsewhere.
  const bool MayBeHead = Last.isMacroID() && !endsStatement(Last, Context);
  Last = SM.getExpansionRange(Last).getEnd();
  if (!SM.isWrittenInMainFile(Start) || !SM.isWrittenInMainFile(Last) ||
      !SM.isWrittenInMainFile(To))
    return To;
  StringRef File = fileText(Context);
  Lexer Raw(SM.getLocForStartOfFile(SM.getMainFileID()), Context.getLangOpts(),
            File.begin(), File.begin() + SM.getFileOffset(Start), File.end());
  OpenCode Code;
  clang::Token T;
  Raw.LexFromRawLexer(T);
  while (T.isNot(clang::tok::eof) && T.getLocation() < To) {
    if (T.is(clang::tok::hash) && T.isAtStartOfLine()) {
      SourceLocation Hash = T.getLocation();
      Raw.LexFromRawLexer(T);
      StringRef Name =
          T.is(clang::tok::raw_identifier) ? T.getRawIdentifier() : StringRef();
      SourceLocation End = T.getLocation();
      while (T.isNot(clang::tok::eof) && !T.isAtStartOfLine()) {
        End = T.getLocation();
        Raw.LexFromRawLexer(T);
      }
      Code.directive(Name, {Hash, End});
      continue;
    }
    Code.token(T);
    // In this build the statement before has ended, perhaps in a macro.
    if (T.getLocation() == Last && !MayBeHead)
      Code.Open = {};
    Raw.LexFromRawLexer(T);
  }
  return Code.Open;
}

std::vector<const clang::IfStmt *> openBranches(const clang::Stmt *S) {
  std::vector<const clang::IfStmt *> Out;
  for (; S; S = lastPart(S))
    if (const auto *If = dyn_cast<clang::IfStmt>(S); If && !If->getElse())
      Out.push_back(If);
  return Out;
}

SourceRange elseBehindStatement(const clang::Stmt *S,
                                const clang::CompoundStmt &Block,
                                const ASTContext &Context) {
  if (openBranches(S).empty())
    return {};
  const SourceManager &SM = Context.getSourceManager();
  const auto *Next = std::next(llvm::find(Block.body(), S));
  const SourceLocation From = SM.getExpansionRange(lastOf(S)->getEndLoc())
                                  .getEnd(),
                       To = SM.getExpansionLoc(Next == Block.body_end()
                                                   ? Block.getRBracLoc()
                                                   : (*Next)->getBeginLoc());
  if (!SM.isInMainFile(From) || !SM.isInMainFile(To))
    return From;
  const SourceLocation Behind =
      Lexer::getLocForEndOfToken(From, 0, SM, Context.getLangOpts());
  MacroStability &Macros = MacroStability::of(Context);
  SourceRange Found;
  frontend::eachRawToken(
      fileText(Context).slice(SM.getFileOffset(Behind), SM.getFileOffset(To)),
      [&](clang::tok::TokenKind, size_t At, StringRef Word) {
        if (Found.isInvalid() && !Word.empty() && isInWord(Word.front()) &&
            (Word == "else" || Macros.isDefined(Word)))
          Found = Behind.getLocWithOffset(int(At));
      });
  return Found;
}

bool standsBehindPragma(SourceLocation Loc, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  StringRef Above =
      fileText(Context).take_front(SM.getFileOffset(SM.getExpansionLoc(Loc)));
  Above = Above.take_front(Above.rfind('\n') + 1); // npos + 1 is 0
  while (!(Above = Above.rtrim()).empty()) {
    size_t Start = Above.rfind('\n') + 1;
    StringRef Line = Above.drop_front(Start).ltrim();
    if (!Line.starts_with("//"))
      return Line.consume_front("#") && Line.ltrim().starts_with("pragma");
    Above = Above.take_front(Start);
  }
  return false;
}

std::string indentation(SourceLocation Loc, const ASTContext &Context) {
  StringRef Before = fileText(Context).take_front(
      Context.getSourceManager().getFileOffset(Loc));
  StringRef Line = Before.drop_front(Before.rfind('\n') + 1);
  return Line.take_while([](char C) { return C == ' ' || C == '\t'; }).str();
}

std::string indentUnit(const Stmt &S, ASTContext &Context) {
  const std::string Own = indentation(S.getBeginLoc(), Context);
  StringRef Unit = Own;
  if (const CompoundStmt *Block = blockOf(S, Context))
    if (Unit.consume_front(indentation(Block->getRBracLoc(), Context)) &&
        !Unit.empty())
      return Unit.str();
  return StringRef(Own).ends_with("\t") ? "\t" : "  ";
}

std::string indented(StringRef Text, StringRef By) {
  std::string Out;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    bool Ends = Line.size() < Text.size();
    Out += Line.str() + (Ends ? "\n" : "");
    if (Ends && !Line.rtrim('\r').ends_with("\\") &&
        !Rest.split('\n').first.trim().empty())
      Out += By;
    Text = Rest;
  }
  return Out;
}

std::string commentsIn(SourceRange Range, ArrayRef<SourceRange> Kept,
                       StringRef Indent, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  CharSourceRange R = fileRange(Range, Context);
  if (R.isInvalid())
    return "";
  // The lexer wants the place of the buffer's start, not of its own.
  Lexer Raw(SM.getLocForStartOfFile(SM.getMainFileID()), Context.getLangOpts(),
            fileText(Context).begin(),
            fileText(Context).begin() + SM.getFileOffset(R.getBegin()),
            fileText(Context).begin() + SM.getFileOffset(R.getEnd()));
  Raw.SetCommentRetentionState(true);
  std::string Out;
  clang::Token Token;
  while (!Raw.LexFromRawLexer(Token)) {
    if (Token.isNot(clang::tok::comment))
      continue;
    unsigned At = SM.getFileOffset(Token.getLocation());
    bool Copied = any_of(Kept, [&](SourceRange K) {
      CharSourceRange KR = fileRange(K, Context);
      return KR.isValid() && SM.getFileOffset(KR.getBegin()) <= At &&
             At < SM.getFileOffset(KR.getEnd());
    });
    if (!Copied)
      Out += (fileText(Context).substr(At, Token.getLength()).rtrim() + "\n" +
              Indent)
                 .str();
  }
  return Out;
}

std::string numbered(StringRef Stem,
                     function_ref<bool(const std::string &)> isFresh) {
  std::string Name = Stem.str();
  for (unsigned N = 2; !isFresh(Name); ++N)
    Name = (Stem + Twine(N)).str();
  return Name;
}

std::string freshName(StringRef Stem, const ASTContext &Context) {
  // Headers and the command line have names as well; Clang knows those.
  return numbered(Stem, [&](const std::string &Name) {
    return !fileText(Context).contains(Name) &&
           Context.Idents.find(Name) == Context.Idents.end();
  });
}

std::string specifiersFor(const FunctionDecl &F) {
  return !F.isStatic()           ? ""
         : F.isInlineSpecified() ? "static inline "
                                 : "static ";
}

std::string spelledType(clang::QualType T, const ASTContext &Context) {
  clang::PrintingPolicy Policy(Context.getLangOpts());
  T = T.getUnqualifiedType();
  // Names such as uint and ushort8 are typedefs of the default header.
  if (const auto *Typedef = T->getAs<clang::TypedefType>())
    return Typedef->getDecl()->getNameAsString();
  clang::QualType Canonical = T.getCanonicalType().getUnqualifiedType();
  auto scalar = [&](clang::QualType Element) -> std::string {
    if (const auto *B = Element->getAs<clang::BuiltinType>())
      switch (B->getKind()) {
      case clang::BuiltinType::UChar:
        return "uchar";
      case clang::BuiltinType::UShort:
        return "ushort";
      case clang::BuiltinType::UInt:
        return "uint";
      case clang::BuiltinType::ULong:
        return "ulong";
      default:
        break;
      }
    return Element.getAsString(Policy);
  };
  if (const auto *Vector = Canonical->getAs<clang::VectorType>())
    return scalar(Vector->getElementType()) +
           std::to_string(Vector->getNumElements());
  return scalar(Canonical);
}

} // namespace clrewrite::rewrite
