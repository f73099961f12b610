// The command `replay`: the launches of a capture without the program.
#include "Commands.h"
#include "CommonOptions.h"
#include "Shown.h"
#include "capture/CaptureReport.h"
#include "pipeline/Replay.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace clrewrite::cli {

static cl::SubCommand Command("replay");
static cl::opt<std::string> Folder(cl::Positional, cl::Required,
                                   cl::desc("<capture folder>"),
                                   cl::sub(Command));
static cl::opt<std::string> Kernel("kernel",
                                   cl::desc("Only this one (default: all)"),
                                   cl::value_desc("name"), cl::sub(Command));
static cl::opt<std::string>
    Device("device",
           cl::desc("Index or part of the name (default: as captured)"),
           cl::value_desc("device"), cl::sub(Command));
static cl::opt<unsigned> Repeat("repeat", cl::desc("Timed rounds (default 20)"),
                                cl::value_desc("n"), cl::init(20),
                                cl::sub(Command));
static cl::opt<std::string>
    CommandLine("device-command",
                cl::desc("Command that starts clrewrite-device, here or "
                         "elsewhere (default: the one beside clrewrite)"),
                cl::value_desc("command"), cl::sub(Command));
static cl::opt<unsigned> Timeout("device-timeout",
                                 cl::desc("Limit for one job (default 60)"),
                                 cl::value_desc("seconds"), cl::init(60),
                                 cl::sub(Command));

static int fail(const Twine &Why) {
  WithColor::error(errs(), "clrewrite") << shown(Why.str()) << "\n";
  return 2;
}

int replayCommand(int Argc, char **Argv) {
  std::vector<const char *> Own(Argv, Argv + Argc);
  Own.insert(Own.begin() + 1, "replay");
  if (!parseCommandLine(Own, "replay"))
    return 2;
  Expected<capture::Capture> C = capture::readCapture(Folder);
  if (!C)
    return fail(toString(C.takeError()));
  std::string Wanted = Device;
  if (std::vector<capture::CaptureRow> Rows = capture::captureRows(*C);
      Wanted.empty() && !Rows.empty())
    Wanted = C->Devices[Rows.front().Device].Name;
  verify::LazyDevice Lazy(deviceCommand(CommandLine, Timeout, Argv[0]), Wanted,
                          /*Optional=*/false);
  pipeline::ReplayOptions Options;
  Options.Kernel = Kernel;
  Options.Repeat = Repeat;
  Expected<pipeline::ReplayCounts> Done =
      pipeline::replay(*C, Lazy, Options, outs());
  if (!Done)
    return fail(toString(Done.takeError()));
  outs().flush();
  return Done->Different ? 1 : Done->Failed || !Done->Same ? 2 : 0;
}

} // namespace clrewrite::cli
