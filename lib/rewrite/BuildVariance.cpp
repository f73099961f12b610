// An edit varies with the build where it removes an unstable macro, or writes
// out a type that an unstable typedef may stand for. So does one that makes
// several statements of one where another build has a branch or a loop before
// it, and no braces, or that parts a branch from the `else` of another build.
#include "rewrite/BuildVariance.h"
#include "frontend/RawTokens.h"
#include "rewrite/text/Directives.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

/// Adds \p Sign for each word of \p Text that is one of OpenCL C's names of
/// scalar and vector types, and gives their sum.
static int countTypes(StringRef Text, int Sign,
                      std::map<StringRef, int> &Into) {
  int Count = 0;
  for (StringRef Word : wordsIn(Text)) {
    if (!is_contained({"char", "uchar", "short", "ushort", "int", "uint",
                       "long", "ulong", "half", "float", "double"},
                      Word.rtrim("0123456789")))
      continue;
    Into[Word] += Sign;
    Count += Sign;
  }
  return Count;
}

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

BuildVariance::BuildVariance(const ASTContext &Context)
    : Context(Context), Macros(Context), CountsLines(countsLines(Context)) {}

const std::string &BuildVariance::unstableType(const FunctionDecl &F) {
  auto [It, New] = Unstable.insert({&F, ""});
  if (New)
    It->second = Macros.unstableTypeIn(F);
  return It->second;
}

namespace {

class BlockSearch : public DynamicRecursiveASTVisitor {
public:
  explicit BlockSearch(function_ref<void(const CompoundStmt *)> Use)
      : Use(Use) {}
  bool VisitCompoundStmt(CompoundStmt *Block) override {
    Use(Block);
    return true;
  }

private:
  function_ref<void(const CompoundStmt *)> Use;
};

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

const BuildVariance::Statement *BuildVariance::changedBy(const Edit &E) {
  const SourceManager &SM = Context.getSourceManager();
  StringRef File = SM.getBufferData(SM.getMainFileID());
  if (!Statements) {
    Statements.emplace();
    BlockSearch([&](const CompoundStmt *Block) {
      for (const Stmt *S : Block->body()) {
        SourceRange Whole = wholeStatement(S, Context);
        std::optional<StringRef> Text = text(Whole, Context);
        if (!Text)
          continue;
        auto Begin = unsigned(Text->begin() - File.begin());
        Statements->push_back(
            {Begin, Begin + unsigned(Text->size()), S, Block});
      }
    }).TraverseDecl(Context.getTranslationUnitDecl());
  }
  unsigned At =
      E.Offset + unsigned(File.drop_front(E.Offset).take_while(isSpace).size());
  const Statement *Out = nullptr;
  for (const Statement &S : *Statements)
    if (S.Begin <= At && E.Offset <= S.End && (!Out || Out->Begin < S.Begin))
      Out = &S;
  return Out;
}

SourceRange BuildVariance::headOfSplit(ArrayRef<Edit> List) {
  const SourceManager &SM = Context.getSourceManager();
  StringRef File = SM.getBufferData(SM.getMainFileID());
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
    if (!Splits || StringRef(First->Text).ltrim().starts_with("{"))
      continue;
    if (SourceRange Head = beforeStatement(S->Code, *S->Block, Context);
        Head.isValid())
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

/// What the user can do about it.
constexpr char Once[] =
    "'; where it is always the same, define it once, without #if, in the file";

std::string BuildVariance::obstacle(ArrayRef<Edit> List,
                                    const FunctionDecl *F) {
  const SourceManager &SM = Context.getSourceManager();
  StringRef All = SM.getBufferData(SM.getMainFileID());
  std::map<StringRef, int> Kept, Types;
  bool WritesTypes = false;
  for (const Edit &E : List) {
    StringRef Old = All.substr(E.Offset, E.Length);
    for (StringRef Macro : Macros.unstableIn(Old))
      --Kept[Macro];
    for (StringRef Macro : Macros.unstableIn(E.Text))
      ++Kept[Macro];
    if (CountsLines && Old.count('\n') != StringRef(E.Text).count('\n'))
      return "the program uses __LINE__, which would be another number behind "
             "the edit; write a number in its place";
    // What several sites share is a macro's definition (Macro.h), whose types
    // have nothing to do with those of the program.
    if (!E.Shared)
      WritesTypes |=
          countTypes(E.Text, 1, Types) + countTypes(Old, -1, Types) > 0;
  }
  // Text that is only moved writes no type anew.
  WritesTypes &= any_of(Types, [](const auto &T) { return T.second > 0; });
  for (const auto &[Macro, Count] : Kept)
    if (Count < 0)
      return "a macro in what it would replace may be another one with other "
             "build options: '" +
             Macro.str() + Once;
  if (F && WritesTypes && !unstableType(*F).empty())
    return "a type that it would write out may be another one with other "
           "build options: '" +
           unstableType(*F) + Once;
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
