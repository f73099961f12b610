// Directives are read by Clang's raw lexer, which sees those in code that the
// preprocessor skips as well.
#include "frontend/Switches.h"
#include "frontend/RawTokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <functional>
#include <set>

using namespace llvm;

namespace clrewrite::frontend {
namespace {

using Macros = std::vector<std::string>;
using Spellings = ArrayRef<std::string>;

bool isIdentifier(StringRef Word) {
  return !Word.empty() && (isAlpha(Word.front()) || Word.front() == '_');
}

/// Takes a term from the front of \p Rest: `defined(X)`, `X` or `X == 2`. Gives
/// the macro that it asks for, which is empty where it asks that one be not
/// defined; none where the term is not understood.
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

/// A parenthesis is open around all of \p Rest.
bool isOneParenthesis(Spellings Rest) {
  int Depth = 0;
  for (size_t I = 0; I < Rest.size(); ++I) {
    Depth += Rest[I] == "(" ? 1 : Rest[I] == ")" ? -1 : 0;
    if (Depth == 0)
      return I > 0 && I + 1 == Rest.size();
  }
  return false;
}

/// What makes the condition true; none where it is not understood. Of `||` the
/// first that asks for a macro is enough.
std::optional<Macros> takeCondition(Spellings Rest) {
  if (isOneParenthesis(Rest))
    return takeCondition(Rest.drop_front().drop_back());
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

/// The macros that the condition wants not to be defined: X of `!defined(X)`.
Macros absentIn(Spellings Rest) {
  Macros Out;
  for (; Rest.size() > 2; Rest = Rest.drop_front())
    if (Rest[0] == "!" && Rest[1] == "defined") {
      const bool Opened = Rest[2] == "(" && Rest.size() > 3;
      Out.push_back(Rest[Opened ? 3 : 2]);
    }
  return Out;
}

/// Follows the conditions of a text from directive to directive.
class ConditionReader {
public:
  /// \p Directive is its words, from the first behind the '#'.
  void take(Spellings Directive) {
    StringRef Kind = Directive.front();
    Spellings Rest = Directive.drop_front();
    if (Kind == "ifdef" && !Rest.empty())
      Levels.push_back({Macros{Rest.front()}, {}});
    else if (Kind == "ifndef" && !Rest.empty())
      Levels.push_back({Macros{}, Macros{Rest.front()}});
    else if (Kind == "if")
      Levels.push_back({takeCondition(Rest), absentIn(Rest)});
    else if (Levels.empty())
      return;
    else if (Kind == "elif")
      Levels.back() = {takeCondition(Rest), {}};
    else if (Kind == "else") // of #ifndef X, or of one that asks for macros
      Levels.back() = {Levels.back().Absent, {}};
    else if (Kind == "endif")
      Levels.pop_back();
  }

  /// What all of them need; none where one is not understood.
  std::optional<Macros> needs() const {
    Macros Out;
    for (const Level &L : Levels) {
      if (!L.Needs)
        return std::nullopt;
      append_range(Out, *L.Needs);
    }
    return Out;
  }

  /// The macros that lack where the innermost of them holds.
  Macros absent() const {
    return Levels.empty() ? Macros{} : Levels.back().Absent;
  }

private:
  struct Level {
    std::optional<Macros> Needs;
    Macros Absent;
  };
  std::vector<Level> Levels;
};

} // namespace

void Switches::read(StringRef Text) {
  ConditionReader Conditions;
  bool InDirective = false;
  Macros Directive;   // its words
  std::string Before; // the token before, where that is a name
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
          if (!Directive.empty()) {
            Conditions.take(Directive);
            note(Directive, Conditions.needs(), Conditions.absent());
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

void Switches::note(ArrayRef<std::string> Directive,
                    std::optional<Needs> Needed, ArrayRef<std::string> Absent) {
  if (Directive[0] == "define" && Directive.size() > 1) {
    if (Needed && Needed->empty())
      Defined.insert(Directive[1]);
    else if (Needed)
      Ways[Directive[1]].push_back(std::move(*Needed));
  }
  if (Directive[0] == "error" && Needed && Needed->empty())
    append_range(Demanded, Absent);
  for (size_t I = 1; I + 2 < Directive.size(); ++I)
    if (isIdentifier(Directive[I]) && Directive[I + 1] == "==" &&
        isDigit(Directive[I + 2].front()))
      Compared.insert({Directive[I], Directive[I + 2]});
}

std::vector<std::pair<std::string, std::string>> Switches::demanded() const {
  std::vector<std::pair<std::string, std::string>> Out;
  for (const std::string &Name : Demanded) {
    auto It = Compared.find(Name);
    Out.push_back({Name, It == Compared.end() ? "16" : It->second});
  }
  return Out;
}

Switches::Needs Switches::rooted(const Needs &N) const {
  constexpr size_t MostFollowed = 1000;
  std::set<std::string> Out, Seen;
  std::function<void(const Needs &)> add = [&](const Needs &List) {
    for (const std::string &Each : List)
      if (Seen.insert(Each).second) {
        if (auto It = Ways.find(Each);
            It != Ways.end() && Seen.size() < MostFollowed)
          add(It->second.front());
        else
          Out.insert(Each);
      }
  };
  add(N);
  if (Out.empty()) // they need one another
    Out.insert(N.begin(), N.end());
  // A macro that has a value is defined, too.
  for (const std::string &Each : Needs(Out.begin(), Out.end()))
    if (size_t At = Each.find('='); At != std::string::npos)
      Out.erase(Each.substr(0, At));
  return {Out.begin(), Out.end()};
}

std::vector<Switch> Switches::giving(ArrayRef<std::string> Names) const {
  constexpr size_t MostWays = 64;
  std::map<std::string, std::vector<Needs>> Known;
  std::vector<Switch> Out;
  for (const std::string &Name : Names) {
    auto It = Ways.find(Name);
    if (It == Ways.end() || Known.count(Name))
      continue;
    for (const Needs &N : It->second) {
      Needs Root = rooted(N);
      if (any_of(Root, [&](const std::string &Each) {
            return Each == Name || StringRef(Each).starts_with("__");
          }))
        continue;
      Known[Name].push_back(Root);
      if (Out.size() < MostWays &&
          none_of(Out, [&](const Switch &S) { return S.Macros == Root; }))
        Out.push_back({std::move(Root), {}});
    }
  }
  for (Switch &S : Out)
    for (const std::string &Name : Names)
      if (!is_contained(S.Names, Name) &&
          any_of(Known[Name], [&](const Needs &N) {
            return std::includes(S.Macros.begin(), S.Macros.end(), N.begin(),
                                 N.end());
          }))
        S.Names.push_back(Name);
  stable_sort(Out, [](const Switch &A, const Switch &B) {
    return A.Names.size() > B.Names.size();
  });
  return Out;
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
