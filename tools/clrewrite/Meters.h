// The meters that the targets of a run need.
#pragma once

#include "config/Options.h"
#include "measure/MeterByKind.h"
#include "measure/OfflineMeter.h"
#include "measure/device/DeviceMeter.h"

namespace clrewrite::cli {

struct Meters {
  std::unique_ptr<measure::OfflineMeter> Offline;
  std::unique_ptr<opencl::DeviceClient> Client;
  std::unique_ptr<measure::DeviceMeter> Devices;
  /// As SelectOptions::Guide.
  std::optional<measure::Target> Guide;
};

bool anyDevice(llvm::ArrayRef<measure::Target> Targets);

/// Starts them, and replaces in \p Targets what is said about devices by the
/// devices that are meant.
llvm::Expected<Meters> openMeters(std::vector<measure::Target> &Targets,
                                  const process::ChildLimits &Limits,
                                  const config::Options &O, const char *Argv0,
                                  const cache::DiskCache *Cache);

} // namespace clrewrite::cli
