// Each look tells what is missing yet: a header that is found lacks macros.
#include "pipeline/OptionFinder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::pipeline {

FoundOptions findOptions(StringRef Path, Sight First,
                         const OptionSources &From) {
  constexpr unsigned MostLooks = 6;
  FoundOptions Out;
  Out.Last = std::move(First);
  // "-D TILE", "-D ADD", "-I inc": of one macro there is one definition.
  auto subject = [](StringRef Option) {
    return Option.take_until([](char C) { return C == '=' || C == '('; });
  };
  auto add = [&](const std::string &Option, const std::string &Name) {
    if (any_of(Out.Options, [&](StringRef Each) {
          return subject(Each) == subject(Option);
        }))
      return false;
    Out.Options.push_back(Option);
    Out.Names.push_back(Name);
    return true;
  };
  auto passed = [&](StringRef Macro) {
    return From.Passed ? From.Passed(Macro) : std::nullopt;
  };
  auto nameOf = [](StringRef Macro) { return Macro.split('=').first; };
  auto isPassed = [&](const std::string &Macro) {
    std::optional<std::string> As = passed(nameOf(Macro));
    return As && (nameOf(Macro) == Macro || *As == Macro);
  };
  auto addSwitch = [&](ArrayRef<frontend::Switch> Ways) {
    if (Ways.empty())
      return false;
    auto Best = find_if(Ways, [&](const frontend::Switch &S) {
      return all_of(S.Macros, isPassed);
    });
    const frontend::Switch &S = Best == Ways.end() ? Ways.front() : *Best;
    bool Any = false;
    for (const std::string &Macro : S.Macros)
      if (add("-D " + Macro,
              nameOf(Macro).str() + " (for " + listed(S.Names) + ")")) {
        Any = true;
        if (!isPassed(Macro))
          Out.Guesses.push_back(nameOf(Macro).str());
      }
    return Any;
  };
  auto addName = [&](const frontend::MissingName &N) {
    if (std::optional<std::string> As = passed(N.Name))
      return add("-D " + *As, N.Name);
    bool Elsewhere = any_of(Out.Others, [&](const Definer &D) {
      return is_contained(D.Names, N.Name);
    });
    if (Elsewhere || N.Guess.empty() ||
        !add("-D " + N.Name + "=" + N.Guess, N.Name))
      return false;
    Out.Guesses.push_back(N.Name);
    return true;
  };
  auto addNames = [&](const frontend::Missing &Lacks) {
    bool Any = false;
    if (From.IncludeOf)
      for (const Definer &D : Out.Others)
        if (!D.HasKernel)
          Any |= add("-include " + From.IncludeOf(D.Path), listed(D.Names));
    Any |= addSwitch(Lacks.Switches);
    for (const frontend::MissingName &N : Lacks.Names)
      if (!N.IsNumber)
        Any |= addName(N);
    if (Any)
      return true;
    for (const frontend::MissingName &N : Lacks.Names)
      if (N.IsNumber)
        Any |= addName(N);
    return Any;
  };
  for (unsigned Round = 0; Round < MostLooks && Out.Last.Failed; ++Round) {
    const frontend::Missing Lacks = Out.Last.Missing;
    if (!Path.empty())
      Out.Others = definersOf(Path, Lacks.names());
    bool Any = false;
    for (const std::string &Header : Lacks.Headers)
      if (std::string Folder = From.FolderOf(Header); !Folder.empty())
        Any |= add("-I " + Folder, Header);
    // A header that is found now may define the names that are missing.
    if (!Any)
      Any = addNames(Lacks);
    if (Round == 0)
      Out.OfFirst = Out.Options.size();
    if (!Any)
      break;
    Out.Last = From.Look(Out.Options);
  }
  return Out;
}

} // namespace clrewrite::pipeline
