// The steps of a text that take more than a few lines.
#include "pipeline/Steps.h"
#include "advice/AdviceSort.h"
#include "measure/TargetFamily.h"
#include "pipeline/Hints.h"
#include "pipeline/InputUnits.h"
#include "pipeline/OptionFinder.h"
#include "pipeline/Unseen.h"
#include "rewrite/Registry.h"
#include "select/Variant.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::pipeline {

char Ending::ID;

Error ending(std::string Problem, const std::string &Path,
             const std::string &Why) {
  return make_error<Ending>(std::move(Problem),
                            "clrewrite: error: " + Path + ": " + Why + "\n");
}

void noteEnd(Error Why, const PipelineOptions &Options,
             report::FileReport &Out) {
  if (!Why.isA<Ending>()) {
    Out.Problem = toString(std::move(Why));
    return Options.Tell("clrewrite: error: " + Out.Problem + "\n");
  }
  handleAllErrors(std::move(Why), [&](const Ending &E) {
    Out.Problem = E.Problem;
    Options.Tell(E.Message);
  });
}

Sight TextLooker::look(const Source &Text, ArrayRef<measure::Target> Targets,
                       bool Colour) {
  frontend::Suppressions Now = suppressionsIn(Text.Text, Of.Builds);
  const select::SelectOptions &Search = Options.Search;
  frontend::Arch Common = measure::archOf(Targets);
  std::optional<frontend::Arch> Device = measure::deviceArchOf(Targets);
  // A search for each family makes shelters of all sorts of edits.
  StringRef Shelter =
      Search.Variants ? ""
                      : measure::shelterFrom(Search.spared(), Search.Targets);
  auto As = [&](const frontend::Arch &A, const Source &S, const Build &B) {
    const std::vector<rewrite::KnownLaunch> Launches =
        B.Recorded ? knownLaunches(*B.Recorded)
                   : knownLaunches(Search.Launches);
    return pipeline::look(S, A, Options.Rewrites,
                          {Launches, Shelter, Options.OnlyTheseBuilds}, Colour,
                          Lookers, Options.Cache);
  };
  return lookInAll(
      Text, Of.Builds, File.line(),
      [&](const Source &S, const Build &B) {
        if (B.AsForDevice && Device)
          return As(*Device, S, B);
        Sight Seen = As(Common, S, B);
        if (!Seen.Failed || B.Seen || !Device)
          return Seen;
        // It may have assembly of the device's own.
        Sight Again = As(*Device, S, B);
        Again.AsForDevice = true;
        return Again.Failed ? Seen : Again;
      },
      [&](rewrite::Findings &F) {
        Comments.sift(F, Text.Text, Now,
                      [&](unsigned L) { return File.lineInFile(L); });
      });
}

Sight TextLooker::lookWith(const Source &Text,
                           ArrayRef<measure::Target> Targets,
                           ArrayRef<std::string> More) {
  Expected<Build> B = withOptions(Of.Builds.front(), More);
  if (!B) {
    Sight Failed;
    Failed.Failed = true;
    Failed.Messages = toString(B.takeError());
    return Failed;
  }
  return pipeline::look(whole(Text, *B, File.line()), measure::archOf(Targets),
                        {}, rewrite::Known(), /*Colour=*/false, Lookers,
                        /*Cache=*/nullptr);
}

Expected<rewrite::Findings>
TextLooker::findAgain(const Source &Text, ArrayRef<measure::Target> Targets) {
  Sight Seen = look(Text, Targets, /*Colour=*/false);
  if (Seen.Failed)
    return createStringError(Of.Path +
                             ": internal error: a rewritten version does "
                             "not parse; please report it\n" +
                             Seen.Messages);
  return std::move(Seen.Found);
}

Error doesNotParse(const Unit &What, const FileText &File, const Sight &Seen,
                   function_ref<Sight(ArrayRef<std::string>)> Again,
                   std::set<std::string> &Told, report::FileReport &Out) {
  // A file that is no program by itself, and has no kernel, is no failure.
  if (What.Incomplete && isHostProgram(What.Path))
    return make_error<Ending>(
        "", "clrewrite: note: " + What.Path +
                ": holds no kernel. In C and C++ kernels are looked for in raw "
                "strings, R\"CLC(...)CLC\"; where the program gets them "
                "otherwise, try: clrewrite capture -- PROGRAM\n");
  if (What.Incomplete)
    return make_error<Ending>(
        "", "clrewrite: note: " + What.Path +
                ": holds no kernel and does not parse by itself, so it is "
                "left to the kernels that include it (" +
                StringRef(Seen.Messages).split('\n').first.str() + ")\n");
  for (const SourceError &E : Seen.Errors)
    Out.Errors.push_back(File.placed(E));
  // The texts of a program have the same errors.
  bool New = Told.insert(Seen.Messages).second;
  return make_error<Ending>(
      "does not parse",
      (New ? Seen.Messages + hintsFor(What, Seen, Again) : "") +
          "clrewrite: error: " + What.Path +
          ": does not parse, left as it is\n");
}

void addFindings(const rewrite::Findings &Found, const Source &Given,
                 report::FileReport &Out) {
  Out.Kernels = Found.Kernels;
  Out.Warnings = Found.Warnings;
  Out.Skipped = linesSkipped(Given.Text, Found.Skipped);
  for (const rewrite::Candidate &C : Found.Candidates)
    for (const rewrite::Alternative &A : C.Alternatives)
      Out.Alternatives.insert(A.Label);
}

Error setLaunches(Unit &What, ArrayRef<rewrite::KernelInfo> Kernels,
                  ArrayRef<launch::Launch> Given) {
  Expected<FileLaunches> Said = launchesOf(What.Path, Kernels, Given);
  if (!Said)
    return make_error<Ending>("a launch comment is wrong",
                              toString(Said.takeError()) +
                                  "\nclrewrite: error: " + What.Path +
                                  ": a launch comment is wrong, left as it "
                                  "is\n");
  for (Build &B : What.Builds) {
    B.Launches = B.Recorded ? launchesOf(*B.Recorded, Kernels) : *Said;
    B.Launches.Facts = factsOf(B.Launches.Timed, Kernels);
  }
  return Error::success();
}

bool willRun(const BuiltText &Text) {
  return any_of(Text.Targets, [&](const measure::Target &T) {
    return T.isDevice() && !T.Sandbox.empty() &&
           !Text.Builds[T.Build].Launches.Timed.empty();
  });
}

void tellUnseen(const BuiltText &Text, const FileText &File,
                ArrayRef<std::string> InHeaders, const PipelineOptions &Options,
                report::FileReport &Out) {
  if (!Out.Unseen.empty())
    return;
  Out.Unseen = inWords({Text.Given.Text, Out.Skipped, InHeaders},
                       [&](unsigned L) { return File.lineInFile(L); });
  for (const std::string &What : Out.Unseen)
    Options.Tell(unseenNote(Out.Path, What));
}

/// The warnings of kernels without code.
static void addVanished(ArrayRef<measure::Target> Targets,
                        report::FileReport &Out) {
  constexpr unsigned NothingBut = 2; // the end of the program, and a wait
  for (const rewrite::KernelInfo &K : Out.Kernels)
    for (size_t T = 0; T < Out.Result.Before.size(); ++T) {
      const measure::KernelUsage *U = Out.Result.Before[T].find(K.Name);
      if (!U || !U->measured() || !K.Dimensions || !U->Stored.empty() ||
          !K.UninitialisedLines.empty() ||
          U->Figures.Instructions.value_or(NothingBut + 1) > NothingBut)
        continue;
      Out.Warnings.push_back(
          {K.Line, K.Name,
           "nothing is left of kernel " + K.Name +
               " in the optimised code for " + Targets[T].Name +
               ": it has no effect, or an undefined one, so its "
               "figures mean nothing"});
      break;
    }
}

void addWarnings(const BuiltText &Text, const Suppressing &Comments,
                 const PipelineOptions &Options, bool Stopped,
                 report::FileReport &Out) {
  for (auto [T, Times] : zip(Text.Targets, Out.Result.Times))
    if (any_of(Times, [](const auto &Each) { return Each.second.Ran; }))
      addSandbox(Out, T.Sandbox);
  addVanished(Text.Targets, Out);
  auto Names = [](const auto &List) {
    return map_to_vector(
        List, [](const auto *Each) { return StringRef(Each->Name); });
  };
  append_range(Out.Warnings,
               Comments.warnings(suppressionsIn(Text.Given.Text, Text.Builds),
                                 Names(rewrite::allRewrites()),
                                 Names(Options.Rewrites),
                                 Names(advice::allAdvice())));
  if (!Out.Result.NotTried)
    return;
  std::string Why = "the search was stopped";
  if (!Stopped && !Options.Search.Budget)
    Why = "the time for their kernel was spent; a longer --budget tries more";
  else if (!Stopped)
    Why = formatv("the budget of {0} a kernel is spent; --budget=0 tries all",
                  Options.Search.Budget);
  Out.Warnings.push_back(
      {0, "",
       formatv("{0} alternatives were not tried, because {1}",
               Out.Result.NotTried, Why)
           .str()});
}

std::vector<measure::PressureReport> liveIn(const BuiltText &Text,
                                            measure::Meter &M) {
  std::vector<measure::MeasureRequest> Requests;
  for (const measure::Target &T : Text.Targets)
    Requests.push_back({Text.as(Text.Builds[T.Build]), T, {}});
  return M.pressure(Requests);
}

void countWork(const BuiltText &Text, measure::Meter &M,
               report::FileReport &Out) {
  for (const measure::Target &T : Text.Targets) {
    const Build &B = Text.Builds[T.Build];
    measure::WorkReport &R =
        Out.Work.emplace_back(M.work({Text.as(B), T, {}, B.Launches.Facts}));
    if (!T.isDevice())
      R.Table = measure::tablePeaks(T.Cpu);
  }
  for (const Build &B : Text.Builds)
    for (const launch::Launch &L : B.Launches.Timed)
      Out.LaunchedItems[L.Kernel] = L.items();
}

void takeBack(select::Selection &S, const Source &Given,
              const std::string &Refusal) {
  S.Result = Given;
  S.After = S.Before;
  for (select::Outcome &O : S.Outcomes)
    if (O.Applied) {
      O.Applied = false;
      O.Reason = "refused, " + Refusal;
      O.Deltas.clear();
      O.Changes.reset();
    }
}

void noteRefused(select::Selection &Exact, const select::Selection &All,
                 const std::string &Refusal) {
  for (select::Outcome &O : Exact.Outcomes)
    for (const select::Outcome &Before : All.Outcomes)
      if (O.Left == select::WhyNot::Withheld && select::isSame(O, Before)) {
        O.Reason = Before.Applied ? "refused, " + Refusal : Before.Reason;
        O.Left = Before.Applied ? select::WhyNot::Other : Before.Left;
      }
}

/// Verifies \p C, and says whether it may be kept; where not, its reason says
/// why.
static bool stands(select::BuildChoice &C, const BuiltText &Text,
                   const select::Selection &S, const VerifySettings &Verify,
                   function_ref<void()> BeforeRunning,
                   report::FileReport &Out) {
  bool Exact = C.Option.Class == rewrite::Safety::Exact;
  verify::Verification V;
  V.Evidence = "verification is off";
  if (Verify.Device) {
    V = verifyBuild(Text, S, Out.Kernels, C, Verify,
                    [&](const verify::ChosenDevice &On) {
                      BeforeRunning();
                      addSandbox(Out, On.Sandbox);
                    });
    C.Verdict = verify::name(V.Verdict).str();
    C.Evidence = V.Evidence;
  }
  bool Known = V.Verdict == verify::Verification::Same ||
               (V.Verdict == verify::Verification::Varying && !Verify.Required);
  bool MayBeUnknown =
      Exact && !Verify.Required && !V.DeviceFailed && !V.BeyondSpread;
  if (Known || (MayBeUnknown && V.Verdict == verify::Verification::Unknown))
    return true;
  C.Reason = (V.Verdict == verify::Verification::Different
                  ? "pays, but gives other results: "
                  : "pays, but is not verified: ") +
             V.Evidence;
  return false;
}

void chooseBuilds(const BuiltText &Text, const select::Selection &S,
                  measure::Meter &M, const select::SelectOptions &Search,
                  const VerifySettings &Verify,
                  function_ref<void()> BeforeRunning, report::FileReport &Out) {
  std::vector<std::string> Kernels;
  for (const rewrite::KernelInfo &K : Out.Kernels)
    Kernels.push_back(K.Name);
  Out.BuildChoices =
      select::tryBuildOptions({S.Result, S.launches()}, Kernels, M, Search);
  std::map<std::string, std::string> KeptOn; // an option by target
  for (select::BuildChoice &C : Out.BuildChoices) {
    if (!C.Pays)
      continue;
    if (auto Kept = KeptOn.find(C.Target); Kept != KeptOn.end())
      C.Reason = "pays, but " + Kept->second + " pays more";
    else if (stands(C, Text, S, Verify, BeforeRunning, Out)) {
      C.Kept = true;
      KeptOn[C.Target] = C.Option.Text;
    }
  }
}

std::vector<std::map<std::string, measure::OccupancyCurves>>
curvesOf(const select::Selection &S, ArrayRef<measure::Target> Targets,
         const process::ChildLimits &Limits) {
  std::vector<std::map<std::string, measure::OccupancyCurves>> Out(
      S.Before.size());
  for (auto [On, Before, After, Into] : zip(Targets, S.Before, S.After, Out)) {
    std::vector<std::string> Names;
    std::vector<measure::NeedsPair> Needs;
    for (const measure::KernelUsage &B : Before.Kernels) {
      const measure::KernelUsage *A = After.find(B.Kernel);
      if (!B.measured() || !B.Figures.Vgprs)
        continue;
      const measure::Usage &Now = A && A->measured() ? A->Figures : B.Figures;
      Names.push_back(B.Kernel);
      Needs.push_back({measure::needsOf(B.Figures), measure::needsOf(Now)});
    }
    std::vector<measure::OccupancyCurves> Curves = measure::curvesOf(
        On, Needs, [&, &Gpu = On](ArrayRef<measure::OccupancyNeeds> Each) {
          return measure::wavesFor(Gpu, Each, Limits);
        });
    for (auto [Name, C] : zip(Names, Curves))
      Into[Name] = std::move(C);
  }
  return Out;
}

/// The work-items of \p Kernel's work-group in its launch; nullopt where no
/// launch says.
static std::optional<unsigned> groupOf(ArrayRef<launch::Launch> Launches,
                                       StringRef Kernel) {
  for (const launch::Launch &L : Launches)
    if (std::optional<uint64_t> Items = L.groupItems();
        Items && L.Kernel == Kernel)
      return unsigned(*Items);
  return std::nullopt;
}

std::vector<measure::TargetAccounts>
accountsOf(const select::Selection &S, ArrayRef<measure::Target> Targets,
           ArrayRef<launch::Launch> Launches,
           const process::ChildLimits &Limits) {
  std::vector<measure::TargetAccounts> Out(S.Before.size());
  for (auto [On, Before, After, Into] : zip(Targets, S.Before, S.After, Out)) {
    if (!On.Family || On.isDevice())
      continue;
    Into.Known = true;
    Into.Terms = On.Family->terms();
    for (const measure::KernelUsage &B : Before.Kernels) {
      if (!B.measured())
        continue;
      const measure::KernelUsage *A = After.find(B.Kernel);
      const measure::Usage &Now = A && A->measured() ? A->Figures : B.Figures;
      std::optional<unsigned> Group = groupOf(Launches, B.Kernel);
      auto &[Was, Is] = Into.Kernels[B.Kernel];
      Was = measure::accountFor(On, B.Figures, Group, Limits);
      Is = toJSON(Now) == toJSON(B.Figures)
               ? Was
               : measure::accountFor(On, Now, Group, Limits);
    }
  }
  return Out;
}

Error write(const FileText &File, const Source &Result,
            function_ref<Error(const Source &)> Check) {
  // The file may have been edited while we measured.
  if (!File.isAsRead())
    return ending("changed meanwhile", Result.Path,
                  "changed while it was measured, left as it is; run again");
  std::string New = File.with(Result.Text);
  if (Error E = File.replace(File.bytes(), New))
    return E;
  Source Now = Result;
  Error E = File.textNow().moveInto(Now.Text);
  if (!E)
    E = Check(Now);
  if (!E)
    return E;
  std::string Why = toString(std::move(E));
  if (Error Back = File.replace(New, File.bytes()))
    Why += "; and the old text could not be put back: " +
           toString(std::move(Back));
  return ending("not as measured", Result.Path, Why + ", restored");
}

Error checkCode(const Source &Now, const BuiltText &Text,
                ArrayRef<rewrite::KernelInfo> Kernels,
                ArrayRef<measure::Measurement> Measured, measure::Meter &M) {
  std::vector<measure::MeasureRequest> Requests;
  std::vector<std::string> Names;
  for (const rewrite::KernelInfo &K : Kernels)
    Names.push_back(K.Name);
  for (const measure::Target &T : Text.Targets)
    Requests.push_back({Now, T, Names});
  if (std::optional<ChangedCode> C = changedCode(Measured, M.measure(Requests)))
    return createStringError("kernel " + C->Kernel + " on " +
                             Text.Targets[C->Target].Name +
                             " is not what was measured");
  return Error::success();
}

} // namespace clrewrite::pipeline
