// Starting a session, and putting its document where it belongs.
#include "Instruments.h"
#include "ProgressLine.h"
#include "source/File.h"
#include "llvm/Support/WithColor.h"
#include <algorithm>

using namespace llvm;

namespace clrewrite::cli {

bool valid(const config::InstrumentOptions &O) {
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

int measureOnDevice(const char *Argv0, const config::Options &O, StringRef What,
                    function_ref<Error(instrument::Session &)> Work,
                    function_ref<void(const instrument::DeviceFacts &,
                                      config::Format, raw_ostream &)>
                        Write) {
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
  S.Progress = [&](const std::string &Text) { Line.show({What.str(), Text}); };
  Error Failed = Work(S);
  Line.clear();
  if (Failed)
    return fail(Device->Name + ": " + toString(std::move(Failed)));
  auto as = [&](config::Format F) {
    return [&, F](raw_ostream &OS) { Write(*Device, F, OS); };
  };
  int Saved =
      Given.Save.empty() ? 0 : put(Given.Save, as(config::Format::Json));
  int Put = put(Given.Output, as(Given.Form));
  return std::max(Saved, Put);
}

} // namespace clrewrite::cli
