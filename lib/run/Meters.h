// The meters and devices that a run needs.
#pragma once

#include "config/Options.h"
#include "measure/MeterByKind.h"
#include "measure/OfflineMeter.h"
#include "measure/device/DeviceMeter.h"
#include "measure/device/FarmMeter.h"
#include "run/Farm.h"

namespace clrewrite::run {

/// How the device program is started: by the shell command \p Line, or where
/// that is empty the one beside this program; \p Seconds limit a job.
opencl::DeviceCommand deviceCommand(const config::Options &O,
                                    const std::string &Line, unsigned Seconds,
                                    const char *Argv0 = "");

/// Starts the device program that --device-command names, or the one beside
/// this program.
llvm::Expected<std::unique_ptr<opencl::DeviceClient>>
startDevice(const config::Options &O, const char *Argv0);

/// Starts the device program of the machine \p Host.
llvm::Expected<std::unique_ptr<opencl::DeviceClient>>
startDevice(const config::Options &O, const FarmHost &Host);

struct Meters {
  std::unique_ptr<measure::OfflineMeter> Offline;
  std::unique_ptr<opencl::DeviceClient> Client;
  std::unique_ptr<measure::DeviceMeter> Devices;
  /// In the place of the two, where some machines are a farm's.
  std::unique_ptr<measure::FarmMeter> Farm;
  /// As SelectOptions::Guide.
  std::optional<measure::Target> Guide;
  /// As SelectOptions::Bystanders, where they are asked for, as far as their
  /// libraries are installed; and a note of each that is missing.
  std::vector<measure::Target> Bystanders;
  std::vector<std::string> Notes;

  /// What measures on devices; null where nothing does.
  measure::Meter *ofDevices() const {
    return Farm ? static_cast<measure::Meter *>(Farm.get()) : Devices.get();
  }
};

bool anyDevice(llvm::ArrayRef<measure::Target> Targets);

/// Starts them, and replaces in \p Targets what is said about devices by the
/// devices that are meant.
llvm::Expected<Meters> openMeters(std::vector<measure::Target> &Targets,
                                  const process::ChildLimits &Limits,
                                  const config::Options &O, const char *Argv0,
                                  const cache::DiskCache *Cache,
                                  bool WithBystanders = false);

} // namespace clrewrite::run
