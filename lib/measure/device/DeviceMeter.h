// The meter that asks OpenCL drivers, through the device program.
#pragma once

#include "measure/Meter.h"
#include "opencl/DeviceClient.h"

namespace clrewrite::measure {

/// The figures of the member "usage" of a `build` answer. Scratch is AMD's
/// private segment, NVIDIA's stack frame (which holds what is spilled), or
/// Intel's private memory and spills; what the driver can't tell is unknown. \p
/// Arch ("sm_90a") gives NVIDIA's occupancy; empty where it is not known.
Usage deviceUsage(const llvm::json::Object &Figures, llvm::StringRef Arch);

/// Builds and runs on one or several devices behind one channel. A driver that
/// crashes, hangs or vanishes costs the job a line; after three such jobs in a
/// row no more are sent.
class DeviceMeter : public Meter {
public:
  explicit DeviceMeter(opencl::DeviceChannel &Channel) : Channel(Channel) {}

  std::vector<Measurement>
  measure(llvm::ArrayRef<MeasureRequest> Requests) override;
  std::vector<Timing> time(llvm::ArrayRef<TimeRequest> Requests) override;

private:
  /// What a build told: figures, and each kernel's parameters.
  struct Built {
    Measurement Figures;
    std::map<std::string, llvm::json::Array> Parameters;
  };

  opencl::DeviceChannel &Channel;
  std::map<std::string, Built> Builds; ///< by source and device
  unsigned FailuresInARow = 0;
  std::string LastFailure;

  opencl::DeviceAnswer call(llvm::json::Object Job);
  const Built &build(const Source &S, const Target &On);
  Timing timeOne(const TimeRequest &Request);
};

} // namespace clrewrite::measure
