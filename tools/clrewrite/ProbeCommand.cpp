// The command `probe`: how many registers a work-item has.
#include "Commands.h"
#include "Instruments.h"
#include "instrument/Probe.h"

using namespace llvm;

namespace clrewrite::cli {

static cl::SubCommand Command("probe");
static InstrumentOptions Common(Command);
static cl::opt<unsigned>
    MostVariables("max-variables",
                  cl::desc("The most variables to try (default 512, at most "
                           "2048); twice as many build more than twice as "
                           "long"),
                  cl::value_desc("n"), cl::init(512), cl::sub(Command));
static cl::opt<unsigned>
    BuildLimit("build-limit",
               cl::desc("Limit for building one kernel (default 20)"),
               cl::value_desc("seconds"), cl::init(20), cl::sub(Command));
static cl::opt<double>
    Slower("slower",
           cl::desc("A time for each variable above this many times the least "
                    "is slower (default 1.15)"),
           cl::value_desc("ratio"), cl::init(1.15), cl::sub(Command));

int probeCommand(int Argc, char **Argv) {
  std::vector<const char *> Own(Argv, Argv + Argc);
  Own.insert(Own.begin() + 1, "probe");
  if (!parseCommandLine(Own, "probe") || !Common.valid())
    return 2;
  if (MostVariables < instrument::ProbeUnit || MostVariables > 2048)
    return failWith("--max-variables: expected 4 to 2048");
  if (!BuildLimit)
    return failWith("--build-limit must be at least 1");
  if (!(Slower > 1))
    return failWith("--slower: expected more than 1");
  instrument::ProbeOptions Options;
  Options.MostVariables = MostVariables;
  Options.BuildLimit = BuildLimit;
  Options.Repeat = Common.Repeat;
  Options.Slower = Slower;
  return reportOnDevice<instrument::ProbeResult>(
      Argv[0], Common, "probe",
      [&](instrument::Session &S) {
        return instrument::probeDevice(S, Options);
      },
      instrument::writeProbeText, instrument::writeProbeJson);
}

} // namespace clrewrite::cli
