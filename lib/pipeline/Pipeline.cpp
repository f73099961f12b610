// The whole story.
#include "pipeline/Pipeline.h"
#include "measure/OfflineMeter.h"
#include "pipeline/Diff.h"
#include "pipeline/Launches.h"
#include "pipeline/Look.h"
#include "source/File.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace llvm;

namespace clrewrite {
namespace {

/// One file's way through the pipeline.
class Job {
public:
  Job(const std::string &Path, Meter &M, const PipelineOptions &Options)
      : Options(Options), M(M), A(archOf(Options.Search.Targets)) {
    Out.Path = Path;
  }

  FileReport run() {
    if (!timed("read", &Job::read)) // the file's bytes
      return Out;
    if (!timed("parse and find", &Job::findSites)) // what could be rewritten
      return Out;
    if (!timed("measure and select", &Job::chooseEdits)) // keep what pays
      return Out;
    if (!timed("live registers", &Job::countLive)) // where they are alive
      return Out;
    if (!timed("verify", &Job::verifyEdits)) // run before and after
      return Out;
    if (!timed("diff", &Job::showDiff)) // what would change
      return Out;
    timed("write and check", &Job::write); // and what stands in the file then
    return Out;
  }

private:
  const PipelineOptions &Options;
  Meter &M;
  Arch A;
  FileReport Out;
  Source Given;
  Findings Found;
  FileLaunches Launches;

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
    Expected<std::string> Text = readText(Out.Path);
    if (!Text)
      return fail(Text.takeError());
    if (Options.Fix)
      if (Error E = checkWritable(Out.Path))
        return fail(std::move(E));
    Given = {Out.Path, std::move(*Text), Options.BuildOptions,
             Options.DeviceOptions};
    return true;
  }

  bool findSites() {
    Options.Progress(Out.Path + ": parsing");
    Sight Seen = look(Given, A, Options.Rewrites, Options.Colour,
                      Options.Limits, Options.Cache);
    if (Seen.Failed)
      return fail("does not parse", Seen.Messages +
                                        "clrewrite: error: " + Out.Path +
                                        ": does not parse, left as it is\n");
    if (!Seen.Standard.empty())
      Given.Options.push_back(Seen.Standard);
    Given.Headers = Seen.Headers;
    Found = std::move(Seen.Found);
    Out.Kernels = Found.Kernels;
    Out.Warnings = Found.Warnings;
    for (const Candidate &C : Found.Candidates)
      for (const Alternative &Way : C.Alternatives)
        Out.Alternatives.insert(Way.Label);
    Expected<FileLaunches> L =
        launchesOf(Out.Path, Found.Kernels, Options.Search.Launches);
    if (!L)
      return fail("a launch comment is wrong",
                  toString(L.takeError()) + "\nclrewrite: error: " + Out.Path +
                      ": a launch comment is wrong, left as it is\n");
    Launches = std::move(*L);
    return true;
  }

  bool chooseEdits() {
    SelectOptions S = Options.Search;
    S.Launches = launches();
    S.Progress = [&](const std::string &What) {
      Options.Progress(Out.Path + ": " + What);
    };
    auto Find = [&](const Source &Text) { return findAgain(Text); };
    Expected<Selection> Chosen = select(Given, Found, Find, M, S);
    if (!Chosen)
      return fail(Chosen.takeError());
    Out.Result = std::move(*Chosen);
    warnOfVanishedKernels();
    if (Out.Result.NotTried)
      Out.Warnings.push_back(
          {0, "",
           Options.Search.Stop && Options.Search.Stop()
               ? formatv("{0} alternatives were not tried, because the search "
                         "was stopped",
                         Out.Result.NotTried)
                     .str()
               : formatv("{0} alternatives were not tried, because the budget "
                         "of {1} a kernel is spent; --budget=0 tries all",
                         Out.Result.NotTried, Options.Search.Budget)
                     .str()});
    return true;
  }

  /// A kernel that asks for its id and of which no code is left does nothing,
  /// or something undefined that Clang's warnings don't see (an element of an
  /// array, say). Its few registers are no merit.
  void warnOfVanishedKernels() {
    constexpr unsigned NothingBut = 2; // the end of the program, and a wait
    for (const KernelInfo &K : Out.Kernels)
      for (size_t T = 0; T < Out.Result.Before.size(); ++T) {
        const KernelUsage *U = Out.Result.Before[T].find(K.Name);
        if (!U || !U->measured() || !K.Dimensions || !U->Stored.empty() ||
            !K.UninitialisedLines.empty() ||
            U->Figures.Instructions.value_or(NothingBut + 1) > NothingBut)
          continue;
        Out.Warnings.push_back(
            {K.Line, K.Name,
             "nothing is left of kernel " + K.Name +
                 " in the optimised code for " +
                 Options.Search.Targets[T].Name +
                 ": it has no effect, or an undefined one, so its figures "
                 "mean nothing"});
        break;
      }
  }

  /// The launches, with what the front end knows of the kernels' images.
  std::vector<Launch> launches() const {
    std::vector<Launch> List = Launches.Timed;
    for (Launch &L : List)
      for (const KernelInfo &K : Found.Kernels)
        for (size_t I = 0; K.Name == L.Kernel && I < K.Args.size(); ++I)
          if (!K.Args[I].Channels.empty())
            L.Channels[I] = K.Args[I].Channels;
    return List;
  }

  Expected<Findings> findAgain(const Source &Text) {
    Sight Seen =
        look(Text, A, Options.Rewrites, false, Options.Limits, Options.Cache);
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
    std::vector<MeasureRequest> Requests;
    for (const Target &T : Options.Search.Targets)
      Requests.push_back({Given, T, {}});
    Out.Live = M.pressure(Requests);
    return true;
  }

  /// Edits that change the results are taken back: nothing pays then.
  bool verifyEdits() {
    if (!Options.Verify.Device || !Out.Result.changed())
      return true;
    Options.Progress(Out.Path + ": verifying");
    EditsVerified V = clrewrite::verifyEdits(Given, Out.Result, Out.Kernels,
                                             Options.Search.Targets, Launches,
                                             Options.Verify);
    Out.Verified = std::move(V.Kernels);
    if (V.Refusal.empty())
      return true;
    Out.Result.Result = Given;
    Out.Result.After = Out.Result.Before;
    for (Outcome &O : Out.Result.Outcomes)
      if (O.Applied) {
        O.Applied = false;
        O.Reason = "refused, " + V.Refusal;
        O.Deltas.clear();
      }
    return fail(V.Refusal, "clrewrite: error: " + Out.Path +
                               ": left as it is: " + V.Refusal + "\n");
  }

  bool showDiff() {
    if (!Options.WantDiff)
      return true;
    Expected<std::string> Diff =
        unifiedDiff(Out.Path, Given.Text, Out.Result.Result.Text);
    if (!Diff)
      return fail(Diff.takeError());
    Out.Diff = std::move(*Diff);
    return true;
  }

  /// Writes the result, looks at what stands in the file then, and puts the
  /// old bytes back if that is not what was measured.
  bool write() {
    if (!Options.Fix || !Out.Result.changed())
      return true;
    Options.Progress(Out.Path + ": writing");
    // The file may have been edited while we measured.
    Expected<std::string> Now = readText(Out.Path);
    if (!Now || *Now != Given.Text) {
      if (!Now)
        consumeError(Now.takeError());
      return fail("changed meanwhile",
                  "clrewrite: error: " + Out.Path +
                      ": changed while it was measured, left as it is; run "
                      "again\n");
    }
    if (Error E = replaceText(Out.Path, Out.Result.Result.Text))
      return fail(std::move(E));
    Out.Written = true;
    if (Error E = checkWritten()) {
      std::string Why = toString(std::move(E));
      Out.Written = false;
      if (Error Back = replaceText(Out.Path, Given.Text))
        Why += "; and the old text could not be put back: " +
               toString(std::move(Back));
      return fail("not as measured", "clrewrite: error: " + Out.Path + ": " +
                                         Why + ", restored\n");
    }
    return true;
  }

  Error checkWritten() {
    Expected<std::string> Text = readText(Out.Path);
    if (!Text)
      return Text.takeError();
    Source Written = Out.Result.Result;
    Written.Text = std::move(*Text);
    if (Expected<Findings> Seen = findAgain(Written); !Seen)
      return Seen.takeError();
    if (Options.Search.NoMeasure)
      return Error::success();
    std::vector<MeasureRequest> Requests;
    std::vector<std::string> Names;
    for (const KernelInfo &K : Out.Kernels)
      Names.push_back(K.Name);
    for (const Target &T : Options.Search.Targets)
      Requests.push_back({Written, T, Names});
    std::vector<Measurement> Again = M.measure(Requests);
    for (size_t T = 0; T < Again.size(); ++T)
      for (const KernelUsage &K : Out.Result.After[T].Kernels) {
        const KernelUsage *New = Again[T].find(K.Kernel);
        if (K.measured() && (!New || New->CodeHash != K.CodeHash))
          return createStringError("kernel " + K.Kernel + " on " +
                                   Options.Search.Targets[T].Name +
                                   " is not what was measured");
      }
    return Error::success();
  }
};

} // namespace

Report run(ArrayRef<std::string> Paths, Meter &M,
           const PipelineOptions &Options) {
  Report R;
  R.Unmeasured = Options.Search.NoMeasure;
  for (const Target &T : Options.Search.Targets)
    R.Targets.push_back(T.Name);
  for (const std::string &Path : Paths)
    R.Files.push_back(Job(Path, M, Options).run());
  return R;
}

} // namespace clrewrite
