// Tests are found by Clang's raw lexer, which also sees those in code that the
// preprocessor skips.
#include "frontend/AskedNames.h"
#include "frontend/RawTokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <set>
#include <utility>

using namespace llvm;

namespace clrewrite::frontend {

bool mayBePredefined(StringRef Name) {
  return (Name.starts_with("__") && Name != "__cplusplus") ||
         Name.starts_with("cl_") || Name.starts_with("CL_VERSION_") ||
         Name.starts_with("FP_FAST_");
}

bool isGuardOf(StringRef Path, StringRef Name) {
  auto words = [](StringRef Text) {
    std::string Out = "_";
    for (char C : Text)
      if (isAlnum(C) || Out.back() != '_')
        Out += isAlnum(C) ? toLower(C) : '_';
    return StringRef(Out).rtrim('_').str();
  };
  StringRef File = sys::path::filename(Path);
  return File.contains('.') && isASCII(File) &&
         StringRef(words(Name)).ends_with(words(File));
}

namespace {

/// The macro that tells of a built-in function whether there is one.
constexpr char Query[] = "__has_builtin";

/// A name that compilers may predefine, where a text has it.
struct Use {
  std::string Name;
  size_t At;  ///< offset in bytes
  size_t End; ///< offset behind the name, or behind the query
  enum Kind {
    Tests,   ///< It is only asked whether it is defined.
    Guards,  ///< Tests it by #ifndef, as a header does with its guard.
    Queries, ///< A condition has __has_builtin(X), and so does Question.
    Defines, ///< The query's macro gets another definition, or none.
    Other
  } How;
  std::string Question;
};

/// Takes the tokens of a text one after the other, and notes such names.
class NameReader {
  bool InDirective = false, MayTest = false;
  std::string Directive; ///< its word
  /// The tokens of a query that have been read: its name, a parenthesis and
  /// an identifier.
  unsigned QueryTokens = 0;

public:
  std::vector<Use> Uses;
  /// Each name is spelled as it is.
  bool Plain = true;
  bool Includes = false;          ///< some other file
  std::set<std::string> Builtins; ///< that get a definition, or none, as macros

  void take(const clang::Token &T, size_t At, StringRef Spelling) {
    bool Begins = T.is(clang::tok::hash) && T.isAtStartOfLine();
    if (Begins || T.is(clang::tok::eod)) {
      Plain &= !Begins || Spelling == "#";
      InDirective = Begins;
      Directive.clear();
      MayTest = false;
      QueryTokens = 0;
      return;
    }
    // These pragmas change a macro without a #define or an #undef.
    Plain &=
        !Spelling.contains("push_macro") && !Spelling.contains("pop_macro");
    bool IsName = T.is(clang::tok::raw_identifier);
    if (IsName)
      Plain &= !T.needsCleaning() && !T.hasUCN() && isASCII(Spelling) &&
               !Spelling.starts_with(AnswersPrefix);
    if (takeInQuery(T, At, Spelling))
      return;
    if (!IsName)
      MayTest &= T.is(clang::tok::l_paren);
    else if (InDirective && Directive.empty())
      takeDirective(Spelling);
    else if (isCondition() && Spelling == "defined")
      MayTest = true;
    else
      takeName(Spelling, At);
  }

private:
  bool isCondition() const { return Directive == "if" || Directive == "elif"; }

  /// \p T continues the query whose name was the last use.
  bool takeInQuery(const clang::Token &T, size_t At, StringRef Spelling) {
    if (QueryTokens == 0)
      return false;
    static constexpr clang::tok::TokenKind Kinds[] = {
        clang::tok::l_paren, clang::tok::raw_identifier, clang::tok::r_paren};
    if (T.isNot(Kinds[QueryTokens - 1]) ||
        (T.is(clang::tok::raw_identifier) &&
         !Spelling.starts_with("__builtin_"))) {
      QueryTokens = 0;
      return false;
    }
    Uses.back().Question += Spelling;
    if (QueryTokens++ == std::size(Kinds)) {
      Uses.back().How = Use::Queries;
      Uses.back().End = At + Spelling.size();
      QueryTokens = 0;
    }
    return true;
  }

  void takeDirective(StringRef Word) {
    Directive = Word.str();
    MayTest = is_contained({"ifdef", "ifndef", "elifdef", "elifndef"}, Word);
    Includes |= Word == "include";
    Plain &= MayTest || isCondition() || Word == "include" ||
             is_contained({"else", "endif", "define", "undef", "pragma",
                           "error", "warning", "line"},
                          Word);
  }

  void takeName(StringRef Name, size_t At) {
    bool Tests = std::exchange(MayTest, false);
    bool Defines = Directive == "define" || Directive == "undef";
    if (Defines)
      Directive = "its definition";
    if (Directive == "pragma" && Name == "OPENCL")
      Directive = "its pragma"; // where no macro is expanded
    if (!mayBePredefined(Name) || Directive == "its pragma" ||
        Directive == "error")
      return;
    Uses.push_back({Name.str(), At, At + Name.size(), Use::Other, Name.str()});
    if (Tests)
      Uses.back().How = Directive == "ifndef" ? Use::Guards : Use::Tests;
    else if (Defines && Name == Query)
      Uses.back().How = Use::Defines;
    else if (isCondition() && Name == Query)
      QueryTokens = 1;
    if (Defines && Name.starts_with("__builtin_"))
      Builtins.insert(Name.str());
  }
};

NameReader read(StringRef Text) {
  NameReader R;
  // Trigraphs are another text for some compilers.
  R.Plain = !Text.contains("?\?");
  eachTokenOfDirectives(
      Text, [&](const clang::Token &T, size_t At, StringRef Spelling) {
        R.take(T, At, Spelling);
        return true;
      });
  // An answer in the place of a query over two lines would have one.
  R.Plain &= none_of(R.Uses, [&](const Use &U) {
    return Text.slice(U.At, U.End).contains('\n');
  });
  return R;
}

} // namespace

std::vector<std::string>
askedNames(ArrayRef<StringRef> Texts,
           const std::map<std::string, std::string> &Headers) {
  std::vector<std::string> Asked;
  std::set<std::string> Others, Builtins;
  auto asks = [&](const std::string &Question) {
    if (!is_contained(Asked, Question))
      Asked.push_back(Question);
  };
  auto take = [&](StringRef Path, StringRef Text) {
    NameReader R = read(Text);
    for (const Use &U : R.Uses) {
      if (U.How == Use::Other)
        Others.insert(U.Name);
      // A compiler that lacks the query's macro may refuse the text.
      if (U.How == Use::Tests || U.How == Use::Queries ||
          (U.How == Use::Guards && !isGuardOf(Path, U.Name)))
        asks(U.Name);
      if (U.How == Use::Queries)
        asks(U.Question);
    }
    Builtins.merge(R.Builtins);
    return R.Plain && (!R.Includes || !Headers.empty());
  };
  if (!all_of(Texts, [&](StringRef Text) { return take("", Text); }) ||
      !all_of(Headers,
              [&](const auto &Each) { return take(Each.first, Each.second); }))
    return {};
  // Where its argument is a macro, one spelling may be several queries.
  for (StringRef Question : Asked)
    if (Builtins.count(Question.split('(').second.rtrim(')').str()))
      Others.insert(Query);
  llvm::erase_if(Asked, [&](StringRef Question) {
    return Others.count(Question.split('(').first.str());
  });
  return Asked;
}

std::string withAnswers(StringRef Text,
                        const std::map<std::string, bool> &Answers) {
  std::string Out;
  size_t Done = 0;
  auto put = [&](size_t At, size_t End, StringRef New) {
    Out += Text.slice(Done, At).str() + AnswersPrefix + New.str();
    Done = End;
  };
  for (const Use &U : read(Text).Uses) {
    auto Is = Answers.find(U.Name), Says = Answers.find(U.Question);
    if (U.How == Use::Other || Is == Answers.end())
      continue;
    size_t NameEnd = U.At + U.Name.size();
    if (!Is->second) {
      // Under the new name it is what the text itself defines, or nothing.
      put(U.At, NameEnd, "NO_" + U.Name);
      if (U.How == Use::Queries) {
        size_t Argument = Text.find("__builtin_", NameEnd);
        put(Argument, Argument, "");
      }
    } else if (U.How != Use::Defines && Says != Answers.end())
      put(U.At, U.End, Says->second ? "YES" : "NO_" + U.Name);
  }
  return Out + Text.substr(Done).str();
}

} // namespace clrewrite::frontend
