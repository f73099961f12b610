// Starting meters.
#include "Meters.h"
#include "CommonOptions.h"
#include "measure/Ptxas.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite {

bool anyTarget(ArrayRef<Target> Targets, TargetKind Kind) {
  return any_of(Targets, [&](const Target &T) { return T.Kind == Kind; });
}

/// The back ends that \p Targets need; null where they need none.
static Expected<std::unique_ptr<OfflineMeter>>
openOffline(ArrayRef<Target> Targets, const ChildLimits &Limits,
            const std::string &LibraryDir, const DiskCache *Cache) {
  std::optional<Amdgcn> Amd;
  std::optional<Nvptx> Nvidia;
  std::optional<R600> Old;
  if (anyTarget(Targets, TargetKind::Amdgcn)) {
    Expected<std::unique_ptr<DeviceLibs>> Libs = DeviceLibs::open(LibraryDir);
    if (!Libs)
      return Libs.takeError();
    Amd.emplace(std::move(*Libs));
  }
  if (anyTarget(Targets, TargetKind::Nvptx)) {
    Expected<Nvptx> Backend = Nvptx::open(LibraryDir, Limits.Seconds);
    if (!Backend)
      return Backend.takeError();
    Nvidia.emplace(std::move(*Backend));
  }
  if (anyTarget(Targets, TargetKind::R600)) {
    Expected<R600> Backend = R600::open(LibraryDir);
    if (!Backend)
      return Backend.takeError();
    Old.emplace(std::move(*Backend));
  }
  if (!Amd && !Nvidia && !Old)
    return nullptr;
  return std::make_unique<OfflineMeter>(
      std::move(Amd), Limits, std::move(Nvidia), Cache, std::move(Old));
}

/// What stands for the first of \p Devices whose processor can be measured
/// for, as far as that is installed.
static std::optional<Target> guideFor(ArrayRef<Target> Devices) {
  for (const Target &T : Devices) {
    Expected<Target> Guide = parseTarget(T.Chip);
    if (!Guide)
      consumeError(Guide.takeError());
    else if (Guide->Kind != TargetKind::Nvptx || !findPtxas().empty())
      return *Guide;
  }
  return std::nullopt;
}

Expected<Meters> openMeters(std::vector<Target> &Targets,
                            const ChildLimits &Limits,
                            const std::string &LibraryDir, const char *Argv0,
                            const DiskCache *Cache) {
  Meters M;
  auto Offline = openOffline(Targets, Limits, LibraryDir, Cache);
  if (!Offline)
    return Offline.takeError();
  M.Offline = std::move(*Offline);
  if (!anyTarget(Targets, TargetKind::Device))
    return std::move(M);
  Expected<std::unique_ptr<DeviceClient>> Client = startDevice(Argv0);
  if (!Client)
    return Client.takeError();
  M.Client = std::move(*Client);
  Expected<std::vector<Target>> Known = resolveDevices(Targets, *M.Client);
  if (!Known)
    return Known.takeError();
  Targets = std::move(*Known);
  M.Devices = std::make_unique<DeviceMeter>(*M.Client);
  if (M.Offline)
    return std::move(M);
  if (std::optional<Target> Guide = guideFor(Targets)) {
    // It does without: nobody asked for it.
    auto Guiding = openOffline(*Guide, Limits, LibraryDir, Cache);
    if (Guiding) {
      M.Offline = std::move(*Guiding);
      M.Guide = std::move(Guide);
    } else {
      consumeError(Guiding.takeError());
    }
  }
  return std::move(M);
}

} // namespace clrewrite
