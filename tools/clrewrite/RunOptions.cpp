// Checking the options of a run beside each other, and handing them over.
#include "RunOptions.h"
#include "BaselineOptions.h"
#include "Meters.h"
#include "Version.h"
#include "frontend/BuildOptions.h"
#include "rewrite/Registry.h"
#include "source/File.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::cli {

/// MiB. Clang, LLVM and a kernel of ordinary size.
static constexpr unsigned LeastMemory = 512;

/// The modes beside each other, and beside what is printed.
static std::string badModes(const config::Options &O) {
  if (O.Hook && O.AllowNative)
    return "--hook takes no --allow-native: a hook's options may be a "
           "repository's";
  if (O.Fix + O.Diff + O.Check + O.AddSuppressions > 1)
    return "--fix, --diff, --check and --add-suppressions exclude each other";
  bool OwnForm = O.Diff || O.Check || O.AddSuppressions;
  if (O.onlyMeasures() && (O.Fix || OwnForm))
    return std::string(O.Pressure ? "--pressure" : "clrewrite measure") +
           " reports figures and changes nothing";
  if (OwnForm && O.Form != config::Format::Text)
    return "--diff, --check and --add-suppressions have a form of their own; "
           "leave out --format";
  if (O.onlyMeasures() && O.NoMeasure)
    return "clrewrite measure reports figures and changes nothing";
  if (O.AddSuppressions && O.NoMeasure)
    return "--add-suppressions is for edits that pay; leave out --no-measure";
  return "";
}

static std::string badNumbers(const config::Options &O) {
  if (O.Set.CompileTimeout == 0u)
    return "--compile-timeout takes 1 second or more";
  if (O.MaxMemory != 0 && O.MaxMemory < LeastMemory)
    return "--max-memory takes " + std::to_string(LeastMemory) +
           " MiB or more, which the compiler itself needs, or 0 for no limit";
  if (!(O.Set.VerifySeconds.value_or(1) > 0) || O.DeviceTimeout == 0)
    return "--verify-seconds and --device-timeout take seconds above 0";
  if (O.Set.MaxSlowdown.value_or(0) < 0)
    return "--max-slowdown takes a percentage of 0 or more";
  return "";
}

static std::string badRooflineOptions(const config::Options &O) {
  bool Any = O.PeakBandwidth || O.PeakRate || !O.PeaksFile.empty();
  if (!O.Roofline)
    return Any ? "--peaks, --peak-bandwidth and --peak-rate go with clrewrite "
                 "roofline"
               : "";
  if (O.Form != config::Format::Text && O.Form != config::Format::Json)
    return "clrewrite roofline has the formats text and json";
  if (!(O.PeakBandwidth.value_or(1) > 0) || !(O.PeakRate.value_or(1) > 0))
    return "--peak-bandwidth takes GB/s and --peak-rate GFLOP/s, above 0";
  return "";
}

/// The files beside options that want one, or none.
static std::string badFiles(const config::Options &O) {
  bool Captured = !O.CaptureFolder.empty(), Lines = !O.Lines.empty();
  if (O.Files.empty() && !Captured)
    return "no files; try clrewrite --help";
  if (O.ShowConfig && O.Files.size() != 1)
    return "--show-config goes with one file";
  if (Captured && !O.AfterDashes.empty())
    return "a capture has the build options; leave out what follows --";
  bool Stdin = is_contained(O.Files, "-");
  if ((Stdin || Lines) && (O.Files.size() != 1 || Captured))
    return Stdin ? "- (stdin) goes with no other file"
                 : "--lines goes with one file";
  bool NotFiles = Stdin || Lines || Captured;
  if (NotFiles && O.OneProgram)
    return "--program goes with files, and without --lines";
  if (NotFiles && O.FixHeaders)
    return "--fix-headers goes with files and folders, and without --lines";
  return "";
}

std::string badOptions(const config::Options &O) {
  for (auto Bad : {badModes, badNumbers, badBaselineOption, badRooflineOptions})
    if (std::string Problem = Bad(O); !Problem.empty())
      return Problem;
  if (O.NoConfig && !O.ConfigFile.empty())
    return "--config and --no-config exclude each other";
  if (std::string Problem = badFiles(O); !Problem.empty())
    return Problem;
  return missingHeaders();
}

Expected<config::Config> givenSettings(const config::Options &O) {
  config::Config C = O.Set;
  if (!O.AfterDashes.empty()) {
    C.Options = C.Options.value_or(config::Words());
    C.Options->push_back(
        join(map_range(O.AfterDashes, config::quotedOption), " "));
  }
  std::vector<std::string> Ignored;
  if (Error E = config::buildsOf(C, Ignored).takeError())
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
  P.AddSuppressions = O.AddSuppressions;
  P.WantPressure = O.Pressure;
  P.WantWork = O.Roofline;
  P.WantAccounts = O.ExplainOccupancy;
  P.WantCurves = O.Curves || O.Form == config::Format::Html ||
                 O.Form == config::Format::Svg;
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
  if (Error E = config::applyTo(P, C))
    return std::move(E);
  if (O.onlyMeasures())
    P.Rewrites.clear();
  // A launch also says how large a work-group is.
  if (O.Set.Launches && !O.ExplainOccupancy && !O.Roofline &&
      !anyDevice(P.Search.Targets))
    return createStringError("--launch and --objective=time need a device "
                             "among the targets (--target=device)");
  if (C.Verify == "off" && O.RequireVerified)
    return createStringError("verify is off, and --require-verified needs it");
  return std::move(P);
}

std::vector<measure::Launch> givenLaunches(const config::Options &O) {
  std::vector<measure::Launch> Out;
  if (O.Set.Launches)
    for (const config::FileLaunch &L : *O.Set.Launches)
      Out.push_back(cantFail(measure::parseLaunch(L.Text)));
  return Out;
}

Expected<report::GivenPeaks> givenPeaks(const config::Options &O) {
  report::GivenPeaks Given;
  Given.GBytesPerSecond = O.PeakBandwidth;
  Given.GFlops = O.PeakRate;
  if (O.PeaksFile.empty())
    return Given;
  Expected<std::string> Text = readText(O.PeaksFile);
  if (!Text)
    return createStringError("--peaks: " + toString(Text.takeError()));
  Expected<measure::Peaks> Read = measure::parsePeaks(O.PeaksFile, *Text);
  if (!Read)
    return createStringError("--peaks: " + toString(Read.takeError()));
  Given.All = std::move(*Read);
  return Given;
}

} // namespace clrewrite::cli
