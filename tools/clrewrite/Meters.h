// The meters that the targets of a run need.
#pragma once

#include "measure/DeviceMeter.h"
#include "measure/OfflineMeter.h"

namespace clrewrite {

struct Meters {
  std::unique_ptr<OfflineMeter> Offline;
  std::unique_ptr<DeviceClient> Client;
  std::unique_ptr<DeviceMeter> Devices;
  /// As SelectOptions::Guide.
  std::optional<Target> Guide;
};

bool anyTarget(llvm::ArrayRef<Target> Targets, TargetKind Kind);

/// Starts them, and replaces in \p Targets what is said about devices by the
/// devices that are meant. \p LibraryDir is --device-libs.
llvm::Expected<Meters> openMeters(std::vector<Target> &Targets,
                                  const ChildLimits &Limits,
                                  const std::string &LibraryDir,
                                  const char *Argv0, const DiskCache *Cache);

} // namespace clrewrite
