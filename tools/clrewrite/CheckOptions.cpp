// Checking the options of a run beside each other.
#include "CheckOptions.h"
#include "BaselineOptions.h"
#include "Version.h"
#include "run/Settings.h"
#include "llvm/ADT/STLExtras.h"

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

static std::string badShard(const config::Options &O) {
  if (O.Shard.empty())
    return O.Costs.empty() ? "" : "--costs goes with --shard";
  if (!O.CaptureFolder.empty() || is_contained(O.Files, "-"))
    return "--shard parts files and folders, no capture and no stdin";
  if (O.Fix || O.AddSuppressions || O.FixHeaders)
    return "--shard goes without --fix, --add-suppressions and --fix-headers: "
           "the files are parted by what they hold, and a header is edited "
           "for all files that include it";
  if (!O.Baseline.empty() && !O.UpdateBaseline)
    return "--shard compares with no baseline: each shard has a part of the "
           "kernels alone; with --update-baseline it writes one of its own, "
           "which clrewrite merge takes";
  return "";
}

static std::string badNumbers(const config::Options &O) {
  if (O.Set.CompileTimeout == 0u)
    return "--compile-timeout takes 1 second or more";
  if (O.MaxMemory != 0 && O.MaxMemory < LeastMemory)
    return "--max-memory takes " + std::to_string(LeastMemory) +
           " MiB or more, which the compiler itself needs, or 0 for no limit";
  if (!(O.Set.VerifySeconds.value_or(1) > 0) || O.DeviceTimeout == 0 ||
      O.Set.ProofSeconds == 0u)
    return "--verify-seconds, --proof-seconds and --device-timeout take "
           "seconds above 0";
  if (unsigned N = O.Drivers.value_or(1); N < 1 || N > 16)
    return "--drivers takes 1 to 16";
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
    return "no files: name kernels or a folder, as in 'clrewrite kernel.cl' "
           "and 'clrewrite .'; clrewrite --help has more";
  if (O.ShowConfig && O.Files.size() != 1)
    return "--show-config goes with one file";
  if (Captured && !O.AfterDashes.empty())
    return "a capture has the build options; leave out what follows --";
  if (!O.PlanFile.empty() && (!Captured || O.onlyMeasures()))
    return "--plan goes with --capture, and with edits";
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
  for (auto Bad :
       {badModes, badNumbers, badShard, badBaselineOption, badRooflineOptions})
    if (std::string Problem = Bad(O); !Problem.empty())
      return Problem;
  if (O.NoConfig && !O.ConfigFile.empty())
    return "--config and --no-config exclude each other";
  if (std::string Problem = badFiles(O); !Problem.empty())
    return Problem;
  return missingHeaders();
}

Error checkRun(const config::Options &O) {
  if (std::string Problem = badOptions(O); !Problem.empty())
    return createStringError(Problem);
  Expected<pipeline::PipelineOptions> P = run::commonOptions(O);
  if (!P)
    return P.takeError();
  Expected<config::Config> Given = run::givenSettings(O);
  if (!Given)
    return Given.takeError();
  config::Config C = config::defaultConfig();
  if (!O.ConfigFile.empty()) {
    Expected<config::Config> Said = config::readConfigFile(O.ConfigFile);
    if (!Said)
      return Said.takeError();
    C = config::overlay(std::move(C), *Said);
  }
  C = config::overlay(std::move(C), *Given);
  return run::pipelineOptions(O, std::move(*P), C).takeError();
}

} // namespace clrewrite::cli
