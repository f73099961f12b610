// The commands that measure a device: `peak`, how fast it copies and computes,
// and `probe`, how many registers a work-item has.
#include "CommandLine.h"
#include "Commands.h"
#include "ProgressLine.h"
#include "instrument/Peak.h"
#include "instrument/Probe.h"
#include "instrument/Session.h"
#include "launch/Launch.h"
#include "source/File.h"
#include <algorithm>

using namespace llvm;

namespace clrewrite::cli {

/// Prints why a count can't be 0; false where one is.
static bool valid(const config::InstrumentOptions &O) {
  if (O.Budget && O.Repeat)
    return true;
  fail(Twine(O.Budget ? "--repeat" : "--budget") + " must be at least 1");
  return false;
}

/// To the file \p Path, or to stdout where that is empty.
static int put(const std::string &Path,
               function_ref<void(raw_ostream &)> Write) {
  if (Path.empty()) {
    Write(outs());
    outs().flush();
    return 0;
  }
  std::string Text;
  raw_string_ostream OS(Text);
  Write(OS);
  Error E = putText(Path, Text);
  return E ? fail(toString(std::move(E))) : 0;
}

/// Starts the device program and does \p Work on the device, with progress on a
/// terminal. Then \p Text or \p Json, as --format says, writes to stdout or the
/// file of --output, and Json to the file of --save. Returns the exit code: 2
/// where something failed, with the reason printed.
template <typename Result>
static int
reportOnDevice(const char *Argv0, const config::Options &O, StringRef What,
               function_ref<Expected<Result>(instrument::Session &)> Work,
               void (*Text)(const Result &, const instrument::DeviceFacts &,
                            raw_ostream &),
               void (*Json)(const Result &, const instrument::DeviceFacts &,
                            raw_ostream &)) {
  const config::InstrumentOptions &Given = O.Instrument;
  auto Client = opencl::DeviceClient::start(
      deviceCommand(O, Given.DeviceCommand, Given.Budget, Argv0));
  if (!Client)
    return fail(toString(Client.takeError()));
  Expected<instrument::DeviceFacts> Device =
      instrument::findDevice(**Client, Given.Device);
  if (!Device)
    return fail(toString(Device.takeError()));
  instrument::Session S(**Client, *Device, Given.Budget);
  ProgressLine Line;
  S.Progress = [&](const std::string &Doing) {
    Line.show({What.str(), Doing});
  };
  Expected<Result> Found = Work(S);
  Line.clear();
  if (!Found)
    return fail(Device->Name + ": " + toString(Found.takeError()));
  auto as = [&](bool IsJson) {
    return [&, IsJson](raw_ostream &OS) {
      (IsJson ? Json : Text)(*Found, *Device, OS);
    };
  };
  int Saved = Given.Save.empty() ? 0 : put(Given.Save, as(/*IsJson=*/true));
  int Put = put(Given.Output, as(Given.Form == config::Format::Json));
  return std::max(Saved, Put);
}

int peakCommand(int Argc, char **Argv) {
  config::Options O;
  if (!parseCommandLine(Argc, Argv, "peak", O) || !valid(O.Instrument))
    return 2;
  instrument::PeakOptions Options;
  Options.Repeat = O.Instrument.Repeat;
  if (!O.PeakBuffer.empty()) {
    Expected<uint64_t> Bytes = launch::parseBytes(O.PeakBuffer);
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
