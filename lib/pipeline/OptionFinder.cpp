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
  auto add = [&](const std::string &Option, const std::string &Name) {
    StringRef Defined = StringRef(Option).split('=').first;
    if (any_of(Out.Options, [&](StringRef Each) {
          return Each.split('=').first == Defined;
        }))
      return false;
    Out.Options.push_back(Option);
    Out.Names.push_back(Name);
    return true;
  };
  auto addNames = [&](const frontend::Missing &Lacks) {
    bool Any = false;
    if (From.IncludeOf)
      for (const Definer &D : Out.Others)
        if (!D.HasKernel)
          Any |= add("-include " + From.IncludeOf(D.Path), listed(D.Names));
    for (const std::string &Macro : Lacks.Switches)
      Any |= add("-D " + Macro, StringRef(Macro).split('=').first.str() +
                                    " (for " + listed(Lacks.Switched) + ")");
    for (const frontend::MissingName &N : Lacks.Names) {
      std::string Value = From.ValueOf ? From.ValueOf(N.Name) : "";
      bool Elsewhere = any_of(Out.Others, [&](const Definer &D) {
        return is_contained(D.Names, N.Name);
      });
      bool IsGuess = Value.empty() && !Elsewhere && !N.Guess.empty();
      if (IsGuess)
        Value = N.Guess;
      if (Value.empty() || !add("-D " + N.Name + "=" + Value, N.Name))
        continue;
      Any = true;
      if (IsGuess)
        Out.Guesses.push_back(N.Name);
    }
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
