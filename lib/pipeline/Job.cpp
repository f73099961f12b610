// One text's way through the pipeline.
#include "pipeline/Job.h"
#include "measure/TargetFamily.h"
#include "pipeline/AddSuppressions.h"
#include "pipeline/Advising.h"
#include "pipeline/Builds.h"
#include "pipeline/Counting.h"
#include "pipeline/Curves.h"
#include "pipeline/FileText.h"
#include "pipeline/SearchWarnings.h"
#include "pipeline/Suppressing.h"
#include "pipeline/Unseen.h"
#include "rewrite/Registry.h"
#include "rewrite/Rewrite.h"
#include "source/File.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace llvm;

namespace clrewrite::pipeline {
namespace {

class Job {
public:
  Job(Unit What, measure::Meter &M, process::Workers &Lookers,
      const PipelineOptions &Options, size_t Number, size_t Of,
      std::set<std::string> &Told)
      : Options(Options), What(std::move(What)), M(M), Lookers(Lookers),
        Told(Told), Shown{this->What.Path, "", Number, Of},
        A(measure::archOf(Options.Search.Targets)),
        Targets(targetsOf(Options.Search.Targets, this->What.Builds)) {
    Out.Path = this->What.Path;
    Out.HostMade = this->What.HostMade;
    for (const measure::Target &T : Targets)
      Out.Targets.push_back(T.Name);
  }

  Done run() {
    steps();
    if (What.Within)
      File.countFromStart(Out);
    std::string Written = Out.Written ? result() : "";
    return {std::move(Out), std::move(Given.Text), std::move(Written)};
  }

private:
  const PipelineOptions &Options;
  Unit What;
  measure::Meter &M;
  process::Workers &Lookers;
  std::set<std::string> &Told;
  report::ProgressNote Shown;
  frontend::Arch A;
  std::vector<measure::Target> Targets; ///< for each build
  report::FileReport Out;
  FileText File{What};
  unsigned Line = 1; ///< where the text starts in the file
  Source Given;
  rewrite::Findings Found;
  std::vector<std::string> AssemblyInHeaders;
  Suppressing Comments;

  std::string result() const { return File.with(Out.Result.Result.Text); }

  void steps() {
    timed("read", &Job::read) &&                          // the file's bytes
        timed("parse and find", &Job::findSites) &&       // what could be done
        timed("measure and select", &Job::chooseEdits) && // keep what pays
        timed("advise", &Job::advise) &&                  // notes, no edits
        timed("add suppressions", &Job::addComments) &&
        timed("live registers", &Job::countLive) &&
        timed("count work", &Job::countWork) && // loads, stores, operations
        timed("verify", &Job::verifyEdits) &&   // run before and after
        timed("occupancy curves", &Job::drawCurves) &&
        timed("write and check", &Job::write); // and what stands then
  }

  void showProgress(const std::string &Doing) {
    Shown.What = Doing;
    Options.Progress(Shown);
  }

  bool timed(StringRef Phase, bool (Job::*Step)()) {
    auto Start = std::chrono::steady_clock::now();
    bool Go = (this->*Step)();
    std::chrono::duration<double> Seconds =
        std::chrono::steady_clock::now() - Start;
    if (Options.Took)
      Options.Took(Phase, Seconds.count());
    return Go;
  }

  /// Notes why this file ends here.
  bool fail(const std::string &Problem, const std::string &Message) {
    Out.Problem = Problem;
    Options.Tell(Message);
    return false;
  }
  bool fail(Error E) {
    std::string Text = toString(std::move(E));
    return fail(Text, "clrewrite: error: " + Text + "\n");
  }

  bool read() {
    if (Error E = File.read(Options.Fix))
      return fail(std::move(E));
    Out.Given = File.bytes();
    if (!File.holdsUnit())
      return fail("changed meanwhile", "clrewrite: error: " + Out.Path +
                                           ": changed since it was looked at, "
                                           "left as it is; run again\n");
    Line = File.line();
    Given = {Out.Path, File.text(), {}};
    return true;
  }

  Sight lookAt(const Source &Text, bool Colour) {
    frontend::Suppressions Now = suppressionsIn(Text.Text, What.Builds);
    return lookInAll(
        Text, What.Builds, Line,
        [&](const Source &S) {
          return look(S, A, Options.Rewrites, Colour, Lookers, Options.Cache);
        },
        [&](rewrite::Findings &F) {
          Comments.sift(F, Text.Text, Now,
                        [&](unsigned L) { return File.lineInFile(L); });
        });
  }

  /// A file that is no program by itself, and has no kernel, is no failure.
  bool leaveAlone(StringRef Messages) {
    StringRef First = Messages.take_front(Messages.find('\n'));
    Options.Tell("clrewrite: note: " + Out.Path +
                 ": holds no kernel and does not parse by itself, so it is "
                 "left to the kernels that include it (" +
                 First.str() + ")\n");
    return false;
  }

  bool findSites() {
    showProgress("parsing");
    Sight Seen = lookAt(Given, Options.Colour);
    if (Seen.Failed && What.Incomplete)
      return leaveAlone(Seen.Messages);
    if (Seen.Failed) {
      for (SourceError &E : Seen.Errors)
        Out.Errors.push_back(File.placed(std::move(E)));
      // The texts of a program have the same errors.
      bool New = Told.insert(Seen.Messages).second;
      return fail("does not parse", (New ? Seen.Messages : "") +
                                        "clrewrite: error: " + Out.Path +
                                        ": does not parse, left as it is\n");
    }
    Found = std::move(Seen.Found);
    AssemblyInHeaders = std::move(Seen.AssemblyInHeaders);
    if (!Options.Kernel.empty())
      llvm::erase_if(Found.Kernels, [&](const rewrite::KernelInfo &K) {
        return K.Name != Options.Kernel;
      });
    Out.Kernels = Found.Kernels;
    Out.Warnings = Found.Warnings;
    Out.Skipped = linesSkipped(Given.Text, Found.Skipped);
    for (const rewrite::Candidate &C : Found.Candidates)
      for (const rewrite::Alternative &Way : C.Alternatives)
        Out.Alternatives.insert(Way.Label);
    Expected<FileLaunches> L =
        launchesOf(Out.Path, Found.Kernels, Options.Search.Launches);
    if (!L)
      return fail("a launch comment is wrong",
                  toString(L.takeError()) + "\nclrewrite: error: " + Out.Path +
                      ": a launch comment is wrong, left as it is\n");
    for (Build &B : What.Builds) {
      B.Launches = B.Recorded ? launchesOf(*B.Recorded, Found.Kernels) : *L;
      for (measure::Launch &Timed : B.Launches.Timed)
        addChannels(Timed);
    }
    return true;
  }

  Expected<select::Selection> chosen(const Source &Text,
                                     const rewrite::Findings &Sites,
                                     const std::optional<Ranges> &Within) {
    select::SelectOptions S = Options.Search;
    S.Within = Within;
    S.Targets = Targets;
    S.Launches = timedIn(What.Builds);
    S.Progress = [&](const std::string &Doing) { showProgress(Doing); };
    auto Find = [&](const Source &Text) { return findAgain(Text); };
    BuildsMeter Each(M, What.Builds, Line);
    return select::select(Text, Sites, Find, Each, S);
  }

  bool chooseEdits() {
    if (any_of(Targets, [&](const measure::Target &T) { return willTime(T); }))
      tellUnseen();
    Expected<select::Selection> Chosen =
        chosen(Given, Found, File.partsOf(Options.Lines));
    if (!Chosen)
      return fail(Chosen.takeError());
    Out.Result = std::move(*Chosen);
    for (size_t T = 0; T < Out.Result.Times.size(); ++T)
      if (any_of(Out.Result.Times[T],
                 [](const auto &Each) { return Each.second.Ran; }))
        addSandbox(Out, Targets[T].Sandbox);
    append_range(Out.Warnings, vanishedKernels(Out, Targets));
    warnOfComments();
    append_range(Out.Warnings, leftUntried(Out.Result, Options.Search));
    return true;
  }

  void warnOfComments() {
    auto Names = [](const auto &List) {
      return map_to_vector(
          List, [](const auto *Each) { return StringRef(Each->Name); });
    };
    append_range(Out.Warnings,
                 Comments.warnings(suppressionsIn(Given.Text, What.Builds),
                                   Names(rewrite::allRewrites()),
                                   Names(Options.Rewrites),
                                   Names(advice::allAdvice())));
  }

  /// A text that can be rewritten can be advised on; if not, that is told.
  bool advise() {
    if (Options.Advise.empty())
      return true;
    Expected<std::vector<advice::Advice>> Notes =
        adviceFor(Given, What.Builds, Line, Targets, Out.Result.Before,
                  {A, Options.Advise, Options.Limits});
    if (!Notes)
      return fail(Notes.takeError());
    Out.Advised = std::move(*Notes);
    Comments.sift(Out.Advised, suppressionsIn(Given.Text, What.Builds));
    return true;
  }

  /// Where suppressions are wanted, the result is the text with them.
  bool addComments() {
    if (!Options.AddSuppressions || What.HostMade || !Out.Result.changed())
      return true;
    showProgress("adding suppressions");
    Expected<Suppressed> Quiet = addSuppressions(
        Given, Found, std::move(Out.Result), File.partsOf(Options.Lines),
        [&](const Source &Text) { return findAgain(Text); },
        [&](const Source &Text, const rewrite::Findings &Sites,
            const std::optional<Ranges> &Within) {
          return chosen(Text, Sites, Within);
        });
    Out.Result = {};
    if (!Quiet)
      return fail(createStringError(
          Out.Path + ": left as it is: " + toString(Quiet.takeError())));
    Out.Result = std::move(Quiet->Left);
    Out.Result.Result = std::move(Quiet->Text);
    Out.Suppressed = Quiet->Added;
    return true;
  }

  void addChannels(measure::Launch &L) const {
    for (const rewrite::KernelInfo &K : Found.Kernels)
      for (size_t I = 0; K.Name == L.Kernel && I < K.Args.size(); ++I)
        if (!K.Args[I].Channels.empty())
          L.Channels[I] = K.Args[I].Channels;
  }

  Expected<rewrite::Findings> findAgain(const Source &Text) {
    Sight Seen = lookAt(Text, false);
    if (Seen.Failed)
      return createStringError(Out.Path +
                               ": internal error: a rewritten version does "
                               "not parse; please report it\n" +
                               Seen.Messages);
    return std::move(Seen.Found);
  }

  bool countLive() {
    if (!Options.WantPressure)
      return true;
    std::vector<measure::MeasureRequest> Requests;
    for (const measure::Target &T : Targets)
      Requests.push_back({whole(Given, What.Builds[T.Build], Line), T, {}});
    Out.Live = M.pressure(Requests);
    Out.FirstLine = Line;
    return true;
  }

  bool countWork() {
    if (Options.WantWork)
      clrewrite::pipeline::countWork(Out, Given, What.Builds, Line, Targets,
                                     Options.CountWork);
    return true;
  }

  /// Says, before the file's kernels run, which of its code nobody has looked
  /// at that may run with them.
  void tellUnseen() {
    if (!Out.Unseen.empty())
      return;
    Out.Unseen =
        inWords({Given.Text, Out.Skipped, AssemblyInHeaders},
                [&](unsigned OfText) { return File.lineInFile(OfText); });
    for (const std::string &Each : Out.Unseen)
      Options.Tell(unseenNote(Out.Path, Each));
  }

  /// The search times kernels whose launch is known.
  bool willTime(const measure::Target &T) const {
    return T.isDevice() && !T.Sandbox.empty() &&
           !What.Builds[T.Build].Launches.Timed.empty();
  }

  /// Edits that change the results are taken back: nothing pays then.
  bool verifyEdits() {
    if (!Options.Verify.Device || !Out.Result.changed())
      return true;
    showProgress("verifying");
    std::vector<BuiltVersions> Versions;
    for (const Build &B : What.Builds)
      Versions.push_back({B.Name, whole(Given, B, Line),
                          whole(Out.Result.Result, B, Line), B.Kernels,
                          B.Launches});
    EditsVerified V = clrewrite::pipeline::verifyEdits(
        Versions, Out.Result, Out.Kernels, Targets, Options.Verify,
        [&] { tellUnseen(); });
    addSandbox(Out, V.Sandbox);
    Out.Verified = std::move(V.Kernels);
    if (V.Refusal.empty())
      return true;
    Out.Result.Result = Given;
    Out.Result.After = Out.Result.Before;
    for (select::Outcome &O : Out.Result.Outcomes)
      if (O.Applied) {
        O.Applied = false;
        O.Reason = "refused, " + V.Refusal;
        O.Deltas.clear();
        O.Changes.reset();
      }
    return fail(V.Refusal, "clrewrite: error: " + Out.Path +
                               ": left as it is: " + V.Refusal + "\n");
  }

  bool drawCurves() {
    if (Options.WantAccounts) {
      showProgress("explaining occupancy");
      Out.Accounts = accountsOf(Out.Result, Targets, Options.Search.Launches,
                                Options.Limits);
    }
    if (Options.WantCurves) {
      showProgress("drawing occupancy curves");
      Out.Curves = curvesOf(Out.Result, Targets, Options.Limits);
    }
    return true;
  }

  /// Where that is asked for, writes the result, looks at what stands in the
  /// file then, and puts the old bytes back if that is not what was measured.
  bool write() {
    if (!(Out.Result.changed() || Out.Suppressed) || What.HostMade)
      return true;
    if (What.Within && !What.Within->Closing.empty() &&
        StringRef(Out.Result.Result.Text).contains(What.Within->Closing))
      return fail("would end the string literal",
                  "clrewrite: error: " + Out.Path +
                      ": the rewritten text holds " + What.Within->Closing +
                      ", which ends its string literal; left as it is\n");
    if (!Options.Fix)
      return true;
    showProgress("writing");
    if (What.Text)
      return Out.Written = true;
    // The file may have been edited while we measured.
    if (!File.isAsRead())
      return fail("changed meanwhile",
                  "clrewrite: error: " + Out.Path +
                      ": changed while it was measured, left as it is; run "
                      "again\n");
    std::string New = result();
    if (Error E = File.replace(File.bytes(), New))
      return fail(std::move(E));
    Out.Written = true;
    if (Error E = checkWritten()) {
      std::string Why = toString(std::move(E));
      Out.Written = false;
      if (Error Back = File.replace(New, File.bytes()))
        Why += "; and the old text could not be put back: " +
               toString(std::move(Back));
      return fail("not as measured", "clrewrite: error: " + Out.Path + ": " +
                                         Why + ", restored\n");
    }
    return true;
  }

  Error checkWritten() {
    Expected<std::string> Text = File.textNow();
    if (!Text)
      return Text.takeError();
    Source Written = Out.Result.Result;
    Written.Text = std::move(*Text);
    if (Expected<rewrite::Findings> Seen = findAgain(Written); !Seen)
      return Seen.takeError();
    if (Options.Search.NoMeasure)
      return Error::success();
    std::vector<measure::MeasureRequest> Requests;
    std::vector<std::string> Names;
    for (const rewrite::KernelInfo &K : Out.Kernels)
      Names.push_back(K.Name);
    for (const measure::Target &T : Targets)
      Requests.push_back({Written, T, Names});
    std::vector<measure::Measurement> Again =
        BuildsMeter(M, What.Builds, Line).measure(Requests);
    if (std::optional<ChangedCode> C = changedCode(Out.Result.After, Again))
      return createStringError("kernel " + C->Kernel + " on " +
                               Targets[C->Target].Name +
                               " is not what was measured");
    return Error::success();
  }
};

} // namespace

Done work(Unit What, measure::Meter &M, process::Workers &Lookers,
          const PipelineOptions &Options, size_t Number, size_t Of,
          std::set<std::string> &Told) {
  return Job(std::move(What), M, Lookers, Options, Number, Of, Told).run();
}

} // namespace clrewrite::pipeline
