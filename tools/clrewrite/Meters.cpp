// Starting meters.
#include "Meters.h"
#include "CommandLine.h"
#include "measure/Ptxas.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::cli {

bool anyTarget(ArrayRef<measure::Target> Targets, measure::TargetKind Kind) {
  return any_of(Targets,
                [&](const measure::Target &T) { return T.Kind == Kind; });
}

/// The back ends that \p Targets need; null where they need none.
static Expected<std::unique_ptr<measure::OfflineMeter>>
openOffline(ArrayRef<measure::Target> Targets,
            const process::ChildLimits &Limits, const std::string &LibraryDir,
            const cache::DiskCache *Cache) {
  std::optional<measure::Amdgcn> Amd;
  std::optional<measure::Nvptx> Nvidia;
  std::optional<measure::R600> Old;
  if (anyTarget(Targets, measure::TargetKind::Amdgcn)) {
    Expected<std::unique_ptr<measure::DeviceLibs>> Libs =
        measure::DeviceLibs::open(LibraryDir);
    if (!Libs)
      return Libs.takeError();
    Amd.emplace(std::move(*Libs));
  }
  if (anyTarget(Targets, measure::TargetKind::Nvptx)) {
    Expected<measure::Nvptx> Backend =
        measure::Nvptx::open(LibraryDir, Limits.Seconds);
    if (!Backend)
      return Backend.takeError();
    Nvidia.emplace(std::move(*Backend));
  }
  if (anyTarget(Targets, measure::TargetKind::R600)) {
    Expected<measure::R600> Backend = measure::R600::open(LibraryDir);
    if (!Backend)
      return Backend.takeError();
    Old.emplace(std::move(*Backend));
  }
  if (!Amd && !Nvidia && !Old)
    return nullptr;
  return std::make_unique<measure::OfflineMeter>(
      std::move(Amd), Limits, std::move(Nvidia), Cache, std::move(Old));
}

/// What stands for the first of \p Devices whose processor can be measured
/// for, as far as that is installed.
static std::optional<measure::Target>
guideFor(ArrayRef<measure::Target> Devices) {
  for (const measure::Target &T : Devices) {
    Expected<measure::Target> Guide = measure::parseTarget(T.Chip);
    if (!Guide)
      consumeError(Guide.takeError());
    else if (Guide->Kind != measure::TargetKind::Nvptx ||
             !measure::findPtxas().empty())
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
  if (!anyTarget(Targets, measure::TargetKind::Device))
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
    // It does without: nobody asked for it.
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

} // namespace clrewrite::cli
