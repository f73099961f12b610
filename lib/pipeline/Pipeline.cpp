// All texts of a run, one after the other, and the twelve steps of each.
#include "frontend/EditStyle.h"
#include "pipeline/AddSuppressions.h"
#include "pipeline/Advising.h"
#include "pipeline/GuessLaunches.h"
#include "pipeline/Steps.h"
#include "source/File.h"
#include "source/NearestFile.h"
#include "llvm/Support/FileSystem.h"
#include <chrono>

using namespace llvm;

namespace clrewrite::pipeline {
namespace {

/// Tells how long each phase took, when the next one begins or all are over.
class Stopwatch {
  using Clock = std::chrono::steady_clock;
  const std::function<void(StringRef, double)> &Tell;
  StringRef Phase = "";
  Clock::time_point Begun;

public:
  explicit Stopwatch(const std::function<void(StringRef, double)> &Tell)
      : Tell(Tell) {}
  ~Stopwatch() { begin(""); }

  void begin(StringRef New) {
    std::chrono::duration<double> Seconds = Clock::now() - Begun;
    if (Tell && !Phase.empty())
      Tell(Phase, Seconds.count());
    Phase = New;
    Begun = Clock::now();
  }
};

/// The text of the nearest .clang-format above \p File; empty where there is
/// none that is a plain file and can be read.
std::string styleFor(StringRef File) {
  const std::string Path = nearestFile(File, ".clang-format");
  sys::fs::file_status Status;
  if (Path.empty() || sys::fs::status(Path, Status, /*follow=*/false) ||
      !sys::fs::is_regular_file(Status))
    return "";
  Expected<std::string> Text = readText(Path);
  if (Text)
    return std::move(*Text);
  consumeError(Text.takeError());
  return "";
}

} // namespace

/// The twelve steps of the text \p What, which \p File reads. What each step
/// gives goes to the next ones and into \p Out, which has it where one of those
/// fails. \p Lookers answer as lookHere() does. \p Told has what the compiler
/// said of the texts before, and gets what it says of this one.
static Error rewriteText(Unit &What, FileText &File, const Setup &With,
                         process::Workers &Lookers, report::ProgressNote Doing,
                         std::set<std::string> &Told, report::FileReport &Out) {
  const PipelineOptions &O = With.Options;
  auto Show = [&](const std::string &Words) {
    Doing.What = Words;
    O.Progress(Doing);
  };
  Out.HostMade = What.HostMade;
  const std::vector<measure::Target> Targets =
      targetsOf(O.Search.Targets, What.Builds);
  for (const measure::Target &T : Targets)
    Out.Targets.push_back(T.Name);
  Stopwatch Phase(O.Took);

  Phase.begin("read"); // the file's bytes
  if (Error E = File.read(O.Fix))
    return E;
  Out.Given = File.bytes();
  if (!File.holdsUnit())
    return ending("changed meanwhile", What.Path,
                  "changed since it was looked at, left as it is; run again");
  const Source Given{What.Path, File.text(), {}};
  const std::optional<Ranges> Within = File.partsOf(O.Lines);

  Phase.begin("parse and find"); // what could be done
  Show("parsing");
  Suppressing Comments;
  TextLooker Looker(What, File, O, Lookers, Comments);
  Sight Seen = Looker.look(Given, O.Search.Targets, O.Colour);
  if (Seen.Failed)
    return doesNotParse(
        What, File, Seen,
        [&](ArrayRef<std::string> More) {
          return Looker.lookWith(Given, O.Search.Targets, More);
        },
        Told, Out);
  rewrite::Findings &Found = Seen.Found;
  if (!O.Kernel.empty())
    llvm::erase_if(Found.Kernels, [&](const rewrite::KernelInfo &K) {
      return K.Name != O.Kernel;
    });
  addFindings(Found, Given, Out);
  if (Error E = setLaunches(What, Found.Kernels, O.Search.Launches))
    return E;
  const BuiltText Text{Given, What.Builds, File.line(), Targets};

  auto TellUnseen = [&] { // before the file's kernels run
    tellUnseen(Text, File, Seen.AssemblyInHeaders, O, Out);
  };
  Phase.begin("guess launches"); // of kernels that have none
  using Clock = std::chrono::steady_clock;
  Clock::time_point Latest = O.Search.Latest;
  if (O.GuessLaunches) {
    Show("guessing launches");
    TellUnseen();
    const Clock::time_point Begun = Clock::now();
    if (Error E = guessLaunches(What, Text, O, Out))
      return E;
    // A budget in seconds is for the search alone.
    if (Latest != Clock::time_point::max())
      Latest += Clock::now() - Begun;
  }

  Phase.begin("measure and select"); // keep what pays
  const Clock::time_point Begun = Clock::now();
  if (willRun(Text))
    TellUnseen();
  BuildsMeter Meter(*With.Measures, What.Builds, Text.Line);
  select::SelectOptions Search = O.Search;
  Search.Latest = Latest;
  Search.Targets = Targets;
  Search.Bystanders = targetsOf(O.Search.Bystanders, What.Builds);
  Search.Launches = timedIn(What.Builds);
  Search.Progress = Show;
  using Asked = std::pair<uint64_t, std::vector<std::string>>;
  std::map<Asked, std::string> Doubts; // of texts, by their kernels
  if (O.Verify.RequireProof)
    Search.WhyDoubted = [&](const select::Version &V,
                            ArrayRef<std::string> Kernels) -> std::string {
      auto [It, New] = Doubts.try_emplace({hash(V.Text), Kernels.vec()});
      if (New)
        It->second = whyNotProved(Text, V, Kernels);
      return It->second;
    };
  if (std::string Style = styleFor(What.Path); !Style.empty())
    Search.InStyle = [Style](StringRef Code, Edits List) {
      return frontend::inStyle(Style, Code, std::move(List));
    };
  const bool TriesBuilds =
      !What.Text && !O.AddSuppressions && select::triesBuildOptions(Search);
  if (!TriesBuilds)
    Search.BuildOptions.clear(); // no time is kept for them
  Search.OptionsStand = !O.Verify.Required && !O.Verify.RequireProof;
  Search.NothingWaits = Doing.Number == Doing.Of && !O.AddSuppressions;
  Search.FinderFor = [&](ArrayRef<measure::Target> For) -> select::Finder {
    return [&Looker, For = For.vec()](const Source &S) {
      return Looker.findAgain(S, For);
    };
  };
  const select::Finder Find = Search.FinderFor(O.Search.Targets);
  auto Choose = [&](const Source &S, const rewrite::Findings &Sites,
                    const std::optional<Ranges> &Parts) {
    Search.Within = Parts;
    return select::select(S, Sites, Find, Meter, Search);
  };
  if (Error E = Choose(Given, Found, Within).moveInto(Out.Result))
    return E;
  addWarnings(Text, Comments, O, Search.stopped(), Out);
  Clock::time_point Selected = Clock::now();

  Phase.begin("advise"); // notes, no edits
  if (!O.Advise.empty()) {
    if (Error E = adviceFor(Text, Out.Result.Before, O.Advise, O.Limits)
                      .moveInto(Out.Advised))
      return E;
    Comments.sift(Out.Advised, suppressionsIn(Given.Text, What.Builds));
  }

  Phase.begin("add suppressions"); // in the place of edits
  if (O.AddSuppressions && !What.HostMade && Out.Result.changed()) {
    Show("adding suppressions");
    Expected<Suppressed> Quiet = addSuppressions(
        Given, Found, std::exchange(Out.Result, {}), Within, Find, Choose);
    if (!Quiet)
      return createStringError(
          What.Path + ": left as it is: " + toString(Quiet.takeError()));
    Out.Result = std::move(Quiet->Left);
    Out.Result.Result = std::move(Quiet->Text);
    Out.Suppressed = Quiet->Added;
  }

  Phase.begin("live registers"); // line by line
  if (O.WantPressure) {
    Out.Live = liveIn(Text, *With.Measures);
    Out.FirstLine = Text.Line;
  }

  Phase.begin("count work"); // loads, stores, operations
  if (O.WantWork)
    countWork(Text, *With.Measures, Out);

  Phase.begin("verify"); // run before and after
  if ((O.Verify.Device || O.Verify.RequireProof) && Out.Result.changed()) {
    Show("verifying");
    EditsVerified V =
        verifyEdits(Text, Out.Result, Out.Kernels, O.Verify, TellUnseen);
    addSandbox(Out, V.Sandbox);
    if (V.BlamesInexact) {
      // Exact edits are not to be lost because of one that is not.
      Show("searching for exact edits alone");
      Search.Unsafe = false;
      Search.Granted.clear();
      if (Latest != Clock::time_point::max())
        Search.Latest = Clock::now() + (Selected - Begun);
      Expected<select::Selection> Exact = Choose(Given, Found, Within);
      if (!Exact)
        return Exact.takeError();
      Selected = Clock::now();
      if (Exact->changed()) {
        std::string Why = std::move(V.Refusal);
        noteRefused(*Exact, Out.Result, Why);
        Out.Result = std::move(*Exact);
        V = verifyEdits(Text, Out.Result, Out.Kernels, O.Verify, TellUnseen);
        // A replay's line, if there is one, names a file that is the exact
        // edits' by now.
        if (V.Refusal.empty())
          O.Tell("clrewrite: warning: " + What.Path +
                 ": only exact edits are kept: " + Why + "\n");
        else
          V.Refusal = StringRef(Why).split('\n').first.str() +
                      "\n  exact edits alone are refused, too: " + V.Refusal;
      }
    }
    Out.Verified = std::move(V.Kernels);
    if (!V.Refusal.empty()) {
      takeBack(Out.Result, Given, V.Refusal);
      return ending(V.Refusal, What.Path, "left as it is: " + V.Refusal);
    }
  }

  Phase.begin("choose build options"); // which the host must pass
  if (TriesBuilds) {
    if (Latest != Clock::time_point::max()) // Verifying is no search.
      Search.Latest += Clock::now() - Selected;
    chooseBuilds(Text, Out.Result, Meter, Search, O.Verify, TellUnseen, Out);
  }

  Phase.begin("occupancy curves");
  if (O.WantAccounts) {
    Show("explaining occupancy");
    Out.Accounts = accountsOf(Out.Result, Targets, O.Search.Launches, O.Limits);
  }
  if (O.WantCurves) {
    Show("drawing occupancy curves");
    Out.Curves = curvesOf(Out.Result, Targets, O.Limits);
  }

  Phase.begin("write and check"); // and look at what stands there then
  if (What.HostMade || !(Out.Result.changed() || Out.Suppressed))
    return Error::success();
  const Source &New = Out.Result.Result;
  if (What.Within && !What.Within->Closing.empty() &&
      StringRef(New.Text).contains(What.Within->Closing))
    return ending("would end the string literal", What.Path,
                  "the rewritten text holds " + What.Within->Closing +
                      ", which ends its string literal; left as it is");
  if (!O.Fix)
    return Error::success();
  Show("writing");
  if (!What.Text) // which has no file
    if (Error E = write(File, New, [&](const Source &Now) -> Error {
          if (Error E = Find(Now).takeError())
            return E;
          return O.Search.NoMeasure ? Error::success()
                                    : checkCode(Now, Text, Out.Kernels,
                                                Out.Result.After, Meter);
        }))
      return E;
  Out.Written = true;
  return Error::success();
}

/// The report on a text that is not begun, or ends because of \p Problem.
static report::FileReport reportOn(const Unit &U, std::string Problem = "") {
  report::FileReport F;
  F.Path = U.Path;
  F.Place = U.Place;
  F.Problem = std::move(Problem);
  return F;
}

bool isInterrupted(const Setup &S) {
  return S.Options.Interrupted && S.Options.Interrupted();
}

report::FileReport notBegun(const Unit &U) {
  report::FileReport F = reportOn(U, "not looked at: the run was interrupted");
  F.NotBegun = true;
  return F;
}

report::Report run(MutableArrayRef<Unit> Units,
                   ArrayRef<const Setup *> Setups) {
  report::Report R;
  std::set<std::string> Told;
  std::map<unsigned, process::Workers>
      Lookers; // by the seconds that they may take
  for (size_t I = 0; I < Units.size(); ++I) {
    const Setup &S = *Setups[I];
    if (isInterrupted(S)) {
      R.Files.push_back(notBegun(Units[I]));
      continue;
    }
    report::FileReport &F = R.Files.emplace_back(reportOn(Units[I], S.Problem));
    if (!S.Problem.empty()) {
      S.Options.Tell("clrewrite: error: " + F.Path +
                     ": left as it is, since its settings don't work\n");
      continue;
    }
    R.Unmeasured |= S.Options.Search.NoMeasure;
    const process::ChildLimits &Limits = S.Options.Limits;
    process::Workers &Look =
        Lookers.try_emplace(Limits.Seconds, lookHere, Limits).first->second;
    Unit What = Units[I];
    FileText File(What);
    const auto Begun = std::chrono::steady_clock::now();
    if (Error E = rewriteText(What, File, S, Look,
                              {F.Path, "", I + 1, Units.size()}, Told, F))
      noteEnd(std::move(E), S.Options, F);
    F.Seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - Begun)
            .count();
    if (What.Within)
      File.countFromStart(F);
    if (What.Text && F.Written)
      for (Unit &Other : Units)
        if (Other.Text && Other.Path == F.Path)
          Other.Text = File.with(F.Result.Result.Text);
    if (F.Problem.empty() && (F.Result.changed() || F.Suppressed))
      for (size_t J = 0; J < Units.size(); ++J)
        if (J != I)
          noteChange(Units[J], Units[I], File.text(), F.Result.Result.Text,
                     F.Written);
  }
  return R;
}

} // namespace clrewrite::pipeline
