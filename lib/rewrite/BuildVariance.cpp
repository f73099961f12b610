// An edit varies with the build where it removes an unstable macro. So does one
// that makes several statements of one where another build has a branch or a
// loop before it, and no braces, or that parts a branch from the `else` of
// another build; and most are wrong where the code around them means something
// else.
#include "rewrite/BuildVariance.h"
#include "frontend/RawTokens.h"
#include "rewrite/ast/Builtins.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/text/CodeVariation.h"
#include "rewrite/text/Directives.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

/// Code of the program asks for the number of its line, by __LINE__ or by a
/// macro that stands for it.
static bool countsLines(const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  std::vector<StringRef> Texts = userTexts(SM);
  auto mentions = [](StringRef Text) {
    return Text.contains("__LINE__") || Text.contains("__builtin_LINE");
  };
  if (none_of(Texts, mentions) && !mentions(commandLine(SM)))
    return false;
  std::vector<std::string> Directives =
      directivesIn(commandLine(SM), Context.getLangOpts());
  for (StringRef Text : Texts)
    append_range(Directives, directivesIn(Text, Context.getLangOpts()));
  StringSet<> Names;
  Names.insert({"__LINE__"});
  Names.insert({"__builtin_LINE"});
  auto isOne = [&](StringRef Word) { return Names.contains(Word); };
  for (bool Grown = true; Grown;) {
    Grown = false;
    for (StringRef Line : Directives) {
      const auto Words = wordsIn(Line);
      if (Words.size() > 2 && Words[0] == "define" &&
          any_of(drop_begin(Words, 2), isOne))
        Grown |= Names.insert(Words[1]).second;
    }
  }
  auto isAsked = [&](StringRef Line) {
    return (Line.starts_with("if") || Line.starts_with("elif")) &&
           any_of(wordsIn(Line), isOne);
  };
  return any_of(Directives, isAsked) || any_of(Texts, [&](StringRef Text) {
           bool Found = false;
           const std::string Code =
               withoutDirectives(Text, /*KeepPragmas=*/true);
           frontend::eachRawToken(Code,
                                  [&](tok::TokenKind, size_t, StringRef Word) {
                                    Found |= isOne(Word);
                                  });
           return Found;
         });
}

namespace {

/// A way to write code in which tokens, or lines, are not what they seem.
struct OddWriting {
  const char *What, *Remedy;
};

constexpr OddWriting
    LoneCR = {"a line that ends with CR alone", "end lines with LF"},
    Trigraph = {"a trigraph", "write the character that it stands for"},
    Digraph = {"a digraph, such as '<%'",
               "write the character that it stands for"},
    SavedMacro = {"a pragma push_macro or pop_macro",
                  "give the macro's other meaning another name"},
    RawString = {"a raw string", "write it as other strings are"},
    SplitWord = {"a backslash at the end of a line in the middle of a word",
                 "write the word on one line"};

/// How \p Text is written oddly; none where it is not.
std::optional<OddWriting> oddWriting(StringRef Text) {
  if (Text.count('\r') != Text.count("\r\n") && Text.contains('#'))
    return LoneCR;
  for (size_t At = 0; (At = Text.find("?\?", At)) != StringRef::npos; ++At)
    if (StringRef("=/'()!<>-").contains(Text.substr(At + 2).take_front(1)) &&
        At + 2 < Text.size())
      return Trigraph;
  if (Text.contains("push_macro") || Text.contains("pop_macro"))
    return SavedMacro;
  auto mayHold = [&](StringRef Part) { return Text.contains(Part); };
  if (none_of(std::initializer_list<StringRef>{"<%", "%>", "<:", ":>",
                                               "%:", "R\"", "\\\n", "\\\r\n"},
              mayHold))
    return std::nullopt;
  std::optional<OddWriting> Out;
  bool InDirective = false, BehindR = false;
  frontend::eachTokenOfDirectives(
      Text, [&](const clang::Token &T, size_t, StringRef Spelling) {
        if (T.is(tok::hash) && T.isAtStartOfLine())
          InDirective = true;
        const bool IsBracket =
            T.isOneOf(tok::l_brace, tok::r_brace, tok::l_square, tok::r_square);
        if (IsBracket && StringRef("<%:").contains(Spelling.front()))
          Out = Digraph;
        else if (BehindR && T.is(tok::string_literal) && !T.hasLeadingSpace())
          Out = RawString;
        else if (!InDirective && !T.is(tok::string_literal) &&
                 Spelling.contains('\n'))
          Out = SplitWord;
        BehindR = T.is(tok::raw_identifier) && Spelling.ends_with("R");
        InDirective &= !T.is(tok::eod);
        return !Out;
      });
  return Out;
}

} // namespace

/// What keeps code from being read as a compiler does, and what to do about it;
/// empty for nothing.
static std::string oddPart(const ASTContext &Context) {
  for (StringRef Text : userTexts(Context.getSourceManager()))
    if (std::optional<OddWriting> Odd = oddWriting(Text))
      return std::string("the program has ") + Odd->What +
             ", so that code may be something else than it seems; " +
             Odd->Remedy;
  return "";
}

BuildVariance::BuildVariance(ASTContext &Context)
    : Context(Context), Macros(MacroStability::of(Context)),
      CountsLines(countsLines(Context)), OddPart(oddPart(Context)) {}

namespace {

/// \p Text is the head of a branch or a loop, a label or a hint to the
/// compiler: a block may stand behind it.
bool isHead(StringRef Text) {
  static constexpr StringRef Heads[] = {"if",    "else",   "for",
                                        "while", "switch", "case"};
  const std::vector<StringRef> Words = wordsIn(Text);
  Text = Text.rtrim();
  return Text.starts_with("#") || Text.ends_with(":") ||
         Text.ends_with("else") || Text == "do" ||
         (Text.ends_with(")") && !Words.empty() &&
          is_contained(Heads, Words.front()));
}

/// A statement ends in \p Text, outside of its parentheses and braces.
bool endsStatement(StringRef Text) {
  int Depth = 0;
  for (char C : Text) {
    Depth += C == '(' || C == '{' ? 1 : C == ')' || C == '}' ? -1 : 0;
    if (C == ';' && Depth <= 0)
      return true;
  }
  return false;
}

} // namespace

const std::vector<BuildVariance::Statement> &BuildVariance::statements() {
  StringRef File = fileText(Context);
  if (!Statements) {
    Statements.emplace();
    for (const CompoundStmt *Block :
         allIn<CompoundStmt>(Context.getTranslationUnitDecl()))
      for (const Stmt *S : Block->body()) {
        SourceRange Whole = wholeStatement(S, Context);
        std::optional<StringRef> Text = text(Whole, Context);
        if (!Text)
          continue;
        auto Begin = unsigned(Text->begin() - File.begin());
        Statements->push_back(
            {Begin, Begin + unsigned(Text->size()), S, Block});
      }
  }
  return *Statements;
}

const BuildVariance::Statement *BuildVariance::changedBy(const Edit &E) {
  StringRef File = fileText(Context);
  unsigned At =
      E.Offset + unsigned(File.drop_front(E.Offset).take_while(isSpace).size());
  const Statement *Out = nullptr;
  for (const Statement &S : statements())
    if (S.Begin <= At && E.Offset <= S.End && (!Out || Out->Begin < S.Begin))
      Out = &S;
  return Out;
}

SourceRange BuildVariance::headOfSplit(ArrayRef<Edit> List) {
  StringRef File = fileText(Context);
  std::map<const Statement *, std::vector<const Edit *>> Changed;
  for (const Edit &E : List)
    if (const Statement *S = E.Shared ? nullptr : changedBy(E))
      Changed[S].push_back(&E);
  for (const auto &[S, Edits] : Changed) {
    bool Splits = any_of(Edits, [&](const Edit *E) {
      return endsStatement(E->Text) ||
             endsStatement(File.substr(E->Offset, E->Length));
    });
    const Edit *First = *min_element(Edits, [](const Edit *A, const Edit *B) {
      return A->Offset < B->Offset;
    });
    if (!Splits)
      continue;
    SourceRange Head = beforeStatement(S->Code, *S->Block, Context);
    if (Head.isValid() && !(StringRef(First->Text).ltrim().starts_with("{") &&
                            isHead(text(Head, Context).value_or(""))))
      return Head;
  }
  return {};
}

SourceRange BuildVariance::elseBehind(ArrayRef<Edit> List) {
  const SourceManager &SM = Context.getSourceManager();
  for (const Edit &E : List) {
    const Statement *S = E.Shared ? nullptr : changedBy(E);
    auto isReplaced = [&](const IfStmt *If) {
      const unsigned At = SM.getFileOffset(SM.getExpansionLoc(If->getIfLoc()));
      return E.Offset <= At && At < E.end();
    };
    if (!S || (E.Offset < S->End && none_of(openBranches(S->Code), isReplaced)))
      continue;
    if (SourceRange Else = elseBehindStatement(S->Code, *S->Block, Context);
        Else.isValid())
      return Else;
  }
  return {};
}

std::string BuildVariance::macroOfOthers(ArrayRef<Edit> List) {
  for (const Edit &E : List)
    for (StringRef Word : wordsIn(E.Text))
      if (Macros.isMacroElsewhere(Word))
        return Word.str();
  return "";
}

/// variationOf, and directives in \p Whole. Where there are no other builds, a
/// macro of \p Whole that the text takes back, and may define anew.
static SourceRange variationOfCode(ArrayRef<const Stmt *> Code,
                                   SourceRange Whole, const FunctionDecl &F,
                                   ASTContext &Context) {
  MacroStability &Macros = MacroStability::of(Context);
  if (!Macros.isOnlyBuild()) {
    const SourceRange Varies = variationIn(Whole, Context);
    return Varies.isValid() ? Varies : variationOf(Code, Whole, F, Context);
  }
  const std::vector<StringRef> Found =
      Macros.unstableIn(text(Whole, Context).value_or(""));
  return Found.empty() ? SourceRange() : locationOf(Found.front(), Context);
}

/// \p E takes one of the variables that \p D declares away, or gives it another
/// name or type.
static bool redeclares(const Edit &E, const DeclStmt &D,
                       const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  auto offset = [&](SourceLocation Loc) {
    return SM.getFileOffset(SM.getExpansionLoc(Loc));
  };
  StringRef File = fileText(Context);
  const unsigned Begin = offset(D.getBeginLoc());
  return any_of(D.decls(), [&](const Decl *Each) {
    const auto *V = dyn_cast<VarDecl>(Each);
    if (!V)
      return true;
    unsigned End = offset(V->getLocation()) + unsigned(V->getName().size());
    return E.Offset < End && E.end() > Begin &&
           !StringRef(E.Text).contains(File.slice(Begin, End));
  });
}

SourceRange BuildVariance::variationAround(ArrayRef<Edit> List,
                                           SourceRange Node,
                                           const FunctionDecl &F, bool AllOf) {
  const SourceManager &SM = Context.getSourceManager();
  auto offset = [&](SourceLocation Loc) {
    return SM.getFileOffset(SM.getExpansionLoc(Loc));
  };
  auto at = [&](unsigned Offset) {
    return SM.getLocForStartOfFile(SM.getMainFileID())
        .getLocWithOffset(int(Offset));
  };
  // Where the site is a function, the edits alone tell where it changes.
  const bool IsPart = Node != F.getSourceRange();
  unsigned Begin = IsPart ? offset(Node.getBegin()) : ~0u,
           End = IsPart ? offset(Node.getEnd()) : 0;
  bool ToEnd = false;
  for (const Edit &E : List) {
    // What is defined in front of the function is code of its own.
    if (E.Shared || E.end() <= offset(F.getBeginLoc()))
      continue;
    Begin = std::min(Begin, E.Offset);
    End = std::max(End, E.end());
    const Statement *S = changedBy(E);
    const auto *D = S ? dyn_cast<DeclStmt>(S->Code) : nullptr;
    ToEnd |= D && redeclares(E, *D, Context);
  }
  const CompoundStmt *Block = nullptr;
  for (const Statement &S : statements()) {
    const CompoundStmt *B = S.Block;
    if (!AllOf && offset(B->getLBracLoc()) < Begin &&
        End <= offset(B->getRBracLoc()) &&
        (!Block || offset(Block->getLBracLoc()) < offset(B->getLBracLoc())))
      Block = B;
  }
  SourceRange Whole = F.getSourceRange();
  std::vector<const Stmt *> Code{F.getBody()};
  if (Block) {
    Code.clear();
    unsigned From = ~0u, To = 0;
    for (const Statement &S : statements())
      if (S.Block == Block && S.End > Begin && (ToEnd || S.Begin <= End)) {
        Code.push_back(S.Code);
        From = std::min({From, S.Begin, Begin});
        To = std::max({To, S.End, End});
      }
    if (ToEnd)
      To = offset(Block->getRBracLoc());
    if (Code.empty())
      Code.push_back(Block);
    else
      Whole = {at(From), at(To - 1)};
  }
  return variationOfText(Code, Whole, F);
}

namespace {

/// What the branch or loop \p S does; null where it is none.
const Stmt *bodyOf(const Stmt *S) {
  if (const auto *If = dyn_cast<IfStmt>(S))
    return If->getThen();
  if (const auto *For = dyn_cast<ForStmt>(S))
    return For->getBody();
  if (const auto *While = dyn_cast<WhileStmt>(S))
    return While->getBody();
  return nullptr;
}

/// What of a statement an edit reads, or writes anew.
struct ChangedCode {
  /// The innermost expression that holds all of its text, or the statement.
  const Stmt *Innermost;
  struct Argument {
    const CallExpr *Call;
    unsigned Index;
  };
  /// Those that it stands in.
  std::vector<Argument> Arguments;
};

ChangedCode changedCode(StringRef Old, const Stmt &Statement,
                        const ASTContext &Context) {
  ChangedCode Out{&Statement, {}};
  auto holds = [&](const Expr *E) {
    std::optional<StringRef> Own = text(E->getSourceRange(), Context);
    return Own && Own->begin() <= Old.begin() && Old.end() <= Own->end();
  };
  for (const Expr *Each : allIn<Expr>(&Statement)) {
    if (!holds(Each))
      continue;
    Out.Innermost = Each; // what stands in it comes behind it
    if (const auto *Call = dyn_cast<CallExpr>(Each))
      for (unsigned I = 0; I < Call->getNumArgs(); ++I)
        if (holds(Call->getArg(I)))
          Out.Arguments.push_back({Call, I});
  }
  return Out;
}

/// What may make the parameter that takes \p A another one; invalid for none.
SourceRange variationOfCallee(const ChangedCode::Argument &A,
                              const ASTContext &Context) {
  const SourceLocation Use =
      Context.getSourceManager().getFileLoc(A.Call->getBeginLoc());
  if (isBuiltinCall(A.Call) || MacroStability::of(Context).isOnlyBuild())
    return {};
  const FunctionDecl *F = A.Call->getDirectCallee();
  if (!F || A.Index >= F->getNumParams())
    return Use;
  for (const FunctionDecl *Each : F->redecls())
    if (SourceRange Found =
            variationOfParameter(*Each->getParamDecl(A.Index), Use, Context);
        Found.isValid())
      return Found;
  return {};
}

} // namespace

SourceRange BuildVariance::variationInStatements(ArrayRef<Edit> List,
                                                 const FunctionDecl &F) {
  const SourceManager &SM = Context.getSourceManager();
  std::map<const Statement *, std::vector<const Stmt *>> Changed;
  for (const Edit &E : List) {
    // What is added before or behind a statement goes with its other edits.
    if (E.Shared || !E.Length)
      continue;
    const Statement *S = changedBy(E);
    if (!S)
      return variationOfText(F.getBody(), F.getSourceRange(), F);
    std::vector<const Stmt *> &Nodes = Changed[S];
    StringRef Old = fileText(Context).substr(E.Offset, E.Length).trim();
    if (Old.empty() || Old == ";")
      continue;
    const ChangedCode Code = changedCode(Old, *S->Code, Context);
    Nodes.push_back(Code.Innermost);
    for (const ChangedCode::Argument &A : Code.Arguments)
      if (SourceRange Found = variationOfCallee(A, Context); Found.isValid())
        return Found;
  }
  for (const auto &Each : Changed) {
    const Stmt *Code = Each.first->Code, *Does = bodyOf(Code);
    const std::vector<const Stmt *> &Nodes = Each.second;
    const bool InHead =
        Does && all_of(Nodes, [&](const Stmt *Node) {
          return Node != Code && SM.isBeforeInTranslationUnit(
                                     Node->getEndLoc(), Does->getBeginLoc());
        });
    const SourceRange Whole =
        InHead ? SourceRange(Code->getBeginLoc(), Nodes.back()->getEndLoc())
               : wholeStatement(Code, Context);
    if (SourceRange Found = variationOfCode(Nodes, Whole, F, Context);
        Found.isValid())
      return Found;
  }
  return {};
}

SourceRange BuildVariance::variationOfText(ArrayRef<const Stmt *> Code,
                                           SourceRange Whole,
                                           const FunctionDecl &F) {
  const SourceManager &SM = Context.getSourceManager();
  auto offset = [&](SourceLocation Loc) {
    return SM.getFileOffset(SM.getExpansionLoc(Loc));
  };
  auto [It, New] = Variations.insert(
      {{offset(Whole.getBegin()), offset(Whole.getEnd())}, SourceRange()});
  if (New)
    It->second = variationOfCode(Code, Whole, F, Context);
  return It->second;
}

/// What the user can do about it.
constexpr char Once[] =
    "'; where it is always the same, define it once, without #if, in the file";

/// \p Word is the name of a type, or another word of the language.
static bool isWordOfLanguage(StringRef Word, const ASTContext &Context) {
  static const StringSet<> Types = {"uchar", "ushort", "uint",     "ulong",
                                    "half",  "size_t", "uintptr_t"};
  const StringRef Scalar = Word.rtrim("0123456789");
  return Types.contains(Scalar) ||
         Context.Idents.get(Word).isKeyword(Context.getLangOpts()) ||
         Context.Idents.get(Scalar).isKeyword(Context.getLangOpts());
}

std::string BuildVariance::keywordOfProgram(ArrayRef<Edit> List) {
  StringRef All = fileText(Context);
  std::string Old;
  for (const Edit &E : List)
    Old += All.substr(E.Offset, E.Length).str() + " ";
  const std::vector<StringRef> Kept = wordsIn(Old);
  for (const Edit &E : List)
    for (StringRef Word : macrosIn(E.Text, Context))
      if (!is_contained(Kept, Word) && isWordOfLanguage(Word, Context))
        return Word.str();
  return "";
}

std::string BuildVariance::obstacle(ArrayRef<Edit> List) {
  if (!OddPart.empty())
    return OddPart;
  if (std::string Word = keywordOfProgram(List); !Word.empty())
    return "a word of the language that it would write is a macro of the "
           "program: '" +
           Word + "'; give the macro another name";
  StringRef All = fileText(Context);
  std::map<StringRef, int> Kept;
  for (const Edit &E : List) {
    StringRef Old = All.substr(E.Offset, E.Length);
    for (StringRef Macro : Macros.unstableIn(Old))
      --Kept[Macro];
    for (StringRef Macro : Macros.unstableIn(E.Text))
      ++Kept[Macro];
    if (CountsLines && Old.count('\n') != StringRef(E.Text).count('\n'))
      return "the program uses __LINE__, which would be another number behind "
             "the edit; write a number in its place";
  }
  if (Macros.isOnlyBuild()) {
    // What is a directive in one of these builds may be none in another one.
    auto holdsOne = [&](const Edit &E) {
      return !holdsPragmasOnly(All.substr(E.Offset, E.Length));
    };
    return any_of(List, holdsOne)
               ? "a preprocessor directive stands in what it would replace"
               : "";
  }
  for (const auto &[Macro, Count] : Kept)
    if (Count < 0)
      return "a macro in what it would replace may be another one with other "
             "build options: '" +
             Macro.str() + Once;
  if (SourceRange Head = headOfSplit(List); Head.isValid())
    return "a branch or a loop may stand before its statement with other "
           "build options, and be about the first of several then: '" +
           text(Head, Context).value_or("").str() +
           "'; put the statement into braces";
  if (SourceRange Else = elseBehind(List); Else.isValid())
    return "an else may stand behind its branch with other build options: '" +
           text(Else, Context).value_or("").str() +
           "'; put the branch into braces";
  return "";
}

} // namespace clrewrite::rewrite
