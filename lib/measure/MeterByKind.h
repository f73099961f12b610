// One meter for targets of several kinds.
#pragma once

#include "measure/Meter.h"

namespace clrewrite::measure {

/// Sends requests for devices to one meter, and all others to another. Either
/// may be null where no target needs it.
class MeterByKind : public Meter {
public:
  MeterByKind(Meter *Offline, Meter *Devices)
      : Offline(Offline), Devices(Devices) {}

  std::vector<Measurement>
  measure(llvm::ArrayRef<MeasureRequest> Requests) override;
  std::vector<Timing> time(llvm::ArrayRef<TimeRequest> Requests) override;
  std::vector<PressureReport>
  pressure(llvm::ArrayRef<MeasureRequest> Requests) override;
  WorkReport work(const MeasureRequest &Request) override;

private:
  Meter *Offline, *Devices;
  Meter *meterFor(const Target &On) const;
  template <typename Request, typename Result>
  std::vector<Result>
  split(llvm::ArrayRef<Request> Requests, const Result &Nobody,
        std::vector<Result> (Meter::*Do)(llvm::ArrayRef<Request>));
};

} // namespace clrewrite::measure
