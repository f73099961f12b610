// Each look tells what is missing yet: a header that is found lacks macros, and
// what was no type turns out to declare variables.
#include "pipeline/OptionFinder.h"
#include "frontend/BuildOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::pipeline {
namespace {

/// The macro of "KIND=2".
StringRef nameOf(StringRef Macro) { return Macro.split('=').first; }

class OptionFinder {
public:
  OptionFinder(const OptionSources &From, FoundOptions &Into)
      : From(From), Into(Into) {}

  /// Adds the folders of headers. False where none is found that is new.
  bool addHeaders(const frontend::Missing &Lacks) {
    bool Any = false;
    for (const std::string &Header : Lacks.Headers)
      if (std::string Folder = From.FolderOf(Header); !Folder.empty())
        Any |= add("-I " + Folder, Header);
    return Any;
  }

  /// Adds what gives names a definition. False where nothing is new.
  bool addDefinitions(const frontend::Missing &Lacks) {
    bool Any = addIncluded();
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
  }

private:
  const OptionSources &From;
  FoundOptions &Into;

  /// False where there is an option about that.
  bool add(const std::string &Option, const std::string &For) {
    if (any_of(Into.Options, [&](StringRef Each) {
          return subjectOf(Each) == subjectOf(Option);
        }))
      return false;
    Into.Options.push_back(Option);
    Into.Names.push_back(For);
    return true;
  }

  std::optional<std::string> passed(StringRef Name) const {
    return From.Passed ? From.Passed(Name) : std::nullopt;
  }

  /// Whether the host passes what a switch asks for: "FAST" or "KIND=2".
  bool isPassed(const std::string &Macro) const {
    std::optional<std::string> As = passed(nameOf(Macro));
    return As && (nameOf(Macro) == Macro || *As == Macro);
  }

  bool addIncluded() {
    bool Any = false;
    if (From.IncludeOf)
      for (const Definer &D : Into.Others)
        if (!D.HasKernel)
          Any |= add("-include " + From.IncludeOf(D.Path), listed(D.Names));
    return Any;
  }

  /// Adds the first of \p Ways that the host passes, or else the first.
  bool addSwitch(ArrayRef<frontend::Switch> Ways) {
    if (Ways.empty())
      return false;
    auto Best = find_if(Ways, [&](const frontend::Switch &S) {
      return all_of(S.Macros,
                    [&](const std::string &Each) { return isPassed(Each); });
    });
    const frontend::Switch &S = Best == Ways.end() ? Ways.front() : *Best;
    bool Any = false;
    for (const std::string &Macro : S.Macros) {
      if (!add("-D " + Macro,
               nameOf(Macro).str() + " (for " + listed(S.Names) + ")"))
        continue;
      Any = true;
      if (!isPassed(Macro))
        Into.Guesses.push_back(nameOf(Macro).str());
    }
    return Any;
  }

  bool addName(const frontend::MissingName &N) {
    if (std::optional<std::string> As = passed(N.Name))
      return add("-D " + *As, N.Name);
    bool Elsewhere = any_of(Into.Others, [&](const Definer &D) {
      return is_contained(D.Names, N.Name);
    });
    if (Elsewhere || N.Guess.empty() ||
        !add("-D " + N.Name + "=" + N.Guess, N.Name))
      return false;
    Into.Guesses.push_back(N.Name);
    return true;
  }
};

} // namespace

StringRef subjectOf(StringRef Option) {
  return Option.take_until([](char C) { return C == '=' || C == '('; });
}

Expected<Build> withOptions(Build B, ArrayRef<std::string> More) {
  std::vector<std::string> Words;
  for (const std::string &Option : More)
    append_range(Words, frontend::splitBuildOptions(Option));
  Expected<std::vector<std::string>> Parsed =
      frontend::parseBuildOptions(Words);
  if (!Parsed)
    return Parsed.takeError();
  append_range(B.Options, *Parsed);
  return std::move(B);
}

FoundOptions findOptions(StringRef Path, Sight First,
                         const OptionSources &From) {
  constexpr unsigned MostLooks = 6;
  FoundOptions Out;
  Out.Last = std::move(First);
  OptionFinder Finder(From, Out);
  for (unsigned Round = 0; Round < MostLooks && Out.Last.Failed; ++Round) {
    const frontend::Missing Lacks = Out.Last.Missing;
    if (!Path.empty())
      Out.Others = definersOf(Path, Lacks.names());
    // A header that is found now may define the names that are missing.
    bool Any = Finder.addHeaders(Lacks) || Finder.addDefinitions(Lacks);
    if (Round == 0) {
      Out.OfFirst = Out.Options.size();
      Out.OthersOfFirst = Out.Others;
    }
    if (!Any)
      break;
    Out.Last = From.Look(Out.Options);
  }
  return Out;
}

} // namespace clrewrite::pipeline
