// The platforms' devices, what they are, and what can be read from them.
#pragma once

#include "Cl.h"
#include "Sandbox.h"

namespace clrewrite::device {

/// The vendor of a driver, which decides how figures of resources are read.
enum class Driver { Nvidia, Amd, Intel, Pocl, Other };

struct Device {
  cl_platform_id Platform = nullptr;
  cl_device_id Id = nullptr;
  Driver Kind = Driver::Other;
  /// Its kernels are no native code.
  bool Interprets = false;
  std::string Name;
  /// OpenCL 1.2 or later.
  bool Has12 = false;
  /// Made at the first job that needs them.
  Context TheContext;
  Queue TheQueue;

  /// Makes the context and a queue with profiling.
  Status open();
  bool isCpu() const;
  /// A number that is this device's own whatever others the driver shows beside
  /// it: from CL_DEVICE_UUID_KHR, else from its place on the PCI bus; where the
  /// driver tells neither, \p Index, below 1024.
  uint32_t number(size_t Index) const;
  /// Bytes; the alignment of every memory object, at least 128.
  size_t baseAlign() const;
  /// A figure of the device in bytes or counts; none where refused.
  template <typename T> std::optional<T> info(cl_device_info What) const {
    return query<T>(clGetDeviceInfo, Id, What);
  }
  std::optional<std::string> text(cl_device_info What) const {
    return queryText(clGetDeviceInfo, Id, What);
  }
};

/// Every device of every platform, or of the one that is called \p OfPlatform,
/// in the loader's order; that order is the index that jobs name.
std::vector<Device> findDevices(const std::string &OfPlatform = "");

/// The answer to the job `devices`.
Json describeDevices(const std::vector<Device> &Devices, const Sandbox &Held);

} // namespace clrewrite::device
