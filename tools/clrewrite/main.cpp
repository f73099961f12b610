// The program's entry, the command line without a command, and `measure` and
// `roofline`, which work on files as it does.
#include "BaselineOptions.h"
#include "CheckOptions.h"
#include "CommandLine.h"
#include "Commands.h"
#include "FileNames.h"
#include "Filter.h"
#include "Generate.h"
#include "Help.h"
#include "OfferInit.h"
#include "Printing.h"
#include "ProgressLine.h"
#include "advice/AdviceSort.h"
#include "config/OptionTable.h"
#include "pipeline/Diff.h"
#include "process/Heap.h"
#include "rewrite/Registry.h"
#include "run/Run.h"
#include "run/SearchLimits.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace clrewrite;
using namespace clrewrite::cli;

namespace {

/// Of a run: failed files, whatever else there is; then what --exit-zero and
/// --exit-non-zero-on-fix make of edits that are left or were made, and
/// --fail-on-regression of kernels that got worse.
int exitCode(const report::Report &R, const config::Options &O) {
  if (int Signal = run::interruptedBy())
    return 128 + Signal; // as a shell reports it
  bool AnyLeft = false, AnyWritten = false;
  for (const report::FileReport &F : R.Files) {
    if (!F.Problem.empty())
      return Failed;
    AnyLeft |= F.Result.changed() && !F.Written;
    AnyWritten |= F.Written;
  }
  bool Found = AnyLeft || (AnyWritten && O.ExitNonZeroOnFix);
  bool Worse = O.FailOnRegression && R.Against && R.Against->regressed();
  return (Found && !O.ExitZero) || Worse ? FindingsLeft : Clean;
}

int listRewrites() {
  size_t Width = 0;
  for (const rewrite::Rewrite *R : rewrite::allRewrites())
    Width = std::max(Width, StringRef(R->Name).size());
  for (const rewrite::Rewrite *R : rewrite::allRewrites())
    outs() << left_justify(R->Name, unsigned(Width))
           << formatv(" {0,-11} {1}\n", name(R->Class), R->Summary);
  return Clean;
}

int listAdvice() {
  for (const advice::AdviceSort *Sort : advice::allAdvice())
    outs() << formatv("{0,-17} {1}\n", Sort->Name, Sort->Summary);
  return Clean;
}

/// Prints the page of the rewrite, or sort of advice, \p Name.
int explain(StringRef Name) {
  for (auto [R, Page] : zip(rewrite::allRewrites(), rewrite::rewritePages()))
    if (R->Name == Name) {
      outs() << Page;
      return Clean;
    }
  for (auto [Sort, Page] : zip(advice::allAdvice(), advice::advicePages()))
    if (Sort->Name == Name) {
      outs() << Page;
      return Clean;
    }
  return fail(config::unknownRewrite(Name));
}

/// Prints the settings that \p File gets; returns the exit code.
int showConfig(const std::string &File, run::Configs &All) {
  const run::Configs::Found &F = All.of(File);
  if (!F.Problem.empty())
    return 2;
  outs() << "# " << (F.Merged.Path.empty() ? "no configuration" : F.Merged.Path)
         << ", for " << File << "\n";
  if (config::excludes(F.Merged, File))
    outs() << "# exclude: this file is left alone\n";
  config::Config C = config::resolvedFor(F.Merged, File);
  // Those of the command line count from here, wherever this is read back.
  SmallString<256> Here;
  if (C.Options && !sys::fs::current_path(Here))
    for (std::string &Text : *C.Options)
      Text = config::rebasedOptions(Text, Here);
  config::writeConfig(C, outs());
  return 0;
}

Expected<int> showSettings(const config::Options &O, const run::World &W) {
  Expected<std::optional<run::CaptureInput>> Captured = run::captureInput(O);
  if (!Captured)
    return Captured.takeError();
  Expected<run::Configs> All = run::configsOf(O, *Captured);
  if (!All)
    return All.takeError();
  return showConfig(W.Stdin ? W.Stdin->Name : O.Files.front(), *All);
}

/// Adds to the report the diffs of the files that would change.
Error addDiffs(run::RunResult &Ran, bool Tell) {
  std::string From;
  Error LeftOut = pipeline::showDiffs(Ran.Report, Ran.Units, From);
  if (Tell && !From.empty())
    WithColor::note(errs(), "clrewrite")
        << "the diff's paths count from " << From
        << ": apply it there, as in patch -p1 -d " << From << "\n";
  return LeftOut;
}

/// Runs, and prints what was asked for. Where stdin is rewritten, \p Document
/// gets it, and is null elsewhere. Returns the exit code.
Expected<int> runAndPrint(const config::Options &O, run::World &W,
                          std::optional<std::string> *Document) {
  if (O.ShowConfig)
    return showSettings(O, W);
  Expected<report::GivenPeaks> Peaks = givenPeaks(O);
  if (!Peaks)
    return Peaks.takeError();
  // Before the run, so that a damaged baseline costs no search.
  Expected<std::optional<report::Baseline>> Old = givenBaseline(O);
  if (!Old)
    return Old.takeError();
  Expected<run::RunResult> Ran = run::run(O, W);
  if (!Ran)
    return Ran.takeError();
  report::Report &R = Ran->Report;
  tellNotBegun(R);
  if (R.Shard && run::interruptedBy())
    return exitCode(R, O); // a shard's document is a whole one
  Error Done = O.Diff || O.Form == config::Format::Html
                   ? addDiffs(*Ran, /*Tell=*/O.Diff)
                   : Error::success();
  warnOfUnused(O, *Ran);
  if (Document)
    *Document = Ran->document(W);
  // stdout is for the document alone.
  bool NoReport = Document && !O.Verbose && O.Output.empty();
  if (*Old)
    Done = joinErrors(std::move(Done), compareWithBaseline(R, **Old, O));
  if (R.Shard)
    R.Against.reset(); // it has a part of the kernels alone
  tellBaseline(R, O, O.Diff || O.Check || O.AddSuppressions || NoReport);
  if (!NoReport)
    Done = joinErrors(std::move(Done), printReport(R, O, *Peaks, W.Colour));
  if (Ran->Captured && !O.onlyMeasures() && !O.AddSuppressions) {
    Ran->Captured->Found.Units = std::move(Ran->Units);
    Done = joinErrors(std::move(Done), run::keepRewritten(*Ran->Captured, R));
    if (!O.PlanFile.empty())
      Done = joinErrors(std::move(Done),
                        run::keepPlan(*Ran->Captured, R, O.PlanFile));
  }
  if (Done)
    return std::move(Done);
  if (O.Timing)
    W.Times.print();
  if (!NoReport && !R.Shard)
    offerInit(R, O);
  return exitCode(R, O);
}

/// Reads the command line into \p O, which has what \p Command says already,
/// and does what it says. \p Document is as for runAndPrint.
int work(int Argc, char **Argv, StringRef Command, config::Options O,
         run::World &W, std::optional<std::string> *Document) {
  // A word instead of a command that is none, nor a file.
  if (Command.empty() && Argc > 1)
    if (std::string Problem = misspeltCommand(Argv[1]); !Problem.empty())
      return fail(Problem);
  if (!parseCommandLine(Argc, Argv, Command, O))
    return Failed;
  if (Command.empty())
    if (std::string Problem =
            lateCommand(O.Files, ArrayRef(Argv, size_t(Argc)).drop_front());
        !Problem.empty())
      return fail(Problem);
  if (O.ListRewrites)
    return listRewrites();
  if (O.ListAdvice)
    return listAdvice();
  if (O.ConfigSchema) {
    writeConfigSchema(outs());
    return Clean;
  }
  if (!O.Explain.empty())
    return explain(O.Explain);
  if (!O.FilesFrom.empty()) {
    Expected<std::vector<std::string>> List = listedFiles(O);
    if (!List)
      return fail(toString(List.takeError()));
    append_range(O.Files, *List);
    if (O.Files.empty() && O.CaptureFolder.empty())
      return Clean; // a hook that has nothing to look at
  }
  for (const std::string &Name : O.Files)
    rememberName(Name);
  rememberName(O.AssumedName);
  if (std::string Problem = badOptions(O); !Problem.empty())
    return fail(Problem);
  if (Document && O.Form != config::Format::Text && O.Output.empty())
    return fail("--fix - prints the document alone; leave out --format, or "
                "give --output");
  if (W.Stdin)
    W.Stdin->Name = O.AssumedName;
  // A filter's stdout is stderr by now.
  W.Colour = outs().has_colors() && !noColour();
  Expected<int> Code = runAndPrint(O, W, Document);
  return Code ? *Code : fail(toString(Code.takeError()));
}

/// What must be known of a command line before it is parsed: a filter gives
/// back its input even where that fails.
struct Foreseen {
  bool Stdin = false, Filter = false;
  int OnChange = Clean;

  Foreseen(int Argc, char **Argv) {
    ArrayRef<char *> Words(Argv, size_t(Argc));
    Words = Words.take_until([](StringRef W) { return W == "--"; });
    auto Has = [&](auto... Names) {
      return any_of(Words, [&](StringRef W) { return ((W == Names) || ...); });
    };
    // --files-from - is another stdin.
    for (size_t I = 1; I < Words.size(); ++I)
      Stdin |= StringRef(Words[I]) == "-" &&
               StringRef(Words[I - 1]).ltrim('-') != "files-from";
    Filter = Stdin &&
             Has("--fix", "-fix", "--add-suppressions", "-add-suppressions");
    if (Has("--exit-non-zero-on-fix", "-exit-non-zero-on-fix") &&
        !Has("--exit-zero", "-exit-zero"))
      OnChange = FindingsLeft;
  }
};

/// The command \p Command, of which \p O is what it says by itself.
int workOnFiles(int Argc, char **Argv, StringRef Command, config::Options O) {
  ProgressLine Line;
  run::World W;
  W.Argv0 = Argv[0];
  W.Progress = [&](const report::ProgressNote &Note) { Line.show(Note); };
  W.ClearProgress = [&] { Line.clear(); };
  Foreseen Ahead(Argc, Argv);
  if (Ahead.Stdin) {
    Expected<std::string> Text = readInput();
    if (!Text)
      return fail(toString(Text.takeError()));
    W.Stdin = {"", std::move(*Text)};
  }
  if (!Ahead.Filter)
    return work(Argc, Argv, Command, std::move(O), W, nullptr);
  return filter(
      W.Stdin->Text,
      [&] {
        std::optional<std::string> Document;
        // An error after the rewriting leaves the text as it was, too.
        int Code = work(Argc, Argv, Command, std::move(O), W, &Document);
        return Code == Failed ? std::nullopt : std::move(Document);
      },
      Ahead.OnChange);
}

} // namespace

int clrewrite::cli::rewriteCommand(int Argc, char **Argv) {
  return workOnFiles(Argc, Argv, "", {});
}

int clrewrite::cli::measureCommand(int Argc, char **Argv) {
  config::Options O;
  O.OnlyMeasure = true;
  return workOnFiles(Argc, Argv, "measure", std::move(O));
}

int clrewrite::cli::rooflineCommand(int Argc, char **Argv) {
  config::Options O;
  O.OnlyMeasure = O.Roofline = true;
  return workOnFiles(Argc, Argv, "roofline", std::move(O));
}

int main(int Argc, char **Argv) {
  // A pipe of ours must not take the place of a stream that was closed.
  sys::Process::FixupStandardFileDescriptors();
  process::keepHeap();
  std::vector<char *> Words(Argv, Argv + Argc);
  // The name under which editors start the server.
  static char Lsp[] = "lsp";
  if (sys::path::stem(Argv[0]) == "clrewrite-lsp")
    Words.insert(Words.begin() + 1, Lsp);
  auto first = [&] { return StringRef(Words.size() > 1 ? Words[1] : ""); };
  static char Help[] = "--help";
  if (first() == "help") { // help COMMAND is COMMAND --help
    Words.erase(Words.begin() + 1);
    Words.push_back(Help);
  }
  if (std::string Problem = separateNames(Words); !Problem.empty())
    return fail(Problem);

  for (const Command &C : Commands)
    if (*C.Name && first() == C.Name) {
      Words.erase(Words.begin() + 1);
      return C.Run(int(Words.size()), Words.data());
    }
  return rewriteCommand(int(Words.size()), Words.data());
}
