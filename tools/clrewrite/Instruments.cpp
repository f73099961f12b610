// Starting a session, and putting its document where it belongs.
#include "Instruments.h"
#include "ProgressLine.h"
#include "source/File.h"
#include "llvm/Support/WithColor.h"
#include <algorithm>

using namespace llvm;

namespace clrewrite::cli {

InstrumentOptions::InstrumentOptions(cl::SubCommand &Sub)
    : Device("device",
             cl::desc("Index, part of the name, cpu or gpu (default: the first "
                      "GPU, else the first device)"),
             cl::value_desc("device"), cl::sub(Sub)),
      CommandLine("device-command",
                  cl::desc("Command that starts clrewrite-device, here or "
                           "elsewhere (default: the one beside clrewrite)"),
                  cl::value_desc("command"), cl::sub(Sub)),
      Output("output", cl::desc("Write there instead of to stdout"),
             cl::value_desc("file"), cl::sub(Sub)),
      Save("save",
           cl::desc("Write the JSON document there too, whatever --format is"),
           cl::value_desc("file"), cl::sub(Sub)),
      Budget("budget",
             cl::desc("Limit for all (default 60); what is known by then is "
                      "reported"),
             cl::value_desc("seconds"), cl::init(60), cl::sub(Sub)),
      Repeat("repeat", cl::desc("Timed launches of each kernel (default 7)"),
             cl::value_desc("n"), cl::init(7), cl::sub(Sub)),
      Form("format", cl::desc("How to tell:"),
           cl::values(clEnumValN(Format::Text, "text", "for people (default)"),
                      clEnumValN(Format::Json, "json", "one JSON document")),
           cl::init(Format::Text), cl::sub(Sub)) {}

bool InstrumentOptions::valid() const {
  if (Budget && Repeat)
    return true;
  failWith(Twine(Budget ? "--repeat" : "--budget") + " must be at least 1");
  return false;
}

int failWith(const Twine &Why) {
  WithColor::error(errs(), "clrewrite") << Why << "\n";
  return 2;
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
  return E ? failWith(toString(std::move(E))) : 0;
}

int measureOnDevice(
    const char *Argv0, const InstrumentOptions &Options, StringRef What,
    function_ref<Error(instrument::Session &)> Work,
    function_ref<void(const instrument::DeviceFacts &, Format, raw_ostream &)>
        Write) {
  auto Client = opencl::DeviceClient::start(
      deviceCommand(Options.CommandLine, Options.Budget, Argv0));
  if (!Client)
    return failWith(toString(Client.takeError()));
  Expected<instrument::DeviceFacts> Device =
      instrument::findDevice(**Client, Options.Device);
  if (!Device)
    return failWith(toString(Device.takeError()));
  instrument::Session S(**Client, *Device, Options.Budget);
  ProgressLine Line;
  S.Progress = [&](const std::string &Text) { Line.show({What.str(), Text}); };
  Error Failed = Work(S);
  Line.clear();
  if (Failed)
    return failWith(Device->Name + ": " + toString(std::move(Failed)));
  auto as = [&](Format F) {
    return [&, F](raw_ostream &OS) { Write(*Device, F, OS); };
  };
  int Saved = Options.Save.empty() ? 0 : put(Options.Save, as(Format::Json));
  int Put = put(Options.Output, as(Options.Form));
  return std::max(Saved, Put);
}

} // namespace clrewrite::cli
