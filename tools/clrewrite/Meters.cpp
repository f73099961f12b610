// Starting meters.
#include "Meters.h"
#include "CommonOptions.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite {

bool anyTarget(ArrayRef<Target> Targets, TargetKind Kind) {
  return any_of(Targets, [&](const Target &T) { return T.Kind == Kind; });
}

Expected<Meters> openMeters(std::vector<Target> &Targets,
                            const ChildLimits &Limits,
                            const std::string &LibraryDir, const char *Argv0,
                            const DiskCache *Cache) {
  Meters M;
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
  if (Amd || Nvidia || Old)
    M.Offline = std::make_unique<OfflineMeter>(
        std::move(Amd), Limits, std::move(Nvidia), Cache, std::move(Old));
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
  return std::move(M);
}

} // namespace clrewrite
