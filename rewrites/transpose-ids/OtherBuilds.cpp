// Words are followed through macros and functions until none is new.
#include "OtherBuilds.h"
#include "frontend/RawTokens.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/text/Directives.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <deque>

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::transpose_ids {
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
    return !is_contained(
        {"__FILE__", "__LINE__", "__VA_ARGS__", "__attribute__",
         "__builtin_assume", "__builtin_expect", "__const", "__constant",
         "__global", "__inline", "__kernel", "__private", "__read_only",
         "__read_write", "__restrict", "__restrict__", "__write_only"},
        Word);
  if (is_contained({"reqd_work_group_size", "work_group_size_hint"}, Word))
    return false;
  for (StringRef Start : {"atom_", "atomic_", "sub_group_", "work_group_",
                          "async_work_group_", "enqueue_"})
    if (Word.starts_with(Start))
      return true;
  return Word.ends_with("_barrier") || Word.ends_with("_mem_fence") ||
         Word.ends_with("_pipe") ||
         is_contained({"asm", "barrier", "local", "mem_fence", "pipe", "printf",
                       "volatile", "wait_group_events"},
                      Word);
}

/// A parenthesis may stand behind \p Word, and it is no function of the
/// program: one of OpenCL C's that computes, converts, loads or stores, a
/// keyword, or an attribute.
bool isHarmlessCall(StringRef Word) {
  for (StringRef Start : {"convert_", "as_", "vload", "vstore", "read_image",
                          "write_image", "get_image_", "native_", "half_"})
    if (Word.starts_with(Start))
      return true;
  static const StringSet<> Known = [] {
    StringSet<> Out;
    for (
        StringRef Names :
        {"if for while switch sizeof return else do case defined",
         "__attribute__ __builtin_assume __builtin_expect aligned "
         "always_inline noinline opencl_unroll_hint overloadable packed "
         "reqd_work_group_size vec_type_hint work_group_size_hint "
         "get_global_size get_global_offset get_work_dim",
         "acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi "
         "cbrt ceil copysign cos cosh cospi erfc erf exp exp2 exp10 expm1 fabs "
         "fdim floor fma fmax fmin fmod fract frexp hypot ilogb ldexp lgamma "
         "lgamma_r log log2 log10 log1p logb mad maxmag minmag modf nan "
         "nextafter pow pown powr remainder remquo rint rootn round rsqrt sin "
         "sincos sinh sinpi sqrt tan tanh tanpi tgamma trunc",
         "abs abs_diff add_sat hadd rhadd clamp clz ctz mad_hi mad_sat max min "
         "mul_hi rotate sub_sat upsample popcount mad24 mul24 degrees mix "
         "radians step smoothstep sign cross dot distance length normalize "
         "fast_distance fast_length fast_normalize",
         "isequal isnotequal isgreater isgreaterequal isless islessequal "
         "islessgreater isfinite isinf isnan isnormal isordered isunordered "
         "signbit any all bitselect select shuffle shuffle2 vec_step prefetch"})
      for (StringRef Name : split(Names, ' '))
        Out.insert(Name);
    return Out;
  }();
  return Known.contains(Word);
}

/// An identifier of a text.
struct Word {
  StringRef Name;
  bool Called = false;       ///< a parenthesis follows
  bool ResultCalled = false; ///< and another one behind what it closes
};

/// What a kernel's words may lead to in any build: what macros stand for, and
/// the functions of the program.
class OtherBuilds {
public:
  explicit OtherBuilds(ASTContext &Context)
      : Context(Context), SM(Context.getSourceManager()) {
    std::set<std::string, std::less<>> Included;
    for (StringRef Text : userTexts(SM)) {
      addDirectives(directivesIn(Text, Context.getLangOpts()), Included);
      addDeclared(withoutDirectives(Text, /*KeepPragmas=*/false));
    }
    addDirectives(directivesIn(commandLine(SM), Context.getLangOpts()),
                  Included);
    for (const Decl *D : Context.getTranslationUnitDecl()->decls())
      if (const auto *F = dyn_cast<FunctionDecl>(D);
          F && F->doesThisDeclarationHaveABody())
        Defined[F->getName()].push_back(F);
    for (const auto &File : Included)
      IsPartial |= !isRead(File);
  }

  /// The first word of \p F, apart from those at \p Known, by which some build
  /// may see which work-item has which ids, or a directive that may bring one;
  /// empty where there is none.
  StringRef firstIn(const FunctionDecl &F,
                    const std::set<const char *> &Known) {
    StringRef Text =
        text({F.getLocation(), F.getBody()->getEndLoc()}, Context).value_or("");
    if (Text.empty())
      return fileText(Context).take_front(1);
    if (StringRef Line = oddLine(Text); !Line.empty())
      return Line;
    if (IsPartial)
      return Text.take_front(F.getName().size());
    for (const Word &W : wordsOf(Text))
      if (W.Name.data() != Text.data() && !Known.count(W.Name.data()) &&
          leadsAstray(W))
        return W.Name;
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
  StringMap<std::vector<const FunctionDecl *>> Defined;
  /// How often texts say of a name that it is a function's.
  StringMap<unsigned> Declared;
  /// A directive names a file that was not read, or what is no plain name, or a
  /// typedef hides local memory: nobody knows what a word is elsewhere.
  bool IsPartial = false;
  StringSet<> Harmless; ///< words that were followed, "name(" where called
  std::deque<std::string> Unpasted; ///< texts that words are parts of

  void addDirectives(ArrayRef<std::string> Lines,
                     std::set<std::string, std::less<>> &Included) {
    for (StringRef Line : Lines) {
      if (Line.consume_front("define")) {
        Line = Line.ltrim();
        StringRef Name = Line.take_while(isInWord);
        StringRef Body = Line.drop_front(Name.size());
        IsPartial |= Name.empty() || (!Body.empty() && Body.front() != '(' &&
                                      !isSpace(Body.front()));
        Macros[Name].push_back(Body.str());
      } else if (Line.consume_front("include") ||
                 Line.consume_front("import")) {
        Included.insert(Line.trim(" \t\"<>").str());
      }
    }
  }

  bool isRead(StringRef File) const {
    for (auto It = SM.fileinfo_begin(); It != SM.fileinfo_end(); ++It) {
      StringRef Read = It->first.getName();
      if (Read.consume_back(File) && (Read.empty() || Read.ends_with("/")))
        return true;
    }
    return false;
  }

  /// `T name(` says that a name is a function's.
  void addDeclared(StringRef Text) {
    StringRef Before, Last;
    bool InTypedef = false;
    frontend::eachRawToken(
        Text, [&](tok::TokenKind Kind, size_t At, StringRef Token) {
          bool IsWord = Kind == tok::raw_identifier;
          if (Kind == tok::l_paren && !Before.empty() && !Last.empty() &&
              !is_contained({"return", "else", "case", "do"}, Before))
            ++Declared[Last];
          InTypedef = Kind != tok::semi && (InTypedef || Token == "typedef");
          IsPartial |= InTypedef && (Token == "local" || Token == "__local");
          Before = Last;
          Last = IsWord ? Text.substr(At, Token.size()) : "";
        });
  }

  /// Those of code, as parts of \p Text: a condition of #if writes none.
  static std::vector<Word> wordsOf(StringRef Text) {
    std::vector<Word> Out;
    std::vector<std::optional<size_t>> Open; // the words that parentheses call
    std::optional<size_t> Last, Closed;      // right before, and by which ')'
    const std::string Code = withoutDirectives(Text, /*KeepPragmas=*/false);
    frontend::eachRawToken(
        Code, [&](tok::TokenKind Kind, size_t At, StringRef Token) {
          std::optional<size_t> Next, NextClosed;
          if (Kind == tok::raw_identifier) {
            Next = Out.size();
            Out.push_back({Text.substr(At, Token.size())});
          } else if (Kind == tok::l_paren) {
            if (Last)
              Out[*Last].Called = true;
            if (Closed)
              Out[*Closed].ResultCalled = true;
            Open.push_back(Last);
          } else if (Kind == tok::r_paren && !Open.empty()) {
            NextClosed = Open.back();
            Open.pop_back();
          }
          Last = Next;
          Closed = NextClosed;
        });
    return Out;
  }

  /// A line that another one goes on, a trigraph, or a directive but for those
  /// that choose an arm; empty for none.
  static StringRef oddLine(StringRef Text) {
    for (StringRef Line : split(Text, '\n')) {
      std::optional<StringRef> D = directive(Line);
      StringRef Name =
          D ? D->take_while([](char C) { return isAlpha(C); }) : "";
      bool Chooses = is_contained(
          {"if", "ifdef", "ifndef", "elif", "else", "endif", "pragma"}, Name);
      if (Line.rtrim().ends_with("\\") || Line.contains("??") ||
          Line.contains('$') || (D && !Chooses))
        return Line.trim();
    }
    return "";
  }

  /// Each ## of \p Body makes the name of a conversion or an access, or adds a
  /// letter to a number.
  static bool pastesKnown(StringRef Body) {
    if (Body.contains("%:") || Body.contains("??"))
      return false;
    for (size_t At = 0; (At = Body.find("##", At)) != StringRef::npos;
         At += 2) {
      StringRef Left = Body.take_front(At).rtrim(),
                Right = Body.drop_front(At + 2).ltrim();
      bool Converts =
          any_of(ArrayRef<StringRef>{"convert_", "as_", "vload", "vstore",
                                     "read_image", "write_image"},
                 [&](StringRef Name) { return Left.ends_with(Name); });
      StringRef Suffix = Right.take_while(isInWord);
      if (!Converts &&
          !is_contained({"f", "F", "h", "u", "U", "l", "L"}, Suffix))
        return false;
    }
    return true;
  }

  /// \p Body without what it pastes to a name or a number.
  static std::string unpasted(StringRef Body) {
    std::string Out;
    while (!Body.empty()) {
      auto [Left, Right] = Body.split("##");
      Out += Right.empty() ? Left : Left.rtrim();
      Body = Right.ltrim().drop_while(isInWord);
    }
    return Out;
  }

  /// What one definition of the macro \p W says may not be followed: it
  /// pastes names, or calls what it is given, or gives what is called then.
  /// Else its words are added to \p Into.
  bool isOpaque(StringRef Definition, const Word &W, std::vector<Word> &Into) {
    if (!pastesKnown(Definition))
      return true;
    if (Definition.contains("##"))
      Definition = Unpasted.emplace_back(unpasted(Definition));
    bool HasParameters = Definition.starts_with("(");
    if (HasParameters && W.ResultCalled)
      return true;
    auto [List, Body] = HasParameters ? Definition.split(')')
                                      : std::pair(StringRef(), Definition);
    StringSet<> Parameters;
    for (const Word &P : wordsOf(List))
      Parameters.insert(P.Name);
    for (Word Each : wordsOf(Body)) {
      if (Parameters.contains(Each.Name)) {
        if (Each.Called)
          return true;
        continue;
      }
      // `#define LOAD vload4`, and LOAD(0, p).
      Each.Called |= !HasParameters && W.Called;
      Into.push_back(Each);
    }
    return false;
  }

  /// \p First, or a word that it leads to, tells work-items apart, or nobody
  /// knows what it is.
  bool leadsAstray(const Word &First) {
    MacroStability &Stable = MacroStability::of(Context);
    std::vector<Word> Todo{First};
    while (!Todo.empty()) {
      const Word W = Todo.back();
      Todo.pop_back();
      auto Macro = Macros.find(W.Name);
      auto Bodies = Defined.find(W.Name);
      const bool IsMacro = Macro != Macros.end(),
                 IsFunction = W.Called && Bodies != Defined.end();
      if (!W.ResultCalled &&
          !Harmless.insert((W.Name + (W.Called ? "(" : "")).str()).second)
        continue;
      if (tellsWorkItems(W.Name) && !IsFunction &&
          !(IsMacro && Stable.isFixed(W.Name)))
        return true;
      if (IsMacro) {
        for (StringRef Definition : Macro->second)
          if (isOpaque(Definition, W, Todo))
            return true;
      } else if (W.Called && !IsFunction &&
                 (!isHarmlessCall(W.Name) || Declared.contains(W.Name))) {
        return true;
      }
      if (IsFunction) {
        const FunctionDecl &F = *Bodies->second.front();
        std::optional<StringRef> Own = textOf(F);
        if (!Own || Bodies->second.size() > 1 || Declared.lookup(W.Name) > 1 ||
            isInArm(F.getLocation(), Context) || !oddLine(*Own).empty())
          return true;
        for (const Word &Each : wordsOf(*Own))
          if (Each.Name != F.getName())
            Todo.push_back(Each);
      }
    }
    return false;
  }

  /// From the name on; none of a function that a macro writes.
  std::optional<StringRef> textOf(const FunctionDecl &F) const {
    SourceRange Body = F.getBody()->getSourceRange();
    if (!F.getLocation().isFileID() || !Body.getBegin().isFileID() ||
        !Body.getEnd().isFileID())
      return std::nullopt;
    return Lexer::getSourceText(
        CharSourceRange::getTokenRange(F.getLocation(), Body.getEnd()), SM,
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

} // namespace clrewrite::rewrite::transpose_ids
