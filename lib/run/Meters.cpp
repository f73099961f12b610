// Meters are started for the targets of a run: one for offline targets, one for
// devices.
#include "run/Meters.h"
#include "measure/Backend.h"
#include "measure/device/DeviceTargets.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::run {

opencl::DeviceCommand deviceCommand(const config::Options &O,
                                    const std::string &Line, unsigned Seconds,
                                    const char *Argv0) {
  opencl::DeviceCommand C = Line.empty() ? opencl::DeviceCommand::beside(Argv0)
                                         : opencl::DeviceCommand::shell(Line);
  C.Seconds = Seconds;
  if (O.AllowNative && Line.empty())
    C.Words.push_back("--allow-native");
  return C;
}

Expected<std::unique_ptr<opencl::DeviceClient>>
startDevice(const config::Options &O, const char *Argv0) {
  return opencl::DeviceClient::start(
      deviceCommand(O, O.DeviceCommand, O.DeviceTimeout, Argv0));
}

Expected<std::unique_ptr<opencl::DeviceClient>>
startDevice(const config::Options &O, const FarmHost &Host) {
  auto Client = opencl::DeviceClient::start(
      deviceCommand(O, Host.Command, O.DeviceTimeout));
  if (!Client)
    return createStringError("machine " + Host.Name + " (" + Host.Command +
                             "): " + toString(Client.takeError()));
  return Client;
}

bool anyDevice(ArrayRef<measure::Target> Targets) {
  return any_of(Targets, [](const measure::Target &T) { return T.isDevice(); });
}

/// What stands for the first of \p Devices whose processor can be estimated.
static std::optional<measure::Target>
guideFor(ArrayRef<measure::Target> Devices) {
  for (const measure::Target &T : Devices) {
    Expected<measure::Target> Guide = measure::parseTarget(T.Chip);
    if (!Guide)
      consumeError(Guide.takeError());
    else if (!Guide->isDevice())
      return *Guide;
  }
  return std::nullopt;
}

/// Launches whose buffers have more bytes are timed by one device program,
/// where nobody asks for several, since each keeps the buffers on the device.
static constexpr uint64_t MostSharedBytes = uint64_t(256) << 20;

/// How many device programs build for a GPU where nobody says: a quarter of the
/// processors, since a search has other work as well.
static unsigned driversFor(const config::Options &O) {
  process::ChildLimits Limits;
  Limits.Parallel = O.Set.Jobs.value_or(0);
  return std::clamp(Limits.atOnce() / 4, 1u, 4u);
}

/// Starts the device program for \p Targets, and puts the devices in the place
/// of what is said of them.
static Error openDevices(std::vector<measure::Target> &Targets, Meters &M,
                         const config::Options &O, const char *Argv0) {
  if (Error E = startDevice(O, Argv0).moveInto(M.Client))
    return E;
  if (Error E = measure::resolveDevices(Targets, *M.Client).moveInto(Targets))
    return E;
  // A CPU's kernels would be timed beside builds of its own.
  bool Alone =
      !O.DeviceCommand.empty() ||
      any_of(Targets, [](const measure::Target &T) { return T.IsCpu; });
  auto Start = [O, Argv0]() -> std::unique_ptr<opencl::DeviceChannel> {
    auto Another = startDevice(O, Argv0);
    if (Another)
      return std::move(*Another);
    consumeError(Another.takeError());
    return nullptr;
  };
  unsigned Drivers = O.Drivers.value_or(driversFor(O));
  M.Devices = std::make_unique<measure::DeviceMeter>(
      *M.Client, Alone ? 1 : Drivers, Start,
      O.Drivers ? std::numeric_limits<uint64_t>::max() : MostSharedBytes);
  return Error::success();
}

/// Starts the device programs of the machines that \p Targets name, and puts
/// their devices in the place of what is said of them.
static Error openFarm(std::vector<measure::Target> &Targets, Meters &M,
                      const config::Options &O, const char *Argv0) {
  auto Hosts = readFarm(O.Farm);
  if (!Hosts)
    return Hosts.takeError();
  M.Farm = std::make_unique<measure::FarmMeter>();
  std::vector<measure::Target> Out;
  for (measure::Target T : Targets) {
    if (!T.isDevice()) {
      Out.push_back(std::move(T));
      continue;
    }
    auto Host = hostOf(T.Cpu, *Hosts);
    if (!Host)
      return Host.takeError();
    if (*Host) {
      T.Host = (*Host)->Name;
      T.Cpu = StringRef(T.Cpu).split('/').second.str();
    }
    if (!M.Farm->channelOf(T.Host)) {
      auto Client = *Host ? startDevice(O, **Host) : startDevice(O, Argv0);
      if (!Client)
        return Client.takeError();
      M.Farm->add(T.Host, std::move(*Client));
    }
    auto Found = measure::resolveDevices(T, *M.Farm->channelOf(T.Host));
    if (!Found)
      return Found.takeError();
    for (measure::Target &One : *Found) {
      if (!One.Host.empty())
        One.Name = One.Host + "/" + One.Name;
      if (none_of(Out, [&](const measure::Target &Other) {
            return Other.Name == One.Name;
          }))
        Out.push_back(std::move(One));
    }
  }
  Targets = std::move(Out);
  return Error::success();
}

/// Starts a program for each LLVM that compiles for some of \p Targets and is
/// not this program's.
static Expected<std::map<unsigned, std::unique_ptr<measure::OtherLlvm>>>
openOthers(ArrayRef<measure::Target> Targets,
           const measure::BackendSettings &Settings) {
  std::map<unsigned, std::vector<measure::Target>> ByLlvm;
  for (const measure::Target &T : Targets)
    if (T.Llvm)
      ByLlvm[T.Llvm].push_back(T);
  std::map<unsigned, std::unique_ptr<measure::OtherLlvm>> Out;
  for (const auto &[Major, Theirs] : ByLlvm)
    if (Error E = measure::OtherLlvm::open(Major, Theirs, Settings,
                                           measure::programWithLlvm(Major))
                      .moveInto(Out[Major]))
      return std::move(E);
  return std::move(Out);
}

Expected<Meters> openMeters(std::vector<measure::Target> &Targets,
                            const process::ChildLimits &Limits,
                            const config::Options &O, const char *Argv0,
                            const cache::DiskCache *Cache,
                            bool WithBystanders) {
  Meters M;
  measure::BackendSettings Settings{O.LibraryDir, Limits};
  auto Backends = measure::openBackends(Targets, Settings);
  if (!Backends)
    return Backends.takeError();
  auto Others = openOthers(Targets, Settings);
  if (!Others)
    return Others.takeError();
  bool OnlyDevices = Backends->empty() && Others->empty();
  if (anyDevice(Targets))
    if (Error E = O.Farm.empty() ? openDevices(Targets, M, O, Argv0)
                                 : openFarm(Targets, M, O, Argv0))
      return std::move(E);
  // The run does without these, since nobody asked for them.
  auto Open = [&](const measure::Target &T) -> Error {
    if (any_of(*Backends,
               [&](const auto &Each) { return &Each->family() == T.Family; }))
      return Error::success();
    auto One = measure::openBackends(T, Settings);
    if (One)
      llvm::move(*One, std::back_inserter(*Backends));
    return One.takeError();
  };
  if (OnlyDevices)
    M.Guide = guideFor(Targets);
  if (M.Guide && errorToBool(Open(*M.Guide)))
    M.Guide.reset();
  for (measure::Target &T : WithBystanders ? measure::bystandersOf(Targets)
                                           : std::vector<measure::Target>())
    if (Error E = Open(T))
      M.Notes.push_back("what edits cost on " + T.Name +
                        ", which stands for its family, is not looked at: " +
                        toString(std::move(E)));
    else
      M.Bystanders.push_back(std::move(T));
  if (!Backends->empty() || !Others->empty())
    M.Offline = std::make_unique<measure::OfflineMeter>(std::move(*Backends),
                                                        Limits, Cache);
  for (auto &[Major, Other] : *Others)
    M.Offline->add(Major, std::move(Other));
  return std::move(M);
}

} // namespace clrewrite::run
