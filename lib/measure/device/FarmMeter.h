// Devices of several machines, which work at the same time.
#pragma once

#include "measure/device/DeviceMeter.h"
#include "measure/device/Reference.h"
#include <map>

namespace clrewrite::measure {

/// Sends each request to the machine that its target names (Target::Host). A
/// machine has a thread of its own, and does its requests one after the other.
/// Before and after times are taken of a device, its reference kernel is timed;
/// where that has become slower, the times do not count.
class FarmMeter : public Meter {
public:
  FarmMeter();
  ~FarmMeter() override;

  /// The devices of \p Channel are those of \p Host.
  void add(const std::string &Host,
           std::unique_ptr<opencl::DeviceChannel> Channel);
  /// Null where there is no such machine.
  opencl::DeviceChannel *channelOf(const std::string &Host) const;

  std::vector<Measurement>
  measure(llvm::ArrayRef<MeasureRequest> Requests) override;
  std::vector<Timing> time(llvm::ArrayRef<TimeRequest> Requests) override;

private:
  struct Machine;
  std::map<std::string, std::unique_ptr<Machine>> Machines;

  template <typename Request, typename Result, typename Work>
  std::vector<Result> together(llvm::ArrayRef<Request> Requests,
                               const Result &Nobody, Work Do);
};

} // namespace clrewrite::measure
