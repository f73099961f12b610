// Words are followed through macros and functions until none is new.
#include "OtherBuilds.h"
#include "frontend/RawTokens.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/text/Directives.h"
#include "rewrite/text/Text.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// \p Word tells work-items apart, lets them wait for each other or share what
/// their group has, or may do so: the functions that ask, but for those that
/// all work-items get one answer from, and what the language does not define.
bool tellsWorkItems(StringRef Word) {
  if (Word.starts_with("get_"))
    return !Word.starts_with("get_image_") &&
           !is_contained(
               {"get_global_size", "get_global_offset", "get_work_dim"}, Word);
  if (Word.starts_with("__"))
    return !is_contained({"__attribute__", "__constant", "__global", "__kernel",
                          "__private", "__read_only", "__read_write",
                          "__write_only"},
                         Word);
  if (is_contained({"reqd_work_group_size", "work_group_size_hint"}, Word))
    return false;
  for (StringRef Part : {"atom_", "atomic_", "barrier", "fence", "sub_group_",
                         "work_group_", "async_", "_pipe", "enqueue_"})
    if (Word.contains(Part))
      return true;
  return is_contained(
      {"asm", "local", "pipe", "printf", "volatile", "wait_group_events"},
      Word);
}

/// What a kernel's words may lead to in any build: what macros stand for, and
/// the functions of the program.
class OtherBuilds {
public:
  explicit OtherBuilds(ASTContext &Context)
      : Context(Context), SM(Context.getSourceManager()) {
    std::set<std::string, std::less<>> Included;
    for (StringRef Text : userTexts(SM))
      addDirectives(directivesIn(Text, Context.getLangOpts()), Included);
    addDirectives(directivesIn(commandLine(SM), Context.getLangOpts()),
                  Included);
    for (StringRef Text : userTexts(SM))
      addDeclared(withoutDirectives(Text, /*KeepPragmas=*/false));
    for (const Decl *D : Context.getTranslationUnitDecl()->decls())
      if (const auto *F = dyn_cast<FunctionDecl>(D);
          F && F->doesThisDeclarationHaveABody())
        Defined[F->getName()] = F;
    for (const auto &File : Included)
      LacksFiles |= !isRead(File);
  }

  /// The first word of \p F, apart from those at \p Known, by which some build
  /// may see which work-item has which ids, or a directive that may bring one;
  /// empty where there is none.
  StringRef firstIn(const FunctionDecl &F,
                    const std::set<const char *> &Known) {
    StringRef Text =
        text({F.getLocation(), F.getBody()->getEndLoc()}, Context).value_or("");
    if (Text.empty())
      return SM.getBufferData(SM.getMainFileID()).take_front(1);
    if (StringRef Line = oddLine(Text); !Line.empty())
      return Line;
    for (StringRef Word : identifiersIn(Text))
      if (Word != F.getName() && !Known.count(Word.data()) && leadsAstray(Word))
        return Word;
    return "";
  }

  bool declaresAny(ArrayRef<StringRef> Names) const {
    return any_of(Names,
                  [&](StringRef Name) { return Declared.contains(Name); });
  }

private:
  ASTContext &Context;
  const SourceManager &SM;
  StringMap<std::vector<std::string>> Macros; ///< with their parameters
  StringMap<const FunctionDecl *> Defined;
  /// Of which some text says that they are functions.
  StringSet<> Declared;
  bool LacksFiles = false; ///< a directive names a file that was not read
  StringSet<> Harmless;    ///< words that were followed

  void addDirectives(ArrayRef<std::string> Lines,
                     std::set<std::string, std::less<>> &Included) {
    for (StringRef Line : Lines) {
      if (Line.consume_front("define")) {
        Line = Line.ltrim();
        StringRef Name =
            Line.take_while([](char C) { return isAlnum(C) || C == '_'; });
        Macros[Name].push_back(Line.drop_front(Name.size()).str());
      } else if (Line.consume_front("include") ||
                 Line.consume_front("import")) {
        Included.insert(Line.trim(" \t\"<>").str());
      }
    }
  }

  bool isRead(StringRef File) const {
    for (auto It = SM.fileinfo_begin(); It != SM.fileinfo_end(); ++It)
      if (It->first.getName().ends_with(File))
        return true;
    return false;
  }

  static bool isType(StringRef Word) {
    return is_contained({"void", "bool", "char", "uchar", "short", "ushort",
                         "int", "uint", "long", "ulong", "half", "float",
                         "double", "size_t"},
                        Word.rtrim("0123456789"));
  }

  /// `T name(` and `float *name(` say that a name is a function's, and a macro
  /// outside of functions, `DEFINE(name)`, may do so.
  void addDeclared(StringRef Text) {
    StringRef Third, Second, Last; // identifiers and stars, empty for others
    int Braces = 0, Parens = 0, Given = 0; // Given: from that many Parens on
    frontend::eachRawToken(Text, [&](tok::TokenKind Kind, size_t At,
                                     StringRef Token) {
      Braces += Kind == tok::l_brace ? 1 : Kind == tok::r_brace ? -1 : 0;
      bool IsWord = Kind == tok::raw_identifier;
      if (Kind == tok::l_paren) {
        ++Parens;
        if (isSpecified(Third, Second, Last))
          Declared.insert(Last);
        if (!Given && Braces <= 0 && Macros.contains(Last))
          Given = Parens;
      } else if (Kind == tok::r_paren) {
        Given = Given == Parens ? 0 : Given;
        --Parens;
      } else if (IsWord && Given) {
        Declared.insert(Token);
      }
      Third = Second;
      Second = Last;
      Last = IsWord || Kind == tok::star ? Text.substr(At, Token.size()) : "";
    });
  }

  /// What stands before a parenthesis declares the function \p Name.
  static bool isSpecified(StringRef Third, StringRef Second, StringRef Name) {
    bool HasType =
        Second == "*"
            ? isType(Third)
            : !Second.empty() &&
                  !is_contained({"return", "else", "case", "do"}, Second);
    return HasType && !Name.empty() && Name != "*" &&
           !is_contained({"if", "for", "while", "switch", "sizeof", "return",
                          "__attribute__"},
                         Name);
  }

  static std::vector<StringRef> identifiersIn(StringRef Text) {
    std::vector<StringRef> Out;
    frontend::eachRawToken(
        Text, [&](tok::TokenKind Kind, size_t At, StringRef Token) {
          if (Kind == tok::raw_identifier)
            Out.push_back(Text.substr(At, Token.size()));
        });
    return Out;
  }

  /// A line that another one goes on, or a directive but for those that choose
  /// an arm; empty for none.
  static StringRef oddLine(StringRef Text) {
    for (StringRef Line : split(Text, '\n')) {
      std::optional<StringRef> D = directive(Line);
      StringRef Word =
          D ? D->take_while([](char C) { return isAlpha(C); }) : "";
      bool Chooses = is_contained(
          {"if", "ifdef", "ifndef", "elif", "else", "endif", "pragma"}, Word);
      if (Line.rtrim().ends_with("\\") || (D && !Chooses))
        return Line.trim();
    }
    return "";
  }

  /// \p First, or a word that it leads to, tells work-items apart, or nobody
  /// knows what it is.
  bool leadsAstray(StringRef First) {
    MacroStability &Stable = MacroStability::of(Context);
    std::vector<std::string> Todo{First.str()};
    while (!Todo.empty()) {
      std::string Word = std::move(Todo.back());
      Todo.pop_back();
      if (Harmless.contains(Word))
        continue;
      const FunctionDecl *F = Defined.lookup(Word);
      auto It = Macros.find(Word);
      if (!F && It == Macros.end() && tellsWorkItems(Word))
        return true;
      std::vector<StringRef> Texts;
      if (It != Macros.end()) {
        if (LacksFiles && !Stable.isFixed(Word))
          return true;
        for (StringRef Body : It->second) {
          if (Body.contains('#') && !Stable.isStable(Word))
            return true;
          Texts.push_back(Body);
        }
      }
      if (F) {
        std::optional<StringRef> Own = textOf(*F);
        if (!Own || isInArm(F->getLocation(), Context) ||
            !oddLine(*Own).empty())
          return true;
        Texts.push_back(*Own);
      } else if (Declared.contains(Word)) {
        return true;
      }
      Harmless.insert(Word);
      for (StringRef Text : Texts)
        for (StringRef Each : identifiersIn(Text))
          Todo.push_back(Each.str());
    }
    return false;
  }

  /// None of a function that a macro writes.
  std::optional<StringRef> textOf(const FunctionDecl &F) const {
    SourceRange Body = F.getBody()->getSourceRange();
    if (!F.getLocation().isFileID() || !Body.getBegin().isFileID() ||
        !Body.getEnd().isFileID())
      return std::nullopt;
    return Lexer::getSourceText(SM.getExpansionRange(F.getSourceRange()), SM,
                                Context.getLangOpts());
  }
};

} // namespace

StringRef tellsApartSomewhere(const FunctionDecl &F,
                              const std::set<const char *> &Known,
                              ASTContext &Context) {
  return OtherBuilds(Context).firstIn(F, Known);
}

bool declaresSomewhere(ArrayRef<StringRef> Names, ASTContext &Context) {
  return OtherBuilds(Context).declaresAny(Names);
}

} // namespace clrewrite::rewrite
