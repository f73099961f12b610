// clrewrite: the command line.
#include "AddSuppressions.h"
#include "BaselineOptions.h"
#include "CaptureInput.h"
#include "Commands.h"
#include "CommonOptions.h"
#include "ExitCode.h"
#include "Filter.h"
#include "Help.h"
#include "Meters.h"
#include "RunOptions.h"
#include "Version.h"
#include "pipeline/FileDiffs.h"
#include "pipeline/InputUnits.h"
#include "pipeline/Pipeline.h"
#include "rewrite/Registry.h"
#include "rewrite/Rewrite.h"
#include "source/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include <chrono>
#include <set>

using namespace llvm;
using namespace clrewrite;

namespace {

cl::list<std::string> Files(cl::Positional, cl::desc("<file or folder>..."));
cl::opt<std::string> AssumedName(
    "assume-filename",
    cl::desc("What the file is taken for that - reads from stdin: its headers "
             "are looked up beside it"),
    cl::value_desc("file.cl"), cl::init("<stdin>"), cl::cat(Building));
cl::opt<bool> Fix("fix", cl::desc("Write the edits that pay into the files"),
                  cl::cat(Modes));
cl::opt<bool> ShowDiff("diff", cl::desc("Print them as a unified diff"),
                       cl::cat(Modes));
cl::opt<bool> Check("check",
                    cl::desc("Only name the files that --fix would change"),
                    cl::cat(Modes));
cl::opt<bool> ListRewrites("list-rewrites", cl::desc("List the rewrites"),
                           cl::cat(Modes));
cl::opt<std::string> Explain("explain", cl::desc("Print a rewrite's page"),
                             cl::value_desc("rewrite"), cl::cat(Modes));

cl::opt<std::string>
    OutputFile("output",
               cl::desc("Write the report to this file instead of stdout"),
               cl::value_desc("file"), cl::cat(Output));
cl::opt<bool> Verbose("verbose",
                      cl::desc("List every site that was left alone, and why"),
                      cl::cat(Output));
cl::opt<bool> Timing("timing", cl::desc("Tell on stderr where the time goes"),
                     cl::cat(Output));
cl::opt<bool>
    ExplainSearch("explain-search",
                  cl::desc("Report what was tried, what it gave, and why it "
                           "was dropped"),
                  cl::cat(Output));
cl::opt<bool> ShowPressure(
    "pressure",
    cl::desc("With clrewrite measure: how many VGPRs are alive in each line of "
             "a kernel, on AMD's GPUs"),
    cl::cat(Output));
cl::alias VerboseShort("v", cl::aliasopt(Verbose), cl::desc("--verbose"),
                       cl::cat(Output));

int fail(const Twine &Why) {
  WithColor::error(errs(), "clrewrite") << Why << "\n";
  return Failed;
}

int listRewrites() {
  for (const Rewrite *R : allRewrites())
    outs() << formatv("{0,-18} {1,-11} {2}\n", R->Name, name(R->Class),
                      R->Summary);
  return Clean;
}

int explain(StringRef Name) {
  for (auto [R, Page] : zip(allRewrites(), rewritePages()))
    if (R->Name == Name) {
      outs() << Page;
      return Clean;
    }
  return fail(unknownRewrite(Name));
}

/// A line of progress on a terminal; nothing elsewhere.
class ProgressLine {
public:
  void show(const std::string &Text) {
    if (!errs().is_displayed())
      return;
    clear();
    errs() << StringRef(Text).take_front(78);
    Shown = true;
  }
  void clear() {
    if (Shown)
      errs() << "\r\033[K";
    Shown = false;
  }

private:
  bool Shown = false;
};

/// A meter for --no-measure, which asks for none.
class NoMeter : public Meter {
  std::vector<Measurement> measure(ArrayRef<MeasureRequest> Requests) override {
    return std::vector<Measurement>(Requests.size());
  }
};

bool noColour() { return sys::Process::GetEnv("NO_COLOR").has_value(); }

void print(const Report &R, raw_ostream &OS, bool Colour) {
  switch (OutputFormat) {
  case Format::Text:
    return writeText(R, OS, Colour, Verbose);
  case Format::Json:
    return writeJson(R, OS);
  case Format::Sarif:
    return writeSarif(R, OS);
  case Format::GitHub:
    return writeGitHub(R, OS);
  case Format::JUnit:
    return writeJUnit(R, OS);
  case Format::Csv:
    return writeCsv(R, OS);
  case Format::Markdown:
    return writeMarkdown(R, OS);
  }
}

/// The diffs, and beside them the report, which says what they give and what
/// they leave. Only the diffs are what patch or git apply read.
void printDiffs(const Report &R, raw_ostream &OS) {
  std::set<std::string> Done; // texts of one file share its diff
  for (const FileReport &F : R.Files)
    if (!F.Diff.empty() && Done.insert(F.Path).second)
      OS << F.Diff;
  OS.flush();
  writeText(R, errs(), errs().has_colors() && !noColour(), Verbose);
}

/// What the mode prints: the report or a part of it.
void printMode(const Report &R, raw_ostream &OS, bool Colour) {
  if (ShowDiff)
    printDiffs(R, OS);
  else if (Check)
    for (const FileReport &F : R.Files)
      OS << (F.Result.changed() ? F.Path + ": would be rewritten\n" : "");
  else if (addsSuppressions())
    writeAdded(R, OS);
  else
    print(R, OS, Colour);
  if (ExplainSearch)
    writeSearch(R, OutputFormat == Format::Text && !ShowDiff ? OS : errs());
}

/// To stdout, or to the file that --output names.
Error printReport(const Report &R, bool Colour) {
  if (!OutputFile.empty()) {
    std::string Text;
    raw_string_ostream OS(Text);
    printMode(R, OS, /*Colour=*/false);
    if (Error E = putText(OutputFile, Text))
      return createStringError("cannot write the report: " +
                               toString(std::move(E)));
    return Error::success();
  }
  printMode(R, outs(), Colour);
  outs().flush();
  if (!outs().has_error())
    return Error::success();
  std::string Why = outs().error().message();
  outs().clear_error();
  return createStringError("cannot write the report: " + Why);
}

/// Sums up the phases of a run for --timing.
class PhaseTimes {
public:
  void add(StringRef Phase, double Seconds) { Sums[Phase.str()] += Seconds; }
  void print(const OfflineMeter *Offline) const {
    for (const auto &[Phase, Seconds] : Sums)
      errs() << formatv("{0,-20} {1,8:f3} s\n", Phase, Seconds);
    if (Offline)
      errs() << formatv("{0,-20} {1,8}\n{2,-20} {3,8}\n", "compilations",
                        Offline->compilations(), "answered by cache",
                        Offline->cacheHits());
  }

private:
  std::map<std::string, double> Sums;
};

/// A launch of a kernel that no file has is a slip of the pen.
void warnOfUnusedLaunches(const PipelineOptions &P, const Report &R) {
  for (const Launch &L : P.Search.Launches)
    if (none_of(R.Files, [&](const FileReport &F) {
          return !F.Problem.empty() ||
                 any_of(F.Kernels, [&](const KernelInfo &K) {
                   return K.Name == L.Kernel;
                 });
        }))
      WithColor::warning(errs(), "clrewrite")
          << "--launch: no file has a kernel " << L.Kernel << "\n";
}

/// So is an alternative that no site has.
void warnOfUnusedAlternative(const PipelineOptions &P, const Report &R) {
  StringRef Label = P.Search.OnlyAlternative;
  std::set<std::string> Known;
  bool Failed = false;
  for (const FileReport &F : R.Files) {
    Failed |= !F.Problem.empty();
    Known.insert(F.Alternatives.begin(), F.Alternatives.end());
  }
  if (Label.empty() || Failed || Known.count(Label.str()))
    return;
  WithColor::warning(errs(), "clrewrite")
      << "--alternative: no site has an alternative '" << Label << "'"
      << (Known.empty() ? "" : " (there are: " + join(Known, " ") + ")")
      << "\n";
}

/// The command line's words, split at --.
struct CommandLine {
  std::vector<const char *> Own;
  std::vector<std::string> AfterDashes;
  bool OnlyMeasure = false;
};

/// A text from stdin on its way through.
struct Piped {
  std::optional<StdinText> Text = std::nullopt;
  /// The text with its edits; none where something failed.
  std::optional<std::string> Result = std::nullopt;
  /// stdout is for the text alone.
  bool Filter = false;
};

int work(const CommandLine &L, Piped &Input) {
  const std::vector<std::string> &AfterDashes = L.AfterDashes;
  const char *Argv0 = L.Own.front();
  bool Colour = outs().has_colors() && !noColour();
  Expected<std::optional<Baseline>> Old = givenBaseline();
  if (!Old)
    return fail(toString(Old.takeError()));
  Expected<std::optional<CaptureInput>> Captured = captureInput(Files);
  if (!Captured)
    return fail(toString(Captured.takeError()));
  if (*Captured && !AfterDashes.empty())
    return fail("a capture has the build options; leave out what follows --");
  Expected<PipelineOptions> P = pipelineOptions(
      AfterDashes, Colour, L.OnlyMeasure, *Captured ? (*Captured)->Target : "");
  if (!P)
    return fail(toString(P.takeError()));
  P->Fix = Fix || addsSuppressions();
  P->AddSuppressions = addsSuppressions();
  P->WantPressure = ShowPressure;
  DiskCache Cache(wantsCache() ? DiskCache::defaultDirectory() : "");
  P->Cache = &Cache;
  PhaseTimes Times;
  P->Took = [&](StringRef Phase, double Seconds) { Times.add(Phase, Seconds); };
  Meters Open;
  bool NoMeasure = P->Search.NoMeasure;
  if (!NoMeasure) {
    auto Start = std::chrono::steady_clock::now();
    Expected<Meters> Opened =
        openMeters(P->Search.Targets, P->Limits, libraryDir(), Argv0, &Cache);
    if (!Opened)
      return fail(toString(Opened.takeError()));
    Open = std::move(*Opened);
    std::chrono::duration<double> Loading =
        std::chrono::steady_clock::now() - Start;
    Times.add("load libraries", Loading.count());
  }
  std::optional<LazyDevice> Device;
  Expected<VerifySettings> Settings = verifySettings(Device);
  if (!Settings)
    return fail(toString(Settings.takeError()));
  P->Verify = std::move(*Settings);
  P->Verify.Cache = &Cache;
  ProgressLine Progress;
  P->Progress = [&](const std::string &Text) { Progress.show(Text); };
  P->Tell = [&](const std::string &Text) {
    Progress.clear();
    errs() << Text;
  };
  NoMeter None;
  MeterByKind ByKind(Open.Offline.get(), Open.Devices.get());
  std::vector<std::string> Notes;
  Expected<std::vector<Unit>> Plain =
      *Captured ? std::vector<Unit>()
                : inputUnits(Files, P->AsGiven, Notes, Input.Text);
  if (!Plain)
    return fail(toString(Plain.takeError()));
  for (const std::string &Note : Notes)
    WithColor::note(errs(), "clrewrite") << Note << "\n";
  std::vector<Unit> &Units = *Captured ? (*Captured)->Found.Units : *Plain;
  if (*Captured)
    P->Search.Weights = (*Captured)->weights();
  Report R = run(Units, NoMeasure ? static_cast<Meter &>(None) : ByKind, *P);
  for (const Rewrite *Each : allRewrites())
    R.Summaries[Each->Name] = Each->Summary;
  Progress.clear();
  if (ShowDiff)
    if (Error E = showDiffs(R, Units))
      return fail(toString(std::move(E)));
  warnOfUnusedLaunches(*P, R);
  warnOfUnusedAlternative(*P, R);
  bool AnyFailed =
      any_of(R.Files, [](const FileReport &F) { return !F.Problem.empty(); });
  if (Input.Filter && !AnyFailed)
    Input.Result = Units.empty() ? Input.Text->Text : *Units.front().Text;
  Error Done = *Old ? compareWithBaseline(R, **Old, Files) : Error::success();
  tellBaseline(R, /*NoReport=*/ShowDiff || Check || addsSuppressions() ||
                      (Input.Filter && !Verbose && OutputFile.empty()));
  if (!Input.Filter || Verbose || !OutputFile.empty())
    Done = joinErrors(std::move(Done), printReport(R, Colour));
  if (*Captured && !L.OnlyMeasure && !addsSuppressions())
    Done = joinErrors(std::move(Done), keepRewritten(**Captured, R));
  if (Done)
    return fail(toString(std::move(Done)));
  if (Timing)
    Times.print(Open.Offline.get());
  return exitCode(R);
}

/// What is wrong with options beside each other; empty where nothing is.
std::string badOptions(bool OnlyMeasure, bool Filter) {
  if (Fix + ShowDiff + Check + addsSuppressions() > 1)
    return "--fix, --diff, --check and --add-suppressions exclude each other";
  if (OnlyMeasure && (Fix || ShowDiff || Check || addsSuppressions()))
    return "clrewrite measure reports figures and changes nothing";
  if (ShowPressure && !OnlyMeasure)
    return "--pressure goes with clrewrite measure";
  if ((ShowDiff || Check || addsSuppressions()) && OutputFormat != Format::Text)
    return "--diff, --check and --add-suppressions have a form of their own; "
           "leave out --format";
  if (std::string Problem = badOption(OnlyMeasure); !Problem.empty())
    return Problem;
  if (Files.empty() && !hasCapture())
    return "no files; try clrewrite --help";
  bool Stdin = is_contained(Files, "-");
  if ((Stdin || limitsLines()) && (Files.size() != 1 || hasCapture()))
    return Stdin ? "- (stdin) goes with no other file"
                 : "--lines goes with one file";
  if (Filter && OutputFormat != Format::Text && OutputFile.empty())
    return "--fix - prints the document alone; leave out --format, or give "
           "--output";
  return "";
}

/// A word in the place of a command that is none, nor a file.
std::string misspeltCommand(const CommandLine &L) {
  bool May = !L.OnlyMeasure && L.Own.size() > 1;
  return May ? clrewrite::misspeltCommand(L.Own[1]) : "";
}

int parseAndWork(CommandLine L, Piped &Input) {
  if (std::string Problem = misspeltCommand(L); !Problem.empty())
    return fail(Problem);
  if (!parseCommandLine(L.Own, L.OnlyMeasure ? "measure" : ""))
    return Failed;
  if (ListRewrites)
    return listRewrites();
  if (!Explain.empty())
    return explain(Explain);
  if (std::string Problem = badOptions(L.OnlyMeasure, Input.Filter);
      !Problem.empty())
    return fail(Problem);
  if (std::string Problem = missingHeaders(); !Problem.empty())
    return fail(Problem);
  if (Input.Text)
    Input.Text->Name = AssumedName;
  return work(L, Input);
}

} // namespace

int clrewrite::runTool(int Argc, char **Argv, bool OnlyMeasure) {
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
  if (!Has("-"))
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
        parseAndWork(std::move(L), Input);
        return Input.Result;
      },
      OnChange);
}

int clrewrite::rewriteCommand(int Argc, char **Argv) {
  return runTool(Argc, Argv, /*OnlyMeasure=*/false);
}
