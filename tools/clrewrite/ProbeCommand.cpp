// The command `probe`: how many registers a work-item has.
#include "Commands.h"
#include "Instruments.h"
#include "instrument/Probe.h"

using namespace llvm;

namespace clrewrite::cli {

int probeCommand(int Argc, char **Argv) {
  config::Options O;
  if (!parseCommandLine(Argc, Argv, "probe", O) || !valid(O.Instrument))
    return 2;
  if (O.ProbeMost < instrument::ProbeUnit || O.ProbeMost > 2048)
    return fail("--max-variables: expected 4 to 2048");
  if (!O.ProbeBuildLimit)
    return fail("--build-limit must be at least 1");
  if (!(O.ProbeSlower > 1))
    return fail("--slower: expected more than 1");
  instrument::ProbeOptions Options;
  Options.MostVariables = O.ProbeMost;
  Options.BuildLimit = O.ProbeBuildLimit;
  Options.Repeat = O.Instrument.Repeat;
  Options.Slower = O.ProbeSlower;
  return reportOnDevice<instrument::ProbeResult>(
      Argv[0], O, "probe",
      [&](instrument::Session &S) {
        return instrument::probeDevice(S, Options);
      },
      instrument::writeProbeText, instrument::writeProbeJson);
}

} // namespace clrewrite::cli
