// The rows of the table. Help sorts them by part and name, so here they stand
// beside what they have to do with.
#include "config/OptionTable.h"
#include "advice/AdviceSort.h"
#include "config/Glob.h"
#include "config/Shard.h"
#include "frontend/BuildOptions.h"
#include "launch/Launch.h"
#include "measure/OtherLlvm.h"
#include "rewrite/Registry.h"
#include "select/Budget.h"
#include "select/BuildChoice.h"
#include "source/Nearest.h"
#include "verify/Tolerance.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::config {

StringRef titleOf(Part P) {
  static constexpr StringLiteral Titles[] = {
      "What to do (default: report, change nothing)",
      "Which edits",
      "How kernels are built and measured",
      "What a device can do",
      "Whether results stay the same",
      "Output",
      "General options"};
  return Titles[size_t(P)];
}

std::string Option::dashed() const {
  return (Name.size() == 1 ? "-" : "--") + Name;
}

std::string Option::spelling() const {
  std::string Value = ValueName.empty() ? "" : "=<" + ValueName + ">";
  return dashed() + (Alone ? "[" + Value + "]" : Value);
}

static Expected<const advice::AdviceSort *> sortNamed(StringRef Name) {
  std::vector<StringRef> Known{"all", "off"};
  for (const advice::AdviceSort *Sort : advice::allAdvice()) {
    if (Sort->Name == Name)
      return Sort;
    Known.push_back(Sort->Name);
  }
  StringRef Near = nearest(Name, Known);
  return createStringError(
      "unknown sort of advice '" + Name + "'" +
      (Near.empty() ? "" : "; did you mean '" + Near + "'?") +
      " (known: " + join(Known, " ") + ")");
}

Expected<std::vector<const advice::AdviceSort *>>
adviceNamed(ArrayRef<std::string> Words) {
  std::vector<const advice::AdviceSort *> Out;
  for (const std::string &Word : Words) {
    if (Word == "off") {
      Out.clear();
      continue;
    }
    if (Word.empty() || Word == "all") {
      Out = advice::allAdvice().vec();
      continue;
    }
    Expected<const advice::AdviceSort *> Sort = sortNamed(Word);
    if (!Sort)
      return Sort.takeError();
    if (!is_contained(Out, *Sort))
      Out.push_back(*Sort);
  }
  return Out;
}

std::string unknownRewrite(StringRef Name) {
  std::vector<StringRef> Known;
  for (const rewrite::Rewrite *R : rewrite::allRewrites())
    Known.push_back(R->Name);
  StringRef Near = nearest(Name, Known);
  return ("unknown rewrite '" + Name + "'" +
          (Near.empty() ? "" : "; did you mean '" + Near + "'?") +
          " (known: " + join(Known, " ") + ")")
      .str();
}

/// Fails where \p Parse does not take the text.
template <auto Parse> static Error parses(const std::string &Text) {
  return Parse(Text).takeError();
}

static Error isRewrite(const std::string &Name) {
  if (any_of(rewrite::allRewrites(),
             [&](const rewrite::Rewrite *R) { return R->Name == Name; }))
    return Error::success();
  return createStringError(unknownRewrite(Name));
}

static Error isEdit(const std::string &Text) {
  Expected<select::EditName> Name = select::parseEditName(Text);
  return Name ? isRewrite(Name->Rewrite) : Name.takeError();
}

static Error isAdvice(const std::string &Name) {
  return adviceNamed({Name}).takeError();
}

static Error isBuildOptionToTry(const std::string &Word) {
  return select::buildOptionsNamed({Word}).takeError();
}

static Error areBuildOptions(const std::string &Text) {
  if (Error E = frontend::checkQuotes(Text))
    return E;
  return frontend::parseBuildOptions(frontend::splitBuildOptions(Text))
      .takeError();
}

static Error isPattern(const std::string &Text) {
  std::string Why = badGlob(Text);
  return Why.empty() ? Error::success()
                     : createStringError("the pattern '" + Text + "' " + Why);
}

static constexpr const char *ToleranceHelp =
    "How far floating-point results may be apart where the original differs "
    "from itself (a sum in no fixed order): 4, 4ulp or 1e-5 (relative)";

static constexpr const char *AllowVaryingHelp =
    "Where a launch is known and the original's results differ from run to run "
    "(atomics on floats), hold exact edits to how far they do; the verdict is "
    "within-spread then";

static constexpr const char *ProofSecondsHelp =
    "Limit for the proof of one kernel (default 10)";

/// \p Row, of whose number a repository may ask for \p Most at most.
static Option atMost(double Most, Option Row) {
  Row.Most = Most;
  return Row;
}

std::vector<Option> optionsOf(Config &C) {
  constexpr auto Both = Option::Both, FileOnly = Option::FileOnly;
  return {
      {Part::Building, "target", &C.Targets, "gpu,...",
       "GPUs to measure for: gfx906, gfx1100, hawaii, ..., redwood, cayman, "
       "..., sm_90, ..., device, device:NAME, device:all; gfx906@19 for "
       "LLVM 19, gfx906@all for each that is here (default gfx906,gfx1100)",
       Both, parses<measure::parseTargets>},
      {Part::Choice,
       "objective",
       &C.Goal,
       "value",
       "What an edit must gain",
       Both,
       nullptr,
       0,
       "",
       "",
       {{"auto", "time for kernels whose launch is known (--launch or a launch "
                 "comment), where there is a device target; else occupancy, "
                 "and for NVIDIA's GPUs memory accesses that are faster by the "
                 "estimate (default)"},
        {"occupancy", "more waves, or less scratch or spills"},
        {"registers", "fewer VGPRs, or the above"},
        {"estimate", "a lower estimate of time, whatever the registers"},
        {"time",
         "less time on a device, by --launch, whatever all else does"}}},
      {Part::Choice, "max-slowdown", &C.MaxSlowdown, "percent",
       "How much the estimate may rise anywhere beyond 1 %, which is noise "
       "(default 0)",
       Both},
      {Part::Choice, "only-target", &C.OnlyTarget, "",
       "Keep edits that cost time, by the estimates, on a GPU of a family that "
       "no target names (GCN and CDNA: gfx906; RDNA: gfx1100; NVIDIA: sm_90); "
       "by default they are refused",
       Both},
      {Part::Choice, "variants", &C.Variants, "",
       "Write edits that pay on some of the targets, and do not suit all GPUs, "
       "for the compilers of those alone: both ways stay, under an #ifdef",
       Both},
      {Part::Building,
       "budget",
       &C.Budget,
       "n|SECONDSs",
       "How many alternatives are tried for each kernel that can gain (default "
       "200; on the command line 0 is no limit), or for how long the run may "
       "search",
       Both,
       parses<select::parseBudget>,
       0,
       "",
       "",
       {},
       std::nullopt,
       /*Most=*/2000, // of alternatives or seconds
       /*NamedInCheck=*/false},
      {Part::Choice, "only", &C.Only, "rewrite,...", "Try these rewrites only",
       Both, isRewrite},
      {Part::Choice, "without", &C.Without, "rewrite,...",
       "Try all but these rewrites", Both, isRewrite},
      {Part::Output,
       "advise",
       &C.Advise,
       "name,...",
       "Note also what is no edit, such as accesses that do not coalesce: all "
       "sorts, or these (--list-advice); off for none",
       Both,
       isAdvice,
       0,
       "",
       "",
       {},
       "all"},
      {Part::Choice, "grant", &C.Granted, "rewrite[/alternative][:class],...",
       "Allow these edits although they are not exact", Both, isEdit},
      {Part::Choice, "demote", &C.Demoted, "rewrite[/alternative][:class],...",
       "Apply these edits with --unsafe-fixes only", Both, isEdit},
      {Part::Choice, "try-options", &C.TryOptions, "registers|off|option,...",
       "Build options that are tried where a device times kernels: registers, "
       "limits of registers on NVIDIA's (default; with --only none), off, or "
       "-cl-mad-enable, -cl-denorms-are-zero and -cl-fast-relaxed-math, which "
       "--tolerance then holds",
       Both, isBuildOptionToTry},
      {Part::Building, "options", &C.Options, "\"-D N=16 ...\"",
       "Options of clBuildProgram; or give them after --", Both,
       areBuildOptions},
      {Part::Building, "option-sets", &C.Sets, "",
       "How the host program builds these files: named sets of build options, "
       "in each of which an edit must be legal",
       FileOnly},
      {Part::Building, "only-these-builds", &C.OnlyTheseBuilds, "",
       "The host builds the files with these options and no others: an edit "
       "need not hold in other arms of #if, nor with other macros",
       Both},
      {Part::Building, "launch", &C.Launches,
       "kernel:global[:local][,arg=value...]",
       "How a kernel is launched, to be timed on a device, estimated and "
       "verified; e.g. f:1024x1024:64x4,width=1024,in=4M",
       Both, parses<launch::parseLaunch>},
      {Part::Building, "guess-launches", &C.GuessLaunches, "",
       "Make a launch up for each kernel that has none, by running it on the "
       "device of --verify, and print it",
       Both},
      {Part::Building, "exclude", &C.Exclude, "",
       "Patterns of files that are left alone, as in .gitignore", FileOnly,
       isPattern},
      {Part::Verifying, "verify", &C.Verify, "auto|off|device",
       "Run kernels before and after their edits, and refuse edits that change "
       "a result: auto (default: where there is an OpenCL device), off, or a "
       "device's index or part of its name",
       Both},
      atMost(60,
             {Part::Verifying, "verify-seconds", &C.VerifySeconds, "seconds",
              "Limit for one kernel (default 10)", Both, nullptr, 1e-3}),
      {Part::Verifying, "require-proof", &C.RequireProof, "",
       "Keep only edits after which each kernel is proved to leave the same "
       "for every input; that takes no device",
       Both},
      atMost(60, {Part::Verifying, "proof-seconds", &C.ProofSeconds, "seconds",
                  ProofSecondsHelp, Both, nullptr, 1}),
      {Part::Verifying, "tolerance", &C.Tolerance, "ulps|relative",
       ToleranceHelp, Both, parses<verify::parseTolerance>},
      {Part::Verifying, "allow-varying", &C.AllowVarying, "", AllowVaryingHelp,
       Both},
      atMost(600,
             {Part::Building, "compile-timeout", &C.CompileTimeout, "seconds",
              "Limit for one compilation (default 60)", Both, nullptr, 1}),
      // Each may take all the memory that --max-memory gives.
      atMost(256, {Part::Building, "jobs", &C.Jobs, "n",
                   "Compilations at a time, and verifications on a CPU "
                   "(default: one a processor)",
                   Both}),
  };
}

/// The row of a --format that has the first \p Count formats.
static Option formatRow(Part In, const char *Help, Format &Into, size_t Count) {
  std::vector<OptionValue> Values{
      {"text", "for people (default)"},
      {"json", "one JSON document"},
      {"sarif", "SARIF 2.1.0, with fixes"},
      {"github", "annotations of a GitHub Actions workflow"},
      {"junit", "XML for CI servers, a test case a kernel"},
      {"csv", "for tables"},
      {"markdown", "tables for a pull request"},
      {"html", "a page: figures, occupancy curves, diffs"},
      {"svg", "the occupancy curves alone"}};
  Values.resize(Count);
  return {
      In, "format", &Into, "value",          Help, Option::CommandLine, nullptr,
      0,  "",       "",    std::move(Values)};
}

/// Those of the command line without a command, and of `measure` and its like.
static std::vector<Option> runOptions(Options &O) {
  constexpr auto Here = Option::CommandLine;
  std::vector<Option> Out{
      {Part::Modes, "fix", &O.Fix, "",
       "Write the edits that pay into the files"},
      {Part::Modes, "diff", &O.Diff, "", "Print them as a unified diff"},
      {Part::Modes, "check", &O.Check, "",
       "Only name the files that --fix would change"},
      {Part::Modes, "add-suppressions", &O.AddSuppressions, "",
       "Write comments into the files that suppress the edits that pay"},
      {Part::Modes, "plan", &O.PlanFile, "file",
       "With --capture: write the kept edits there as a plan, which clrewrite "
       "run and try take"},
      {Part::Modes, "show-config", &O.ShowConfig, "",
       "Print the settings that the file gets, as YAML"},
      {Part::Modes, "config-schema", &O.ConfigSchema, "",
       "Print the JSON schema of .clrewrite.yaml, for editors"},
      {Part::Modes, "list-rewrites", &O.ListRewrites, "", "List the rewrites"},
      {Part::Modes, "list-advice", &O.ListAdvice, "",
       "List the sorts of advice"},
      {Part::Modes, "explain", &O.Explain, "rewrite", "Print a rewrite's page"},
      {Part::Modes, "exit-zero", &O.ExitZero, "",
       "Exit with 0 although edits that pay are left; failures still give 2"},
      {Part::Modes, "exit-non-zero-on-fix", &O.ExitNonZeroOnFix, "",
       "With --fix: exit with 1 where a file was changed, though nothing is "
       "left"},

      {Part::Choice, "config", &O.ConfigFile, "file",
       "Use this configuration for all files (default: for each the nearest "
       ".clrewrite.yaml, upwards)"},
      {Part::Choice, "no-config", &O.NoConfig, "", "Use no configuration file"},
      {Part::Choice, "alternative", &O.OnlyAlternative, "label",
       "Try this alternative of each rewrite only"},
      {Part::Choice, "unsafe-fixes", &O.Unsafe, "",
       "Allow edits of the classes assumes, approximate and contract too"},
      {Part::Choice, "no-measure", &O.NoMeasure, "",
       "Apply every legal edit, and compile nothing to see whether it pays"},
      {Part::Choice, "fix-headers", &O.FixHeaders, "",
       "Rewrite the included files, too, where it pays and is legal in every "
       "given file that includes them"},
      {Part::Choice, "lines", &O.Lines, "first:last",
       "Limit edits to these lines, from 1; may be given again"},

      {Part::Building, "assume-filename", &O.AssumedName, "file.cl",
       "What the file is taken for that - reads from stdin: its headers are "
       "looked up beside it"},
      {Part::Building, "end-of-options", &O.EndOfOptions, "",
       "All words behind it are names of files or folders, also those that "
       "begin with -"},
      {Part::Building, "hook", &O.Hook, "",
       "For hooks, to whose options pre-commit adds names of files: from the "
       "first word behind it that names a file on, all are names"},
      {Part::Building, "files-from", &O.FilesFrom, "file",
       "Read names of files and folders from this file, one a line; from stdin "
       "where it is -"},
      {Part::Building, "null", &O.Null, "",
       "A name in --files-from ends with a NUL byte", Here, nullptr, 0, "0"},
      {Part::Building, "shard", &O.Shard, "i/n",
       "Work on the i-th of n parts of the files alone; clrewrite merge puts "
       "the documents together",
       Here, parses<parseShard>},
      {Part::Building, "costs", &O.Costs, "report.json",
       "Part the files by what they cost in this report of an earlier run, "
       "which --timing gives times"},
      {Part::Building, "program", &O.OneProgram, "",
       "The files, in this order, are one program: the host puts them "
       "together"},
      {Part::Building, "capture", &O.CaptureFolder, "folder",
       "Rewrite the programs of this capture (clrewrite capture), built and "
       "launched as their host did"},
      {Part::Building, "root", &O.Root, "folder",
       "Where the files are that a capture's programs come from (default: "
       "here)"},
      {Part::Building, "max-memory", &O.MaxMemory, "MiB",
       "Limit for one compiling process (default 4096; 0 is no limit)"},
      {Part::Building, "no-cache", &O.NoCache, "",
       "Use and keep no results of other runs"},
      {Part::Building, "device-libs", &O.LibraryDir, "dir",
       "Directory of AMD's device libraries or libclc"},
      {Part::Building, "device-command", &O.DeviceCommand, "command",
       "How to start the device program, e.g. \"ssh gpuhost "
       "clrewrite-device\" (default: the one beside clrewrite)"},
      {Part::Building, "farm", &O.Farm, "file",
       "Machines whose devices are targets device:MACHINE/NAME, a line each: "
       "name, and the command that starts clrewrite-device there"},
      {Part::Building, "device-timeout", &O.DeviceTimeout, "seconds",
       "Limit for one job on a device (default 60)"},
      {Part::Building, "drivers", &O.Drivers, "n",
       "Device programs that build versions for a GPU side by side, 1 to 16 "
       "(default: a quarter of the processors, 1 to 4)"},

      {Part::Roofline, "peak-bandwidth", &O.PeakBandwidth, "GB/s",
       "Memory bandwidth, bytes read and written (default: the product page's "
       "of a card for each target)"},
      {Part::Roofline, "peak-rate", &O.PeakRate, "GFLOP/s",
       "Operations on floats (default: the same card's)"},
      {Part::Roofline, "peaks", &O.PeaksFile, "file",
       "Peaks that 'clrewrite peak --format=json' measured"},

      {Part::Verifying, "witness", &O.Witness, "file",
       "Write the job that shows a changed result here"},
      {Part::Verifying, "require-verified", &O.RequireVerified, "",
       "Refuse edits that could not be verified, too, with exit code 2"},

      formatRow(Part::Output,
                "Format of the report; --report is the same option", O.Form, 9),
      {Part::Output, "output", &O.Output, "file",
       "Write the report to this file instead of stdout"},
      {Part::Output, "verbose", &O.Verbose, "",
       "List every site that was left alone, and why", Here, nullptr, 0, "v"},
      {Part::Output, "explain-search", &O.ExplainSearch, "",
       "Report what was tried, what it gave, and why it was dropped"},
      {Part::Output, "explain-occupancy", &O.ExplainOccupancy, "",
       "Report what limits each kernel's occupancy on each target, what each "
       "resource by itself would allow, and the next step"},
      {Part::Output, "width", &O.Width, "columns",
       "Break the lines of the text report between words, for so many columns; "
       "0 for never (default: on a terminal, its width)"},
      {Part::Output, "timing", &O.Timing, "",
       "Tell on stderr where the time goes, and each file's time in JSON"},
      {Part::Output, "pressure", &O.Pressure, "",
       "As clrewrite measure, and with how many VGPRs are alive in each line "
       "of a kernel, on AMD's GPUs"},
      {Part::Output, "baseline", &O.Baseline, "file.json",
       "Compare all figures with those of this file"},
      {Part::Output, "update-baseline", &O.UpdateBaseline, "",
       "Write the figures into the file of --baseline"},
      {Part::Output, "fail-on-regression", &O.FailOnRegression, "",
       "Exit with 1 where a kernel is worse than in the baseline"},
      {Part::Output, "baseline-diff", &O.BaselineDiff, "",
       "Print what --update-baseline would change in the file, for patch -p1"},
  };
  for (Option &Row : Out)
    if (Row.Name == "format")
      Row.Another = "report";
  for (Option &Row : optionsOf(O.Set))
    if (Row.From != Option::FileOnly)
      Out.push_back(std::move(Row));
  return Out;
}

static constexpr const char *DeviceCommandHelp =
    "Command that starts clrewrite-device, here or elsewhere (default: the one "
    "beside clrewrite)";

static Error isProving(const std::string &Word) {
  if (Word == "on" || Word == "only" || Word == "off")
    return Error::success();
  return createStringError("--prove takes on, only or off, not '" + Word + "'");
}

static std::vector<Option> compareOptions(CompareOptions &O) {
  constexpr Part P = Part::General;
  return {
      {P, "kernel", &O.Kernel, "name", "Only this one (default: all)"},
      {P, "device", &O.Device, "device",
       "Index or part of the name (default: the first CPU device, else the "
       "first)"},
      {P, "device-command", &O.DeviceCommand, "command", DeviceCommandHelp},
      {P, "device-timeout", &O.DeviceTimeout, "seconds",
       "Limit for one job (default 60)"},
      {P, "seconds", &O.Seconds, "seconds",
       "Limit for one kernel (default 30)"},
      {P, "rounds", &O.Rounds, "n", "Launches a kernel (default 32)"},
      {P, "seed", &O.Seed, "n", "Of the inputs (default 1)"},
      {P, "time", &O.Time, "",
       "Time both versions of each kernel, in turns, where a launch comment of "
       "the first file says how it is launched"},
      {P, "prove", &O.Prove, "on|only|off",
       "Try to prove the versions equal before they are run (default on); "
       "only: "
       "nothing is run",
       Option::CommandLine, isProving},
      {P, "proof-seconds", &O.ProofSeconds, "seconds", ProofSecondsHelp},
      {P, "no-overlap", &O.NoOverlap, "",
       "Two arguments are never the same buffer"},
      {P, "verbose", &O.Verbose, "",
       "List the rounds: their inputs, how each was launched, and what it "
       "showed"},
      {P, "global", &O.Global, "n,...", "Global size of the launches"},
      {P, "local", &O.Local, "n,...", "Work-group size of the launches"},
      {P, "set", &O.Set, "name=n,...", "Values of integer arguments by name"},
      {P, "new-launch", &O.LaunchChanges, "kernel:factors[:local],...",
       "How the second version of a kernel is launched: its global size "
       "divided by these factors, in work-groups of this size "
       "(blur:1x4:32x4); :round-up at the end rounds up"},
      {P, "tolerance", &O.Tolerance, "ulps|relative", ToleranceHelp,
       Option::CommandLine, parses<verify::parseTolerance>},
      {P, "allow-varying", &O.AllowVarying, "", AllowVaryingHelp},
      {P, "witness", &O.Witness, "file",
       "Write the job that shows a difference here"},
  };
}

static std::vector<Option> captureOptions(CaptureOptions &O) {
  constexpr Part P = Part::General;
  return {
      {P, "o", &O.Folder, "folder",
       "The folder to write (default clrewrite-capture)"},
      {P, "show", &O.Show, "folder",
       "Only tell what the capture in this folder holds"},
      {P,
       "data",
       &O.Data,
       "N",
       "Record what memory holds before and after the first N launches of each "
       "shape (default 1; without: none)",
       Option::CommandLine,
       nullptr,
       0,
       "",
       "",
       {},
       ""},
      {P, "max-size", &O.MaxSize, "bytes",
       "Bound on the folder's size (default 1G)"},
      {P, "target", &O.Targets, "gpu,...",
       "GPUs whose registers are told (default gfx906,gfx1100)"},
      {P, "no-measure", &O.NoMeasure, "", "Tell no registers"},
      {P, "quiet", &O.Quiet, "", "Print nothing but errors"},
      formatRow(P, "Format of what is told", O.Form, 2),
  };
}

static std::vector<Option> tryOptions(TryOptions &O) {
  constexpr Part P = Part::General;
  return {
      {P, "capture", &O.Folder, "folder",
       "The capture, after clrewrite --capture=... (default "
       "clrewrite-capture)"},
      {P, "rounds", &O.Rounds, "n", "Pairs of runs to be timed (default 7)"},
      {P, "no-compare", &O.NoCompare, "",
       "Leave out the two runs that record what the kernels write, and compare "
       "nothing"},
      {P, "max-size", &O.MaxSize, "bytes",
       "Bound on the data that one run records to be compared (default 1G; up "
       "to five lie on the disk together)"},
  };
}

/// What is searched goes by a configuration where these do not say it.
static std::vector<Option> tuneOptions(Options &O) {
  constexpr Part P = Part::General;
  return {
      {P, "o", &O.Capture.Folder, "folder",
       "The folder to write: the capture, the report, the plan (default "
       "clrewrite-tune)"},
      {P, "plan", &O.PlanFile, "file",
       "The plan to write (default: plan.json in that folder)"},
      {P, "budget", &O.Tune.Budget, "n|SECONDSs",
       "For how long to search (default 60s), or how many alternatives to try "
       "for each kernel",
       Option::CommandLine, parses<select::parseBudget>},
      {P, "only", &O.Tune.Only, "rewrite,...", "Try these rewrites only"},
      {P, "rounds", &O.Try.Rounds, "n",
       "Pairs of runs of the program to be timed (default 7)"},
      {P, "allow-varying", &O.Set.AllowVarying, "", AllowVaryingHelp},
  };
}

static std::vector<Option> repeatOptions(RepeatOptions &O) {
  constexpr Part P = Part::General;
  return {
      {P, "kernel", &O.Kernel, "name", "Only this one (default: all)"},
      {P, "device", &O.Device, "device",
       "Index or part of the name (default: as captured)"},
      {P, "repeat", &O.Repeat, "n", "Timed rounds (default 20)"},
      {P, "device-command", &O.DeviceCommand, "command", DeviceCommandHelp},
      {P, "device-timeout", &O.DeviceTimeout, "seconds",
       "Limit for one job (default 60)"},
  };
}

static std::vector<Option> fleetOptions(Options &O) {
  constexpr Part P = Part::General;
  return {
      {P, "local", &O.Fleet.Local, "",
       "Run the shards on this machine (xargs)"},
      {P, "parallel", &O.Fleet.Parallel, "", "Run them by GNU parallel"},
      {P, "slurm", &O.Fleet.Slurm, "",
       "Run them as an array job of Slurm, and the merging as a job behind it"},
      {P, "shards", &O.Fleet.Shards, "n",
       "How many shards (default: one a processor)"},
      {P, "at-once", &O.Fleet.AtOnce, "n",
       "How many run at a time (default: one a processor; by Slurm as many as "
       "it has room for)"},
      {P, "timeout", &O.Fleet.Timeout, "seconds",
       "Limit for one shard, which is then run again (default: none)"},
      {P, "output", &O.Output, "file", "The document of the whole run"},
      {P, "folder", &O.Fleet.Folder, "folder",
       "Where the scripts and the shards' documents are until the run is over; "
       "all machines must see it (default: the output's name and .fleet)"},
      {P, "print", &O.Fleet.Print, "",
       "Only print the scripts and the commands that would run them"},
  };
}

static std::vector<Option> historyOptions(Options &O) {
  constexpr Part P = Part::General;
  return {
      {P, "add", &O.History.Add, "report.json",
       "Add this report, of a whole run with --format=json, as the last night"},
      {P, "date", &O.History.Date, "date", "Its date (default: today's)"},
      {P, "commit", &O.History.Commit, "name",
       "The commit of the kernels, with --add"},
      {P, "compiler", &O.History.Compiler, "text",
       "What compiled, with --add (default: LLVM as it is in this program)"},
      {P, "driver", &O.History.Driver, "text",
       "The driver of the device, with --add"},
      {P, "bisect", &O.History.Bisect, "kernel",
       "Read a report on stdin; exit with 0 where this kernel is as good as "
       "before it got worse, with 1 where it is worse, with 125 where that is "
       "not known: for git bisect run. Of gfx906@all it tells between which "
       "LLVMs the kernel got worse"},
      {P, "page", &O.History.Page, "file.html", "Write a page, too"},
      {P, "fail-on-regression", &O.FailOnRegression, "",
       "Exit with 1 where a kernel got worse in the last night"},
  };
}

/// Those of `peak` and `probe`.
static std::vector<Option> instrumentOptions(InstrumentOptions &O) {
  constexpr Part P = Part::General;
  return {
      {P, "device", &O.Device, "device",
       "Index, part of the name, cpu or gpu (default: the first GPU, else the "
       "first device)"},
      {P, "device-command", &O.DeviceCommand, "command", DeviceCommandHelp},
      {P, "output", &O.Output, "file", "Write there instead of to stdout"},
      {P, "save", &O.Save, "file",
       "Write the JSON document there too, whatever --format is"},
      {P, "budget", &O.Budget, "seconds",
       "Limit for all (default 60); what is known by then is reported"},
      {P, "repeat", &O.Repeat, "n",
       "Timed launches of each kernel (default 7)"},
      formatRow(P, "How to tell", O.Form, 2),
  };
}

std::vector<Option> optionsOf(StringRef Command, Options &O) {
  constexpr Part P = Part::General;
  std::vector<Option> Out;
  if (Command == "verify") {
    Out = compareOptions(O.Compare);
  } else if (Command == "capture") {
    Out = captureOptions(O.Capture);
  } else if (Command == "try") {
    Out = tryOptions(O.Try);
    Out.push_back({P, "plan", &O.PlanFile, "file",
                   "Try this plan instead of a capture's rewritten kernels"});
  } else if (Command == "tune") {
    Out = tuneOptions(O);
  } else if (Command == "run") {
    Out.push_back(
        {P, "plan", &O.PlanFile, "file",
         "The plan, as clrewrite --capture=... --plan=... writes it"});
  } else if (Command == "replay") {
    Out = repeatOptions(O.Repeat);
  } else if (Command == "peak") {
    Out = instrumentOptions(O.Instrument);
    Out.push_back({P, "buffer", &O.PeakBuffer, "bytes",
                   "Bytes of each of the two buffers that are copied, e.g. "
                   "256M (default: well over the cache)"});
  } else if (Command == "probe") {
    Out = instrumentOptions(O.Instrument);
    Out.push_back({P, "max-variables", &O.ProbeMost, "n",
                   "The most variables to try (default 512, at most 2048); "
                   "twice as many build more than twice as long"});
    Out.push_back({P, "build-limit", &O.ProbeBuildLimit, "seconds",
                   "Limit for building one kernel (default 20)"});
    Out.push_back({P, "slower", &O.ProbeSlower, "ratio",
                   "A time for each variable above this many times the least "
                   "is slower (default 1.15)"});
  } else if (Command == "fleet") {
    Out = fleetOptions(O);
  } else if (Command == "history") {
    Out = historyOptions(O);
  } else if (Command == "merge") {
    // It takes files alone.
  } else if (Command == "cache") {
    Out.push_back({P, "clear", &O.ClearCache, "", "Remove them"});
  } else {
    // `measure`, `roofline` and `lsp` go by a configuration, and take whatever
    // it may say.
    Out = runOptions(O);
  }
  if (Command == "init" || Command == "devices") {
    erase_if(Out, [&](const Option &Row) {
      return !is_contained({"device-command", "device-timeout"}, Row.Name) &&
             !(Command == "devices" &&
               is_contained({"farm", "format"}, Row.Name));
    });
    return Out;
  }
  Out.push_back({Part::Verifying, "allow-native", &O.AllowNative, "",
                 "Run kernels on a CPU device even where no sandbox holds: "
                 "they are native code, and can do all that you can"});
  return Out;
}

} // namespace clrewrite::config
