// Directives are read by Clang's raw lexer, which sees those in code that the
// preprocessor skips as well.
#include "frontend/Switches.h"
#include "frontend/RawTokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::frontend {
namespace {

using Macros = std::vector<std::string>;
using Spellings = ArrayRef<std::string>;

bool isIdentifier(StringRef Word) {
  return !Word.empty() && (isAlpha(Word.front()) || Word.front() == '_');
}

/// The macro that \p Term asks for, at the front of \p Rest, which loses it:
/// `defined(X)`, `X` or `X == 2`. Empty where it asks for none, as `!` does.
/// None where it is not understood.
std::optional<std::string> takeTerm(Spellings &Rest) {
  auto take = [&](StringRef Word) {
    if (Rest.empty() || Rest.front() != Word)
      return false;
    Rest = Rest.drop_front();
    return true;
  };
  bool Negated = take("!");
  bool Asks = take("defined");
  bool Opened = take("(");
  if (Rest.empty() || !isIdentifier(Rest.front()))
    return std::nullopt;
  std::string Out = Rest.front();
  Rest = Rest.drop_front();
  if (!Asks && take("==")) {
    if (Rest.empty() || !isDigit(Rest.front().front()))
      return std::nullopt;
    Out += "=" + Rest.front();
    Rest = Rest.drop_front();
  }
  if (Opened && !take(")"))
    return std::nullopt;
  return Negated ? "" : Out;
}

/// What makes the condition true; none where it is not understood. Of `||` the
/// first that asks for a macro is enough.
std::optional<Macros> takeCondition(Spellings Rest) {
  Macros Out;
  StringRef Joint;
  std::string Joined;
  while (true) {
    std::optional<std::string> Term = takeTerm(Rest);
    if (!Term)
      return std::nullopt;
    if (!Term->empty() && (Joint != "||" || Out.empty()))
      Out.push_back(*Term);
    if (Rest.empty())
      return Out;
    if ((Rest.front() != "&&" && Rest.front() != "||") ||
        (!Joint.empty() && Rest.front() != Joint))
      return std::nullopt;
    Joined = Rest.front();
    Joint = Joined;
    Rest = Rest.drop_front();
  }
}

/// Follows the conditions of a text from directive to directive.
class ConditionReader {
public:
  /// \p Directive is its words, from the first behind the '#'.
  void take(Spellings Directive) {
    StringRef Kind = Directive.front();
    Spellings Rest = Directive.drop_front();
    if (Kind == "ifdef" && !Rest.empty())
      Levels.push_back(Macros{Rest.front()});
    else if (Kind == "ifndef")
      Levels.push_back(Macros{});
    else if (Kind == "if")
      Levels.push_back(takeCondition(Rest));
    else if (Kind == "elif" && !Levels.empty())
      Levels.back() = takeCondition(Rest);
    else if (Kind == "else" && !Levels.empty())
      Levels.back() = Macros{};
    else if (Kind == "endif" && !Levels.empty())
      Levels.pop_back();
  }

  /// What all of them need; none where one is not understood.
  std::optional<Macros> needs() const {
    Macros Out;
    for (const std::optional<Macros> &L : Levels) {
      if (!L)
        return std::nullopt;
      append_range(Out, *L);
    }
    return Out;
  }

private:
  std::vector<std::optional<Macros>> Levels;
};

} // namespace

void Switches::read(StringRef Text) {
  ConditionReader Conditions;
  bool InDirective = false;
  std::vector<std::string> Directive; // of the directive
  std::string Before;                 // the token before, where that is a name
  eachTokenOfDirectives(
      Text, [&](const clang::Token &T, size_t, StringRef Spelling) {
        if (T.is(clang::tok::hash) && T.isAtStartOfLine()) {
          InDirective = true;
          Directive.clear();
          Before.clear();
          return true;
        }
        if (InDirective && T.is(clang::tok::eod)) {
          InDirective = false;
          if (Directive.empty())
            return true;
          Conditions.take(Directive);
          if (Directive[0] == "define" && Directive.size() > 1) {
            std::optional<Macros> Needed = Conditions.needs();
            if (Needed && Needed->empty())
              Defined.insert(Directive[1]);
            else if (Needed)
              Ways[Directive[1]].push_back(std::move(*Needed));
          }
          return true;
        }
        bool IsName = T.is(clang::tok::raw_identifier);
        if (IsName && !(InDirective && Directive.size() == 1))
          Used.insert(Spelling);
        if (InDirective) {
          Directive.push_back(Spelling.str());
          return true;
        }
        if (IsName && !Before.empty() && Before != "return" &&
            Before != "else" && Before != "case")
          Declared.insert(Spelling);
        Before = IsName ? Spelling.str() : "";
        return true;
      });
}

Switches::Needs Switches::rooted(const Needs &N, unsigned Depth) const {
  Needs Out;
  for (const std::string &Each : N) {
    auto It = Ways.find(Each);
    if (It == Ways.end() || !Depth)
      Out.push_back(Each);
    else
      append_range(Out, rooted(It->second.front(), Depth - 1));
  }
  llvm::sort(Out);
  Out.erase(std::unique(Out.begin(), Out.end()), Out.end());
  return Out;
}

std::optional<Switch> Switches::giving(ArrayRef<std::string> Names) const {
  constexpr unsigned MostSteps = 4;
  std::vector<std::pair<std::string, std::vector<Needs>>> Known;
  for (const std::string &Name : Names)
    if (auto It = Ways.find(Name); It != Ways.end()) {
      Known.push_back({Name, {}});
      for (const Needs &N : It->second)
        Known.back().second.push_back(rooted(N, MostSteps));
    }
  std::optional<Switch> Best;
  for (const auto &[First, List] : Known)
    for (const Needs &Tried : List) {
      Switch S{Tried, {}};
      for (const auto &[Name, Others] : Known)
        if (any_of(Others, [&](const Needs &N) {
              return std::includes(Tried.begin(), Tried.end(), N.begin(),
                                   N.end());
            }))
          S.Names.push_back(Name);
      if (!Best || S.Names.size() > Best->Names.size())
        Best = std::move(S);
    }
  return Best;
}

std::string Switches::partOf(StringRef Name) const {
  if (Used.contains(Name) && !Defined.contains(Name))
    return "";
  StringRef Best;
  for (StringRef Part : Used.keys()) {
    StringRef Rest = Name;
    bool Ends = Rest.consume_back(Part);
    bool IsPart = Ends || (Rest.consume_front(Part) && all_of(Rest, isDigit));
    if (IsPart && !Rest.empty() && Part.size() > Best.size() &&
        Part.size() > 1 && none_of(Part, isLower) && isIdentifier(Part) &&
        !Defined.contains(Part))
      Best = Part;
  }
  return Best.str();
}

} // namespace clrewrite::frontend
