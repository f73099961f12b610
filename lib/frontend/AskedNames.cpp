// Tests are found by Clang's raw lexer, which also sees those in code that the
// preprocessor skips.
#include "frontend/AskedNames.h"
#include "frontend/RawTokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>
#include <utility>

using namespace llvm;

namespace clrewrite::frontend {

bool mayBePredefined(StringRef Name) {
  return Name.starts_with("__") || Name.starts_with("cl_") ||
         Name.starts_with("CL_VERSION_") || Name.starts_with("FP_FAST_");
}

namespace {

/// A name that compilers may predefine, where a text has it.
struct Use {
  std::string Name;
  size_t At; ///< offset in bytes
  /// It is only asked whether it is defined.
  bool Tests;
};

/// Takes the tokens of a text one after the other, and notes such names.
class NameReader {
  bool InDirective = false, MayTest = false;
  std::string Directive; ///< its word

public:
  std::vector<Use> Uses;
  /// Each name is spelled as it is.
  bool Plain = true;
  bool Includes = false; ///< some other file

  void take(const clang::Token &T, size_t At, StringRef Spelling) {
    bool Begins = T.is(clang::tok::hash) && T.isAtStartOfLine();
    if (Begins || T.is(clang::tok::eod)) {
      Plain &= !Begins || Spelling == "#";
      InDirective = Begins;
      Directive.clear();
      MayTest = false;
      return;
    }
    if (T.isNot(clang::tok::raw_identifier)) {
      MayTest &= T.is(clang::tok::l_paren);
      return;
    }
    Plain &= !T.needsCleaning() && !T.hasUCN() && isASCII(Spelling) &&
             !Spelling.starts_with(AnswersPrefix);
    if (InDirective && Directive.empty())
      takeDirective(Spelling);
    else if (isCondition() && Spelling == "defined")
      MayTest = true;
    else
      takeName(Spelling, At);
  }

private:
  bool isCondition() const { return Directive == "if" || Directive == "elif"; }

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
    if (mayBePredefined(Name) && Directive != "pragma" && Directive != "error")
      Uses.push_back({Name.str(), At, Tests});
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
  return R;
}

} // namespace

std::vector<std::string> askedNames(ArrayRef<StringRef> Texts, bool Complete) {
  std::vector<std::string> Tested;
  std::set<std::string> Others;
  for (StringRef Text : Texts) {
    NameReader R = read(Text);
    if (!R.Plain || (R.Includes && !Complete))
      return {};
    for (const Use &U : R.Uses)
      if (!U.Tests)
        Others.insert(U.Name);
      else if (!is_contained(Tested, U.Name))
        Tested.push_back(U.Name);
  }
  llvm::erase_if(Tested,
                 [&](const std::string &Name) { return Others.count(Name); });
  return Tested;
}

std::string withAnswers(StringRef Text,
                        const std::map<std::string, bool> &Answers) {
  std::string Out;
  size_t Done = 0;
  for (const Use &U : read(Text).Uses) {
    auto It = Answers.find(U.Name);
    if (!U.Tests || It == Answers.end())
      continue;
    Out += Text.slice(Done, U.At).str() + AnswersPrefix +
           (It->second ? "YES" : "NO");
    Done = U.At + U.Name.size();
  }
  return Out + Text.substr(Done).str();
}

} // namespace clrewrite::frontend
