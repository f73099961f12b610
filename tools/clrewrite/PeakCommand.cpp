// The command `peak`: how fast a device copies and computes.
#include "Commands.h"
#include "Instruments.h"
#include "instrument/Peak.h"
#include "measure/Launch.h"

using namespace llvm;

namespace clrewrite::cli {

int peakCommand(int Argc, char **Argv) {
  config::Options O;
  if (!parseCommandLine(Argc, Argv, "peak", O) || !valid(O.Instrument))
    return 2;
  instrument::PeakOptions Options;
  Options.Repeat = O.Instrument.Repeat;
  if (!O.PeakBuffer.empty()) {
    Expected<uint64_t> Bytes = measure::parseBytes(O.PeakBuffer);
    if (!Bytes)
      return fail("--buffer: " + toString(Bytes.takeError()));
    if (*Bytes < instrument::LeastCopyBytes ||
        *Bytes > instrument::MostCopyBytes || (*Bytes & (*Bytes - 1)))
      return fail("--buffer: expected a power of two from 64K to 64G");
    Options.BufferBytes = *Bytes;
  }
  return reportOnDevice<instrument::PeakResult>(
      Argv[0], O, "peak",
      [&](instrument::Session &S) {
        return instrument::measurePeaks(S, Options);
      },
      instrument::writePeakText, instrument::writePeakJson);
}

} // namespace clrewrite::cli
