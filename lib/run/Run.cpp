// A run: the units that the options name, each with its setup, through the
// pipeline.
#include "run/Run.h"
#include "advice/AdviceSort.h"
#include "pipeline/Headers.h"
#include "rewrite/Registry.h"
#include "run/Console.h"
#include "run/SearchLimits.h"
#include "run/Setups.h"
#include "run/Shard.h"
#include "run/UnusedLaunches.h"
#include "source/Printable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <unistd.h>

using namespace llvm;

namespace clrewrite::run {

void PhaseTimes::print() const {
  for (const auto &[Phase, Seconds] : Sums)
    errs() << formatv("{0,-20} {1,8:f3} s\n", Phase, Seconds);
  if (Counts.first || Counts.second)
    errs() << formatv("{0,-20} {1,8}\n{2,-20} {3,8}\n", "compilations",
                      Counts.first, "answered by cache", Counts.second);
  if (StoreHits)
    errs() << formatv("{0,-20} {1,8}\n", "entries of the store", *StoreHits);
}

std::optional<std::string> RunResult::document(const World &W) const {
  if (any_of(Report.Files,
             [](const report::FileReport &F) { return !F.Problem.empty(); }))
    return std::nullopt;
  return Units.empty() ? W.Stdin->Text : *Units.front().Text;
}

Expected<Configs> configsOf(const config::Options &O,
                            const std::optional<CaptureInput> &Captured) {
  Expected<config::Config> Given = givenSettings(O);
  if (!Given)
    return Given.takeError();
  config::Config Defaults = config::defaultConfig();
  if (Captured && !Captured->Target.empty())
    Defaults.Targets = {Captured->Target};
  return Configs(O, std::move(Defaults), std::move(*Given));
}

/// Messages go to stderr, one after another.
static void listen(pipeline::PipelineOptions &P, World &W) {
  P.Colour = W.Colour;
  P.Took = [&W](StringRef Phase, double Seconds) {
    W.Times.add(Phase, Seconds);
  };
  P.Progress = W.Progress;
  P.Interrupted = [] { return interruptedBy() != 0; };
  P.Tell = [&W](const std::string &Text) {
    W.ClearProgress();
    errs() << shown(Text);
  };
}

/// Those of the capture, which are taken from there, or of the files and
/// folders; without what configurations exclude.
static Expected<std::vector<pipeline::Unit>>
unitsFor(const config::Options &O, const World &W,
         std::optional<CaptureInput> &Captured, Configs &All) {
  if (Captured) {
    std::vector<pipeline::Unit> &Units = Captured->Found.Units;
    llvm::erase_if(Units, [&](const pipeline::Unit &U) {
      return config::excludes(All.ofHere().Merged, U.Path);
    });
    return std::move(Units);
  }
  std::vector<std::string> Notes;
  Expected<std::vector<pipeline::Unit>> Units =
      O.OneProgram ? pipeline::programUnits(O.Files)
                   : pipeline::inputUnits(
                         O.Files, Notes, W.Stdin, [&](const std::string &Path) {
                           return config::excludes(All.of(Path).Merged, Path);
                         });
  for (const std::string &Note : Notes)
    note(printable(Note));
  if (Units)
    for (const pipeline::Unit &U : *Units)
      rememberName(U.Path);
  return Units;
}

/// Runs the pipeline, for the headers of several files too: \p Units are then
/// those of the report.
static report::Report runOn(std::vector<pipeline::Unit> &Units,
                            std::vector<const pipeline::Setup *> Setups,
                            const config::Options &O) {
  bool Several = Units.size() > 1 && !O.OneProgram;
  bool Plain = none_of(Units, [](const pipeline::Unit &U) {
    return U.Text || U.HostMade || U.Builds.front().Recorded;
  });
  if (Plain && O.Lines.empty() && (O.FixHeaders || Several))
    return pipeline::runWithHeaders(Units, std::move(Setups), O.FixHeaders);
  return pipeline::run(Units, Setups);
}

/// Fails where --output names what is worked on, which the report would
/// overwrite.
static Error checkOutput(const config::Options &O,
                         ArrayRef<pipeline::Unit> Units) {
  sys::fs::file_status Out, In;
  if (O.Output.empty() || sys::fs::status(O.Output, Out) ||
      Out.type() != sys::fs::file_type::regular_file)
    return Error::success();
  auto IsSame = [&](std::error_code Unknown) {
    return !Unknown && sys::fs::equivalent(Out, In);
  };
  bool Input = IsSame(sys::fs::status(STDIN_FILENO, In)) ||
               any_of(Units, [&](const pipeline::Unit &U) {
                 return IsSame(sys::fs::status(U.Path, In));
               });
  return Input ? createStringError("--output: " + O.Output +
                                   " is what is worked on; the report would "
                                   "overwrite it")
               : Error::success();
}

Expected<RunResult> run(const config::Options &O, World &W) {
  Expected<pipeline::PipelineOptions> P = commonOptions(O);
  if (!P)
    return P.takeError();
  listen(*P, W);
  cache::DiskCache Cache(O.NoCache ? "" : cache::DiskCache::defaultDirectory(),
                         W.WithStore ? cache::HttpStore::given() : nullptr);
  P->Cache = P->Verify.Cache = &Cache;
  RunResult Out;
  Expected<std::optional<CaptureInput>> Captured = captureInput(O);
  if (!Captured)
    return Captured.takeError();
  Out.Captured = std::move(*Captured);
  if (Out.Captured)
    P->Search.Weights = Out.Captured->weights();
  Expected<Configs> All = configsOf(O, Out.Captured);
  if (!All)
    return All.takeError();
  Expected<std::vector<pipeline::Unit>> Units =
      unitsFor(O, W, Out.Captured, *All);
  if (!Units)
    return Units.takeError();
  Out.Units = std::move(*Units);
  if (Error E = checkOutput(O, Out.Units))
    return std::move(E);
  Setups Known(O, std::move(*P), *All, W);
  std::vector<const pipeline::Setup *> Each;
  for (pipeline::Unit &U : Out.Units)
    // The texts of one program have the settings of its first file.
    Each.push_back(Out.Captured
                       ? Known.ofCaptured(U)
                       : Known.of(U, O.OneProgram ? O.Files.front() : U.Path));
  std::optional<report::ShardMark> Mark;
  if (!O.Shard.empty())
    if (Error E = keepShard(O, Out.Units, Each).moveInto(Mark))
      return std::move(E);
  Out.Report = runOn(Out.Units, std::move(Each), O);
  Out.Report.Shard = std::move(Mark);
  Out.Report.Timed = O.Timing;
  Known.countCompilations();
  if (std::optional<unsigned> Hits = Cache.storeHits())
    W.Times.addStoreHits(*Hits);
  for (const rewrite::Rewrite *Any : rewrite::allRewrites())
    Out.Report.Summaries[Any->Name] = Any->Summary;
  for (const advice::AdviceSort *Any : advice::allAdvice())
    Out.Report.Summaries[Any->Name] = Any->Summary;
  // Another shard may use them. An editor's document is one file of many, and
  // it is asked often.
  if (!Out.Report.Shard && (O.Set.Launches || (!Out.Captured && !W.Stdin)))
    Out.UnusedLaunches = unusedLaunches(O, *All, Out.Report);
  W.ClearProgress();
  return std::move(Out);
}

} // namespace clrewrite::run
