// The command `peak`: how fast a device copies and computes.
#include "Commands.h"
#include "Instruments.h"
#include "instrument/Peak.h"
#include "measure/Launch.h"

using namespace llvm;

namespace clrewrite::cli {

static cl::SubCommand Command("peak");
static InstrumentOptions Common(Command);
static cl::opt<std::string>
    BufferSize("buffer",
               cl::desc("Bytes of each of the two buffers that are copied, "
                        "e.g. 256M (default: well over the cache)"),
               cl::value_desc("bytes"), cl::sub(Command));

int peakCommand(int Argc, char **Argv) {
  std::vector<const char *> Own(Argv, Argv + Argc);
  Own.insert(Own.begin() + 1, "peak");
  if (!parseCommandLine(Own, "peak") || !Common.valid())
    return 2;
  instrument::PeakOptions Options;
  Options.Repeat = Common.Repeat;
  if (!BufferSize.empty()) {
    Expected<uint64_t> Bytes = measure::parseBytes(BufferSize);
    if (!Bytes)
      return failWith("--buffer: " + toString(Bytes.takeError()));
    if (*Bytes < instrument::LeastCopyBytes ||
        *Bytes > instrument::MostCopyBytes || (*Bytes & (*Bytes - 1)))
      return failWith("--buffer: expected a power of two from 64K to 64G");
    Options.BufferBytes = *Bytes;
  }
  return reportOnDevice<instrument::PeakResult>(
      Argv[0], Common, "peak",
      [&](instrument::Session &S) {
        return instrument::measurePeaks(S, Options);
      },
      instrument::writePeakText, instrument::writePeakJson);
}

} // namespace clrewrite::cli
