// The command `replay`: the launches of a capture without the program.
#include "CommandLine.h"
#include "Commands.h"
#include "capture/CaptureReport.h"
#include "pipeline/Replay.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace clrewrite::cli {

int replayCommand(int Argc, char **Argv) {
  config::Options O;
  if (!parseCommandLine(Argc, Argv, "replay", O))
    return 2;
  Expected<capture::Capture> C = capture::readCapture(O.Files.front());
  if (!C)
    return fail(toString(C.takeError()));
  std::string Wanted = O.Repeat.Device;
  if (std::vector<capture::CaptureRow> Rows = capture::captureRows(*C);
      Wanted.empty() && !Rows.empty())
    Wanted = C->Devices[Rows.front().Device].Name;
  verify::LazyDevice Lazy(
      deviceCommand(O, O.Repeat.DeviceCommand, O.Repeat.DeviceTimeout, Argv[0]),
      Wanted,
      /*Optional=*/false);
  pipeline::ReplayOptions Options;
  Options.Kernel = O.Repeat.Kernel;
  Options.Repeat = O.Repeat.Repeat;
  Expected<pipeline::ReplayCounts> Done =
      pipeline::replay(*C, Lazy, Options, outs());
  if (!Done)
    return fail(toString(Done.takeError()));
  outs().flush();
  return Done->Different ? 1 : Done->Failed || !Done->Same ? 2 : 0;
}

} // namespace clrewrite::cli
