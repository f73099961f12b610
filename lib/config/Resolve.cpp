// Defaults are filled in, and texts such as targets and launches are parsed.
#include "config/Resolve.h"
#include "config/Glob.h"
#include "frontend/BuildOptions.h"
#include "pipeline/Advising.h"
#include "rewrite/Registry.h"
#include "rewrite/Rewrite.h"
#include "select/Budget.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite::config {

Config defaultConfig() {
  Config C;
  C.Targets = {"gfx906", "gfx1100"};
  C.Goal = select::Objective::Auto;
  C.MaxSlowdown = 0;
  C.Budget = "200";
  C.Verify = "auto";
  C.VerifySeconds = 10;
  C.CompileTimeout = 60;
  C.Jobs = 0;
  return C;
}

/// \p File as patterns see it: relative to the configuration's folder.
static std::string placeOf(const Config &C, StringRef File) {
  SmallString<256> Path(File);
  (void)sys::fs::make_absolute(Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  StringRef Place = Path;
  if (Place.consume_front(C.Folder))
    Place.consume_front("/");
  return Place.str();
}

Config resolvedFor(Config C, StringRef File) {
  std::string Place = placeOf(C, File);
  auto IsForOthers = [&](const auto &Each) {
    return !Each.Files.empty() && !anyGlobMatches(Each.Files, Place);
  };
  if (C.Sets)
    llvm::erase_if(*C.Sets, IsForOthers);
  if (C.Launches)
    llvm::erase_if(*C.Launches, IsForOthers);
  return C;
}

bool excludes(const Config &C, StringRef File) {
  return C.Exclude && anyGlobMatches(*C.Exclude, placeOf(C, File));
}

static Expected<pipeline::Build> buildOf(const std::string &Name, Words Options,
                                         ArrayRef<std::string> More,
                                         std::vector<std::string> &Ignored) {
  append_range(Options, More);
  pipeline::Build B;
  B.Name = Name;
  B.DeviceOptions = join(Options, " ");
  if (Error E = frontend::checkQuotes(B.DeviceOptions))
    return std::move(E);
  Expected<std::vector<std::string>> Parsed = frontend::parseBuildOptions(
      frontend::splitBuildOptions(B.DeviceOptions), Ignored);
  if (!Parsed)
    return Parsed.takeError();
  B.Options = std::move(*Parsed);
  return std::move(B);
}

Expected<std::vector<pipeline::Build>>
buildsOf(const Config &C, std::vector<std::string> &Ignored) {
  std::vector<OptionSet> Sets = C.Sets.value_or(std::vector<OptionSet>());
  if (Sets.empty())
    Sets.push_back({""});
  std::vector<pipeline::Build> Out;
  for (const OptionSet &S : Sets) {
    Expected<pipeline::Build> B =
        buildOf(S.Name, C.Options.value_or(Words()), S.Options, Ignored);
    if (!B)
      return B.takeError();
    Out.push_back(std::move(*B));
  }
  return std::move(Out);
}

static Error addTargets(pipeline::PipelineOptions &P, const Words &Names) {
  for (const std::string &Name : Names) {
    Expected<measure::Target> T = measure::parseTarget(Name);
    if (!T)
      return T.takeError();
    P.Search.Targets.push_back(std::move(*T));
  }
  return Error::success();
}

static Error addLaunches(pipeline::PipelineOptions &P, const Config &C) {
  for (const FileLaunch &Each :
       C.Launches.value_or(std::vector<FileLaunch>())) {
    Expected<measure::Launch> L = measure::parseLaunch(Each.Text);
    if (!L)
      return L.takeError();
    for (const measure::Launch &Other : P.Search.Launches)
      if (Other.Kernel == L->Kernel)
        return createStringError("kernel " + L->Kernel +
                                 " has two launches; give one");
    P.Search.Launches.push_back(std::move(*L));
  }
  return Error::success();
}

/// Those that only bind the compiler are no use unmeasured, unless named.
static bool isTried(const rewrite::Rewrite &R, const Config &C,
                    bool NoMeasure) {
  if (C.Without && is_contained(*C.Without, StringRef(R.Name)))
    return false;
  return C.Only ? is_contained(*C.Only, StringRef(R.Name))
                : !(NoMeasure && R.Phase);
}

Error applyTo(pipeline::PipelineOptions &P, const Config &C) {
  if (Error E = addTargets(P, *C.Targets))
    return E;
  for (const rewrite::Rewrite *R : rewrite::allRewrites())
    if (isTried(*R, C, P.Search.NoMeasure))
      P.Rewrites.push_back(R);
  Expected<std::vector<const advice::AdviceSort *>> Advice =
      pipeline::adviceNamed(C.Advise.value_or(Words()));
  if (!Advice)
    return Advice.takeError();
  P.Advise = std::move(*Advice);
  P.Search.JudgedBy = {*C.Goal, *C.MaxSlowdown / 100};
  P.Search.Granted = C.Granted.value_or(std::vector<select::EditName>());
  P.Search.Demoted = C.Demoted.value_or(std::vector<select::EditName>());
  if (Error E = addLaunches(P, C))
    return E;
  Expected<select::SearchLimits> Limits = select::parseBudget(*C.Budget);
  if (!Limits)
    return Limits.takeError();
  P.Search.Budget = Limits->Alternatives;
  P.Limits.Seconds = *C.CompileTimeout;
  P.Limits.Parallel = *C.Jobs;
  P.Verify.How.Seconds = *C.VerifySeconds;
  if (C.Tolerance) {
    Expected<verify::Tolerance> T = verify::parseTolerance(*C.Tolerance);
    if (!T)
      return T.takeError();
    P.Verify.How.Allowed.Declared = *T;
  }
  bool AnyDevice = any_of(
      P.Search.Targets, [](const measure::Target &T) { return T.isDevice(); });
  if (C.Goal == select::Objective::Time && !AnyDevice)
    return createStringError("the objective time needs a device among the "
                             "targets (--target=device)");
  return Error::success();
}

std::string quotedOption(StringRef Word) {
  std::string Out;
  for (char C : Word)
    Out += StringRef("\"'\\").contains(C) ? std::string("\\") + C
                                          : std::string(1, C);
  bool Quote = Word.empty() || Word.find_first_of(" \t\r\n") != StringRef::npos;
  // Within quotes a ' means itself, and its backslash would stay.
  if (Quote)
    for (size_t At = 0; (At = Out.find("\\'", At)) != std::string::npos;)
      Out.erase(At, 1);
  return Quote ? "\"" + Out + "\"" : Out;
}

/// \p Name within \p Folder; as it is where it is absolute.
static std::string within(StringRef Folder, StringRef Name) {
  if (sys::path::is_absolute(Name))
    return Name.str();
  SmallString<256> Path(Folder);
  sys::path::append(Path, Name);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

std::string rebasedOptions(const std::string &Text, StringRef Folder) {
  Words List = frontend::splitBuildOptions(Text);
  bool Changed = false;
  auto Rebase = [&](std::string &Word, StringRef Prefix) {
    std::string New = Prefix.str() +
                      within(Folder, StringRef(Word).drop_front(Prefix.size()));
    Changed |= New != Word;
    Word = std::move(New);
  };
  for (size_t I = 0; I < List.size(); ++I) {
    bool Last = I + 1 == List.size();
    StringRef Word = List[I];
    if (Word != "-I" && Word.starts_with("-I"))
      Rebase(List[I], "-I");
    else if ((Word == "-I" || Word == "-isystem") && !Last)
      Rebase(List[++I], "");
    // What is not in the folder is looked up as #include does it.
    else if (Word == "-include" && !Last &&
             sys::fs::exists(within(Folder, List[++I])))
      Rebase(List[I], "");
  }
  return Changed ? join(map_range(List, quotedOption), " ") : Text;
}

} // namespace clrewrite::config
