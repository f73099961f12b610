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

bool anyDevice(ArrayRef<measure::Target> Targets) {
  return any_of(Targets, [](const measure::Target &T) { return T.isDevice(); });
}

/// A meter for those of \p Targets that are no devices; null where there are
/// none.
static Expected<std::unique_ptr<measure::OfflineMeter>>
openOffline(ArrayRef<measure::Target> Targets,
            const process::ChildLimits &Limits, const std::string &LibraryDir,
            const cache::DiskCache *Cache) {
  auto Backends = measure::openBackends(Targets, {LibraryDir, Limits.Seconds});
  if (!Backends)
    return Backends.takeError();
  if (Backends->empty())
    return nullptr;
  return std::make_unique<measure::OfflineMeter>(std::move(*Backends), Limits,
                                                 Cache);
}

/// What stands for the first of \p Devices whose processor can be measured
/// for, as far as that is installed.
static std::optional<measure::Target>
guideFor(ArrayRef<measure::Target> Devices) {
  for (const measure::Target &T : Devices) {
    Expected<measure::Target> Guide = measure::parseTarget(T.Chip);
    if (!Guide)
      consumeError(Guide.takeError());
    else if (!Guide->isDevice() && Guide->Family->isInstalled())
      return *Guide;
  }
  return std::nullopt;
}

Expected<Meters> openMeters(std::vector<measure::Target> &Targets,
                            const process::ChildLimits &Limits,
                            const config::Options &O, const char *Argv0,
                            const cache::DiskCache *Cache) {
  Meters M;
  auto Offline = openOffline(Targets, Limits, O.LibraryDir, Cache);
  if (!Offline)
    return Offline.takeError();
  M.Offline = std::move(*Offline);
  if (!anyDevice(Targets))
    return std::move(M);
  Expected<std::unique_ptr<opencl::DeviceClient>> Client =
      startDevice(O, Argv0);
  if (!Client)
    return Client.takeError();
  M.Client = std::move(*Client);
  Expected<std::vector<measure::Target>> Known =
      measure::resolveDevices(Targets, *M.Client);
  if (!Known)
    return Known.takeError();
  Targets = std::move(*Known);
  M.Devices = std::make_unique<measure::DeviceMeter>(*M.Client);
  if (M.Offline)
    return std::move(M);
  if (std::optional<measure::Target> Guide = guideFor(Targets)) {
    // The run does without the guide, since nobody asked for it.
    auto Guiding = openOffline(*Guide, Limits, O.LibraryDir, Cache);
    if (Guiding) {
      M.Offline = std::move(*Guiding);
      M.Guide = std::move(Guide);
    } else {
      consumeError(Guiding.takeError());
    }
  }
  return std::move(M);
}

} // namespace clrewrite::run
