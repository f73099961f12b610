// What the instruments share: the device, the budget, and one answer's times.
#pragma once

#include "opencl/DeviceClient.h"
#include <chrono>
#include <functional>
#include <optional>

namespace clrewrite::instrument {

/// What the device program says of a device (docs/device-protocol.md).
struct DeviceFacts {
  unsigned Index = 0;
  std::string Name, Platform, Driver, Version;
  std::string Type; ///< "gpu", "cpu", ...
  std::optional<int64_t> ComputeUnits, ClockMHz, CacheBytes;
  std::optional<int64_t> MaxAllocBytes, GlobalBytes, MaxGroup;
  bool Half = false, Double = false;
  /// Components a vector of the type should have; 1 where not told.
  unsigned HalfWidth = 1, FloatWidth = 1, DoubleWidth = 1, IntWidth = 1;
  /// NVIDIA: "9.0"; empty elsewhere.
  std::string ComputeCapability;
  /// AMD: SIMDs per compute unit, their width, results per lane and clock.
  std::optional<int64_t> Simds, SimdWidth, SimdInstructionWidth;

  bool isCpu() const { return Type == "cpu"; }
};

/// One member of the list in the answer to the job `devices`.
DeviceFacts factsOf(const llvm::json::Object &Device);

/// The device that --device=\p Selector means: an index, "cpu" or "gpu", or a
/// part of its name or its platform's; empty for the first GPU, or the first
/// device where there is none. Fails where there is no such device.
llvm::Expected<DeviceFacts> findDevice(opencl::DeviceChannel &Channel,
                                       llvm::StringRef Selector);

/// "device" of the instruments' documents.
llvm::json::Object deviceJson(const DeviceFacts &D);
/// A line for people.
std::string deviceLine(const DeviceFacts &D);

/// Does jobs until the time is up.
class Session {
  opencl::DeviceChannel &Channel;
  std::chrono::steady_clock::time_point End;
  unsigned Budget;

public:
  const DeviceFacts Device;
  /// Hears what is being done; may be empty.
  std::function<void(const std::string &)> Progress;

  /// \p Budget in seconds, from now on.
  Session(opencl::DeviceChannel &Channel, DeviceFacts Device, unsigned Budget);

  /// Whole seconds that are left of the budget; 0 where it is spent.
  unsigned left() const;
  unsigned budget() const { return Budget; }
  /// Does \p Job on the device, for \p Limit seconds at most and not beyond
  /// the budget.
  opencl::DeviceAnswer call(llvm::json::Object Job, unsigned Limit);
  void say(const std::string &What) const {
    if (Progress)
      Progress(What);
  }
};

/// The time of one of several versions, in ns.
struct SampledTime {
  double MinNs = 0, MedianNs = 0;
};

/// A median above this many times the least time: other work may disturb.
inline constexpr double Unsteady = 1.3;

/// Reads "min_ns" and "median_ns"; none where they are not there, or not above
/// 0: a launch takes time.
std::optional<SampledTime> sampledTime(const llvm::json::Value &V);

} // namespace clrewrite::instrument
