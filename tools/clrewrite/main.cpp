// clrewrite: the command line.
#include "AddSuppressions.h"
#include "AdviseOptions.h"
#include "BaselineOptions.h"
#include "CaptureInput.h"
#include "Commands.h"
#include "CommonOptions.h"
#include "ExitCode.h"
#include "FileNames.h"
#include "Filter.h"
#include "Help.h"
#include "Printing.h"
#include "ProgressLine.h"
#include "RooflineOptions.h"
#include "RunOptions.h"
#include "SearchLimits.h"
#include "Setups.h"
#include "Shown.h"
#include "TextRun.h"
#include "Version.h"
#include "WholePrograms.h"
#include "pipeline/FileDiffs.h"
#include "rewrite/Registry.h"
#include "rewrite/Rewrite.h"
#include "source/Printable.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace clrewrite;
using namespace clrewrite::cli;

namespace {

cl::list<std::string> Files(cl::Positional, cl::desc("<file or folder>..."));
cl::opt<std::string> AssumedName(
    "assume-filename",
    cl::desc("What the file is taken for that - reads from stdin: its headers "
             "are looked up beside it"),
    cl::value_desc("file.cl"), cl::init("<stdin>"), cl::cat(Building));
cl::opt<bool> Fix("fix", cl::desc("Write the edits that pay into the files"),
                  cl::cat(Modes));
cl::opt<bool> ListRewrites("list-rewrites", cl::desc("List the rewrites"),
                           cl::cat(Modes));
cl::opt<std::string> Explain("explain", cl::desc("Print a rewrite's page"),
                             cl::value_desc("rewrite"), cl::cat(Modes));

cl::opt<bool> Timing("timing", cl::desc("Tell on stderr where the time goes"),
                     cl::cat(Output));
cl::opt<bool> ShowPressure(
    "pressure",
    cl::desc("As clrewrite measure, and with how many VGPRs are alive in each "
             "line of a kernel, on AMD's GPUs"),
    cl::cat(Output));

int fail(const Twine &Why) {
  WithColor::error(errs(), "clrewrite") << shown(Why.str()) << "\n";
  return Failed;
}

int listRewrites() {
  for (const rewrite::Rewrite *R : rewrite::allRewrites())
    outs() << formatv("{0,-18} {1,-11} {2}\n", R->Name, rewrite::name(R->Class),
                      R->Summary);
  return Clean;
}

int explain(StringRef Name) {
  for (auto [R, Page] : zip(rewrite::allRewrites(), rewrite::rewritePages()))
    if (R->Name == Name) {
      outs() << Page;
      return Clean;
    }
  if (printAdvicePage(Name))
    return Clean;
  return fail(unknownRewrite(Name));
}

/// The command line's words, split at --.
struct CommandLine {
  std::vector<const char *> Own;
  std::vector<std::string> AfterDashes;
  bool OnlyMeasure = false;
};

/// A text from stdin on its way through.
struct Piped {
  std::optional<pipeline::StdinText> Text = std::nullopt;
  /// The text with its edits; none where something failed.
  std::optional<std::string> Result = std::nullopt;
  /// stdout is for the text alone.
  bool Filter = false;
  /// Gets the report in the place of stdout; null: nobody.
  const TextRun *For = nullptr;
};

/// Messages and progress go to stderr, one after another.
void listen(pipeline::PipelineOptions &P, ProgressLine &Progress,
            PhaseTimes &Times, const TextRun *For) {
  P.Took = [&](StringRef Phase, double Seconds) { Times.add(Phase, Seconds); };
  P.Progress = [&, For](const report::ProgressNote &Note) {
    For ? For->Progress(Note) : Progress.show(Note);
  };
  P.Interrupted = [] { return interruptedBy() != 0; };
  P.Tell = [&](const std::string &Text) {
    Progress.clear();
    errs() << shown(Text);
  };
}

/// Those of the capture, which are taken from there, or of the files and
/// folders; without what configurations exclude.
Expected<std::vector<pipeline::Unit>>
unitsFor(std::optional<CaptureInput> &Captured, const Piped &Input,
         Configs &All) {
  if (Captured) {
    std::vector<pipeline::Unit> &Units = Captured->Found.Units;
    llvm::erase_if(Units, [&](const pipeline::Unit &U) {
      return config::excludes(All.ofHere().Merged, U.Path);
    });
    return std::move(Units);
  }
  std::vector<std::string> Notes;
  Expected<std::vector<pipeline::Unit>> Units =
      givenUnits(Files, Notes, Input.Text, [&](const std::string &Path) {
        return config::excludes(All.of(Path).Merged, Path);
      });
  for (const std::string &Note : Notes)
    WithColor::note(errs(), "clrewrite") << printable(Note) << "\n";
  if (Units)
    for (const pipeline::Unit &U : *Units)
      rememberName(U.Path);
  return Units;
}

/// Prints what was asked for; keeps what belongs to a capture.
Error deliver(const report::Report &R, const Piped &Input, bool Colour,
              const CaptureInput *Captured) {
  Error Done = Error::success();
  if (Input.For) {
    Input.For->Done(R, Input.Result);
    return Done;
  }
  if (!Input.Filter || Verbose || !OutputFile.empty())
    Done = joinErrors(std::move(Done), printReport(R, Colour));
  if (Captured)
    Done = joinErrors(std::move(Done), keepRewritten(*Captured, R));
  return Done;
}

/// Works on the units and delivers; returns the exit code.
Expected<int> rewrite(const CommandLine &L, Piped &Input,
                      pipeline::PipelineOptions P, Configs &All,
                      std::optional<CaptureInput> &Captured) {
  Expected<std::optional<report::Baseline>> Old = givenBaseline();
  if (!Old)
    return Old.takeError();
  PhaseTimes Times;
  ProgressLine Progress;
  listen(P, Progress, Times, Input.For);
  cache::DiskCache Cache(wantsCache() ? cache::DiskCache::defaultDirectory()
                                      : "");
  P.Cache = P.Verify.Cache = &Cache;
  Expected<std::vector<pipeline::Unit>> Units = unitsFor(Captured, Input, All);
  if (!Units)
    return Units.takeError();
  if (Error E = checkOutput(*Units))
    return std::move(E);
  Setups Known(P, All, L.OnlyMeasure, L.Own.front(), Times);
  std::vector<const pipeline::Setup *> Each;
  for (pipeline::Unit &U : *Units)
    Each.push_back(Captured ? Known.ofCaptured(U)
                            : Known.of(U, settingsFile(U, Files)));
  report::Report R = runGiven(*Units, std::move(Each));
  for (const rewrite::Rewrite *Any : rewrite::allRewrites())
    R.Summaries[Any->Name] = Any->Summary;
  for (const advice::AdviceSort *Any : advice::allAdvice())
    R.Summaries[Any->Name] = Any->Summary;
  Progress.clear();
  tellNotBegun(R);
  if (ShowDiff || OutputFormat == Format::Html) {
    Expected<std::string> From = pipeline::showDiffs(R, *Units);
    if (!From)
      return From.takeError();
    if (ShowDiff && !From->empty())
      WithColor::note(errs(), "clrewrite")
          << "the diff's paths count from " << *From
          << ": apply it there, as in patch -p1 -d " << *From << "\n";
  }
  warnOfUnused(givenLaunches(), P.Search.OnlyAlternative, R);
  bool AnyFailed = any_of(
      R.Files, [](const report::FileReport &F) { return !F.Problem.empty(); });
  if (Input.Filter && !AnyFailed)
    Input.Result = Units->empty() ? Input.Text->Text : *Units->front().Text;
  if (Captured)
    Captured->Found.Units = std::move(*Units);
  bool Keeps = Captured && !L.OnlyMeasure && !addsSuppressions();
  Error Done = *Old ? compareWithBaseline(R, **Old, Files) : Error::success();
  tellBaseline(R, /*NoReport=*/ShowDiff || Check || addsSuppressions() ||
                      (Input.Filter && !Verbose && OutputFile.empty()));
  Done = joinErrors(std::move(Done),
                    deliver(R, Input, P.Colour, Keeps ? &*Captured : nullptr));
  if (Done)
    return std::move(Done);
  Known.countCompilations();
  if (Timing)
    Times.print();
  return exitCode(R);
}

Expected<int> work(const CommandLine &L, Piped &Input) {
  Expected<config::Config> Given = givenOptions(L.AfterDashes);
  if (!Given)
    return Given.takeError();
  bool Colour = outs().has_colors() && !noColour();
  Expected<pipeline::PipelineOptions> P = commonOptions(Colour);
  if (!P)
    return P.takeError();
  Expected<std::optional<CaptureInput>> Captured = captureInput(Files);
  if (!Captured)
    return Captured.takeError();
  if (*Captured && !L.AfterDashes.empty())
    return createStringError(
        "a capture has the build options; leave out what follows --");
  config::Config Defaults = config::defaultConfig();
  if (*Captured && !(*Captured)->Target.empty())
    Defaults.Targets = {(*Captured)->Target};
  Configs All(std::move(Defaults), std::move(*Given));
  if (wantsToShowConfig())
    return showConfig(Input.Text ? Input.Text->Name : Files.front(), All);
  P->Fix = Fix || addsSuppressions();
  P->AddSuppressions = addsSuppressions();
  P->WantPressure = ShowPressure;
  if (Input.For)
    P->Kernel = Input.For->Kernel;
  P->WantWork = wantsRoofline();
  P->WantAccounts = ExplainOccupancy;
  P->WantCurves = is_contained({Format::Html, Format::Svg}, OutputFormat) ||
                  (Input.For && Input.For->Curves);
  if (*Captured)
    P->Search.Weights = (*Captured)->weights();
  return rewrite(L, Input, std::move(*P), All, *Captured);
}

/// What is wrong with options beside each other; empty where nothing is.
std::string badOptions(bool OnlyMeasure, bool Filter) {
  if (isHook() && AllowNative)
    return "--hook takes no --allow-native: a hook's options may be a "
           "repository's";
  if (Fix + ShowDiff + Check + addsSuppressions() > 1)
    return "--fix, --diff, --check and --add-suppressions exclude each other";
  if (OnlyMeasure && (Fix || ShowDiff || Check || addsSuppressions()))
    return std::string(ShowPressure ? "--pressure" : "clrewrite measure") +
           " reports figures and changes nothing";
  if ((ShowDiff || Check || addsSuppressions()) && OutputFormat != Format::Text)
    return "--diff, --check and --add-suppressions have a form of their own; "
           "leave out --format";
  if (std::string Problem = badOption(OnlyMeasure); !Problem.empty())
    return Problem;
  if (std::string Problem = badRooflineOption(); !Problem.empty())
    return Problem;
  if (std::string Problem = badConfigOption(); !Problem.empty())
    return Problem;
  if (Files.empty() && !hasCapture())
    return "no files; try clrewrite --help";
  if (wantsToShowConfig() && Files.size() != 1)
    return "--show-config goes with one file";
  bool Stdin = is_contained(Files, "-");
  if ((Stdin || limitsLines()) && (Files.size() != 1 || hasCapture()))
    return Stdin ? "- (stdin) goes with no other file"
                 : "--lines goes with one file";
  if (std::string Problem =
          badProgramOptions(Stdin || limitsLines() || hasCapture());
      !Problem.empty())
    return Problem;
  if (Filter && OutputFormat != Format::Text && OutputFile.empty())
    return "--fix - prints the document alone; leave out --format, or give "
           "--output";
  return "";
}

/// A word in the place of a command that is none, nor a file.
std::string misspeltCommand(const CommandLine &L) {
  bool May = !L.OnlyMeasure && L.Own.size() > 1;
  return May ? clrewrite::cli::misspeltCommand(L.Own[1]) : "";
}

int parseAndWork(CommandLine L, Piped &Input) {
  if (std::string Problem = misspeltCommand(L); !Problem.empty())
    return fail(Problem);
  if (!parseCommandLine(L.Own, wantsRoofline() ? "roofline"
                               : L.OnlyMeasure ? "measure"
                                               : ""))
    return Failed;
  if (ListRewrites)
    return listRewrites();
  if (printedAdvice())
    return Clean;
  if (!Explain.empty())
    return explain(Explain);
  L.OnlyMeasure |= ShowPressure;
  if (hasFileList()) {
    Expected<std::vector<std::string>> List = listedFiles();
    if (!List)
      return fail(toString(List.takeError()));
    for (const std::string &Name : *List)
      Files.push_back(Name);
    if (Files.empty() && !hasCapture())
      return Clean; // a hook that has nothing to look at
  }
  for (const std::string &Name : Files)
    rememberName(Name);
  rememberName(AssumedName);
  if (std::string Problem = badOptions(L.OnlyMeasure, Input.Filter);
      !Problem.empty())
    return fail(Problem);
  if (std::string Problem = missingHeaders(); !Problem.empty())
    return fail(Problem);
  if (Input.Text)
    Input.Text->Name = AssumedName;
  Expected<int> Code = work(L, Input);
  return Code ? *Code : fail(toString(Code.takeError()));
}

} // namespace

int clrewrite::cli::runTool(int Argc, char **Argv, bool OnlyMeasure) {
  // What follows -- are build options, whatever they look like.
  CommandLine L{{Argv, Argv + Argc}, {}, OnlyMeasure};
  if (auto It = find_if(L.Own, [](StringRef A) { return A == "--"; });
      It != L.Own.end()) {
    L.AfterDashes.assign(It + 1, L.Own.end());
    L.Own.erase(It, L.Own.end());
  }
  auto Has = [&](auto... Words) {
    return any_of(L.Own, [&](StringRef A) { return ((A == Words) || ...); });
  };
  Piped Input;
  // --files-from - is another stdin.
  bool Stdin = false;
  for (size_t I = 1; I < L.Own.size(); ++I)
    Stdin |= StringRef(L.Own[I]) == "-" &&
             StringRef(L.Own[I - 1]).ltrim('-') != "files-from";
  if (!Stdin)
    return parseAndWork(std::move(L), Input);
  Expected<std::string> Text = readInput();
  if (!Text)
    return fail(toString(Text.takeError()));
  Input.Text = {"", std::move(*Text)};
  // Known before the command line is parsed, which may fail.
  Input.Filter =
      Has("--fix", "-fix", "--add-suppressions", "-add-suppressions");
  if (!Input.Filter)
    return parseAndWork(std::move(L), Input);
  int OnChange = Has("--exit-non-zero-on-fix", "-exit-non-zero-on-fix") &&
                         !Has("--exit-zero", "-exit-zero")
                     ? FindingsLeft
                     : Clean;
  return filter(
      Input.Text->Text,
      [&] {
        // What failed behind the rewriting, too, leaves the text as it was.
        int Code = parseAndWork(std::move(L), Input);
        return Code == Failed ? std::nullopt : std::move(Input.Result);
      },
      OnChange);
}

void clrewrite::cli::runOnText(const TextRun &Run, const char *Argv0) {
  CommandLine L{{Argv0}, Run.BuildOptions, !Run.Fix};
  for (const std::string &Option : Run.Options)
    L.Own.push_back(Option.c_str());
  if (Run.Fix)
    L.Own.push_back("--fix");
  L.Own.push_back("-");
  std::string Name = "--assume-filename=" + Run.Text.Name;
  L.Own.push_back(Name.c_str());
  Piped Input;
  Input.Text = Run.Text;
  Input.Filter = Run.Fix;
  Input.For = &Run;
  parseAndWork(std::move(L), Input);
}

int clrewrite::cli::rewriteCommand(int Argc, char **Argv) {
  return runTool(Argc, Argv, /*OnlyMeasure=*/false);
}
