// clrewrite roofline: what work-items do, beside what a device can do. It runs
// as `measure` does, with all its ways to name kernels and their builds.
#include "Commands.h"
#include "CommonOptions.h"
#include "RooflineOptions.h"
#include "report/Roofline.h"
#include "source/File.h"

using namespace llvm;

namespace clrewrite::cli {

static cl::opt<double>
    Bandwidth("peak-bandwidth",
              cl::desc("Memory bandwidth, bytes read and written (default: "
                       "the product page's of a card for each target)"),
              cl::value_desc("GB/s"), cl::init(0), cl::cat(Roofline));
static cl::opt<double>
    Rate("peak-rate",
         cl::desc("Operations on floats (default: the same card's)"),
         cl::value_desc("GFLOP/s"), cl::init(0), cl::cat(Roofline));
static cl::opt<std::string>
    PeaksFile("peaks",
              cl::desc("Peaks that 'clrewrite peak --format=json' measured"),
              cl::value_desc("file"), cl::cat(Roofline));

/// Set before anything else runs, by the command alone.
static bool Wanted = false;
static std::optional<measure::Peaks> FromFile;

bool wantsRoofline() { return Wanted; }

std::string badRooflineOption() {
  bool Any = Bandwidth.getNumOccurrences() || Rate.getNumOccurrences() ||
             !PeaksFile.empty();
  if (!Wanted)
    return Any ? "--peaks, --peak-bandwidth and --peak-rate go with clrewrite "
                 "roofline"
               : "";
  if (OutputFormat != Format::Text && OutputFormat != Format::Json)
    return "clrewrite roofline has the formats text and json";
  if ((Bandwidth.getNumOccurrences() && !(Bandwidth > 0)) ||
      (Rate.getNumOccurrences() && !(Rate > 0)))
    return "--peak-bandwidth takes GB/s and --peak-rate GFLOP/s, above 0";
  if (PeaksFile.empty())
    return "";
  Expected<std::string> Text = readText(PeaksFile);
  if (!Text)
    return "--peaks: " + toString(Text.takeError());
  Expected<measure::Peaks> Read = measure::parsePeaks(PeaksFile, *Text);
  if (!Read)
    return "--peaks: " + toString(Read.takeError());
  FromFile = std::move(*Read);
  return "";
}

void printRoofline(const report::Report &R, raw_ostream &OS) {
  report::GivenPeaks Given;
  Given.All = FromFile;
  if (Bandwidth > 0)
    Given.GBytesPerSecond = Bandwidth;
  if (Rate > 0)
    Given.GFlops = Rate;
  if (OutputFormat == Format::Json)
    report::writeRooflineJson(R, Given, OS);
  else
    report::writeRoofline(R, Given, OS);
}

int rooflineCommand(int Argc, char **Argv) {
  Wanted = true;
  return runTool(Argc, Argv, /*OnlyMeasure=*/true);
}

} // namespace clrewrite::cli
