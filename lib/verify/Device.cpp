// A device is chosen by its name; where nothing would confine its kernels as
// native code, an interpreter runs them.
#include "verify/Device.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace clrewrite::verify {

static bool isWanted(const json::Object &Device, StringRef Wanted) {
  unsigned Index = 0;
  if (!Wanted.getAsInteger(10, Index))
    return Device.getInteger("index") == int64_t(Index);
  return Device.getString("name").value_or("").contains_insensitive(Wanted);
}

/// Its kernels are native code, and nothing holds them there.
static bool isUnheld(const json::Object &Device) {
  return !Device.getBoolean("runs_kernels").value_or(true);
}

static constexpr const char *Unheld =
    "kernels of a CPU device are native code, and no sandbox holds here "
    "(--allow-native runs them as you)";

Expected<ChosenDevice> chooseDevice(opencl::DeviceChannel &Channel,
                                    StringRef Wanted) {
  opencl::DeviceAnswer A = Channel.call(json::Object{{"job", "devices"}});
  if (!A.ok())
    return createStringError("the device program " + A.Problem);
  const json::Array *List = A.Body.getArray("devices");
  const json::Object *Best = nullptr;
  bool AnyUnheld = false;
  std::string Known;
  for (size_t I = 0; List && I < List->size(); ++I) {
    const json::Object *D = (*List)[I].getAsObject();
    if (!D)
      continue;
    if (isUnheld(*D) && (Wanted.empty() || isWanted(*D, Wanted))) {
      AnyUnheld = true;
      continue;
    }
    Known += (" '" + D->getString("name").value_or("") + "'").str();
    bool Better = Wanted.empty() ? !Best || (Best->getString("type") != "cpu" &&
                                             D->getString("type") == "cpu")
                                 : !Best && isWanted(*D, Wanted);
    if (Better)
      Best = D;
  }
  ChosenDevice Out;
  if (!Best && AnyUnheld) {
    Out.Absent = Unheld;
    Out.IsUnheld = true;
    return Out;
  }
  if (!Best && !Wanted.empty())
    return createStringError("no OpenCL device is called '" + Wanted +
                             "' (known:" + (Known.empty() ? " none" : Known) +
                             ")");
  if (!Best) {
    Out.Absent = "no OpenCL device";
    return Out;
  }
  Out.Channel = &Channel;
  Out.Index = Best->getInteger("index").value_or(0);
  Out.IsCpu = Best->getString("type") == "cpu";
  raw_string_ostream(Out.Identity) << json::Value(json::Object(*Best));
  Out.PartAlign = uint64_t(Best->getInteger("part_align_bytes").value_or(0));
  Out.Sandbox = opencl::sandboxOf(*Best);
  Out.Name = Best->getString("name").value_or("a device without a name");
  return Out;
}

/// CLREWRITE_SANDBOX=no-oclgrind leaves it out, for tests.
static bool mayInterpret() {
  const char *LeftOut = ::getenv("CLREWRITE_SANDBOX");
  return !LeftOut || !StringRef(LeftOut).contains("no-oclgrind");
}

/// Kernels that nothing would hold as native code are interpreted, where there
/// is something that does it.
void LazyDevice::fallBack() {
  // A device that somebody asked for by its name is not replaced.
  if (!Chosen.IsUnheld || !Wanted.empty() || !Command.TakesFolders ||
      !mayInterpret())
    return;
  opencl::DeviceCommand Interpreting = Command;
  Interpreting.Words.push_back("--interpret");
  auto C = opencl::DeviceClient::start(std::move(Interpreting));
  if (!C)
    return consumeError(C.takeError()); // it is not installed
  Expected<ChosenDevice> D = chooseDevice(**C, "");
  if (!D)
    return consumeError(D.takeError());
  if (!D->Channel)
    return;
  Client = std::move(*C);
  Chosen = std::move(*D);
}

Expected<ChosenDevice> LazyDevice::get() {
  if (!Asked) {
    Asked = true;
    Expected<std::unique_ptr<opencl::DeviceClient>> C =
        opencl::DeviceClient::start(Command);
    if (!C) {
      Failure = toString(C.takeError());
      if (Optional)
        Chosen.Absent = "no OpenCL device (" + std::exchange(Failure, "") + ")";
    } else {
      Client = std::move(*C);
      if (Expected<ChosenDevice> D = chooseDevice(*Client, Wanted))
        Chosen = std::move(*D);
      else
        Failure = toString(D.takeError());
      fallBack();
    }
  }
  if (!Failure.empty())
    return createStringError(Failure);
  return Chosen;
}

} // namespace clrewrite::verify
