// From options and configurations to what the pipeline is told.
#include "run/Settings.h"
#include "config/OptionTable.h"
#include "frontend/BuildOptions.h"
#include "rewrite/Registry.h"
#include "run/Console.h"
#include "run/Meters.h"
#include "select/Budget.h"
#include "source/Printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite::run {

static Expected<pipeline::Build> buildOf(const std::string &Name,
                                         config::Words Options,
                                         ArrayRef<std::string> More,
                                         std::vector<std::string> *Ignored) {
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
buildsOf(const config::Config &C, std::vector<std::string> *Ignored) {
  std::vector<config::OptionSet> Sets =
      C.Sets.value_or(std::vector<config::OptionSet>());
  if (Sets.empty())
    Sets.push_back({""});
  std::vector<pipeline::Build> Out;
  for (const config::OptionSet &S : Sets) {
    Expected<pipeline::Build> B = buildOf(
        S.Name, C.Options.value_or(config::Words()), S.Options, Ignored);
    if (!B)
      return B.takeError();
    Out.push_back(std::move(*B));
  }
  return std::move(Out);
}

static Error addTargets(pipeline::PipelineOptions &P,
                        const config::Words &Names) {
  for (const std::string &Name : Names) {
    Expected<std::vector<measure::Target>> Each = measure::parseTargets(Name);
    if (!Each)
      return Each.takeError();
    llvm::move(*Each, std::back_inserter(P.Search.Targets));
  }
  return Error::success();
}

static Error addLaunches(pipeline::PipelineOptions &P,
                         const config::Config &C) {
  for (const config::FileLaunch &Each :
       C.Launches.value_or(std::vector<config::FileLaunch>())) {
    Expected<launch::Launch> L = launch::parseLaunch(Each.Text);
    if (!L)
      return L.takeError();
    if (launch::launchOf(P.Search.Launches, L->Kernel))
      return createStringError("kernel " + L->Kernel +
                               " has two launches; give one");
    P.Search.Launches.push_back(std::move(*L));
  }
  return Error::success();
}

/// Those that only bind the compiler are no use unmeasured, unless named.
static bool isTried(const rewrite::Rewrite &R, const config::Config &C,
                    bool NoMeasure) {
  if (C.Without && is_contained(*C.Without, StringRef(R.Name)))
    return false;
  return C.Only ? is_contained(*C.Only, StringRef(R.Name))
                : !(NoMeasure && R.Phase);
}

Error applyTo(pipeline::PipelineOptions &P, const config::Config &C) {
  if (Error E = addTargets(P, *C.Targets))
    return E;
  for (const rewrite::Rewrite *R : rewrite::allRewrites())
    if (isTried(*R, C, P.Search.NoMeasure))
      P.Rewrites.push_back(R);
  Expected<std::vector<const advice::AdviceSort *>> Advice =
      config::adviceNamed(C.Advise.value_or(config::Words()));
  if (!Advice)
    return Advice.takeError();
  P.Advise = std::move(*Advice);
  P.Search.BuildOptions =
      cantFail(select::buildOptionsNamed(C.TryOptions.value_or(
          C.Only ? config::Words()
                 : config::Words{select::RegisterLimits.str()})));
  P.Search.JudgedBy = {*C.Goal, *C.MaxSlowdown / 100};
  P.Search.Variants = *C.Variants;
  P.Search.Granted = C.Granted.value_or(std::vector<select::EditName>());
  P.Search.Demoted = C.Demoted.value_or(std::vector<select::EditName>());
  if (Error E = addLaunches(P, C))
    return E;
  P.GuessLaunches = *C.GuessLaunches;
  if (P.GuessLaunches && *C.Verify == "off")
    return createStringError("launches are made up by running kernels on the "
                             "device that verifies them; leave --verify=off "
                             "or --guess-launches out");
  Expected<select::SearchLimits> Limits = select::parseBudget(*C.Budget);
  if (!Limits)
    return Limits.takeError();
  P.Search.Budget = Limits->Alternatives;
  P.Limits.Seconds = *C.CompileTimeout;
  P.Limits.Parallel = *C.Jobs;
  P.Search.Jobs = P.Limits.atOnce();
  P.Verify.How.Seconds = *C.VerifySeconds;
  P.Verify.RequireProof = *C.RequireProof;
  P.Verify.How.ProofSeconds = *C.ProofSeconds;
  P.OnlyTheseBuilds |= *C.OnlyTheseBuilds;
  P.Verify.How.Allowed.Varying = P.Search.AllowVarying = *C.AllowVarying;
  if (C.Tolerance) {
    Expected<verify::Tolerance> T = verify::parseTolerance(*C.Tolerance);
    if (!T)
      return T.takeError();
    P.Verify.How.Allowed.Declared = *T;
  }
  for (const select::BuildOption &Each : P.Search.BuildOptions)
    if (Each.Class == rewrite::Safety::Approximate && !C.Tolerance)
      return createStringError("to try " + Each.Text +
                               " needs a tolerance, which its results are "
                               "held to (--tolerance)");
  bool AnyDevice = any_of(
      P.Search.Targets, [](const measure::Target &T) { return T.isDevice(); });
  if (C.Goal == select::Objective::Time && !AnyDevice)
    return createStringError("the objective time needs a device among the "
                             "targets (--target=device)");
  return Error::success();
}

Expected<config::Config> givenSettings(const config::Options &O) {
  config::Config C = O.Set;
  if (!O.AfterDashes.empty()) {
    C.Options = C.Options.value_or(config::Words());
    C.Options->push_back(
        join(map_range(O.AfterDashes, config::quotedOption), " "));
  }
  if (Error E = buildsOf(C).takeError())
    return std::move(E);
  return std::move(C);
}

/// Reads --lines.
static Error readLines(const config::Options &O, pipeline::PipelineOptions &P) {
  for (StringRef Text : O.Lines) {
    auto [First, Last] = Text.split(':');
    LineRange L;
    if (First.getAsInteger(10, L.First) || Last.getAsInteger(10, L.Last) ||
        L.First < 1 || L.Last < L.First)
      return createStringError("--lines takes two lines, counted from 1, such "
                               "as 12:20, not '" +
                               Text + "'");
    P.Lines.push_back(L);
  }
  return Error::success();
}

Expected<pipeline::PipelineOptions> commonOptions(const config::Options &O) {
  pipeline::PipelineOptions P;
  if (Error E = readLines(O, P))
    return std::move(E);
  P.Fix = O.Fix || O.AddSuppressions;
  // A plan's texts take the place of those that were built with these options.
  P.OnlyTheseBuilds |= !O.PlanFile.empty() && !P.Fix;
  P.AddSuppressions = O.AddSuppressions;
  P.WantPressure = O.Pressure;
  P.WantWork = O.Roofline;
  P.WantAccounts = O.ExplainOccupancy;
  P.WantCurves = O.Curves || O.Form == config::Format::Html ||
                 O.Form == config::Format::Svg ||
                 (O.Form == config::Format::Json && O.ExplainOccupancy);
  P.Kernel = O.Kernel;
  P.Limits.Memory = O.MaxMemory;
  P.Search.Unsafe = O.Unsafe;
  P.Search.NoMeasure = O.NoMeasure;
  P.Search.OnlyAlternative = O.OnlyAlternative;
  P.Verify.WitnessPath = O.Witness;
  P.Verify.Required = O.RequireVerified;
  return std::move(P);
}

Expected<pipeline::PipelineOptions>
pipelineOptions(const config::Options &O, pipeline::PipelineOptions Common,
                const config::Config &C) {
  pipeline::PipelineOptions P = std::move(Common);
  if (Error E = applyTo(P, C))
    return std::move(E);
  if (O.onlyMeasures()) {
    P.Rewrites.clear();
    P.Search.BuildOptions.clear();
  }
  if (C.Verify == "off" && O.RequireVerified && !P.Verify.RequireProof)
    return createStringError("verify is off, and --require-verified needs it "
                             "or --require-proof");
  return std::move(P);
}

const Configs::Found &Configs::of(const std::string &File) {
  std::string Path = O.ConfigFile;
  if (Path.empty() && !O.NoConfig) {
    auto [It, New] = Near.insert({sys::path::parent_path(File).str(), ""});
    std::string Note;
    if (New)
      It->second = config::configFor(File, &Note);
    if (!Note.empty() && Told.insert(Note).second)
      note(printable(Note));
    Path = It->second;
  }
  auto [It, New] = ByPath.try_emplace(Path);
  Found &Out = It->second;
  if (!New)
    return Out;
  config::Config Said;
  if (!Path.empty()) {
    Expected<config::Config> Read = O.ConfigFile.empty()
                                        ? config::readFoundConfig(Path)
                                        : config::readConfigFile(Path);
    if (Read) {
      Said = std::move(*Read);
      for (const std::string &Folder : Said.LeftOut)
        note(printable(Path + ": -I " + Folder +
                       " lies outside of the repository and is left out; "
                       "give it behind -- or in --options where the program "
                       "is meant to have it"));
    } else {
      bool HasPlace = Read.errorIsA<config::TextError>();
      Out.Problem = toString(Read.takeError());
      if (HasPlace)
        errs() << shown(Out.Problem) << "\n";
      else
        error(Out.Problem);
    }
  }
  Out.Merged = config::overlay(Defaults, Said);
  Out.Merged = config::overlay(std::move(Out.Merged), Given);
  Out.Merged.Path = Path;
  Out.Merged.Folder = Said.Folder;
  return Out;
}

} // namespace clrewrite::run
