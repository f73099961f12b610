// Splitting requests between two meters, and joining what they tell.
#include "measure/MeterByKind.h"
#include "measure/Shares.h"

using namespace llvm;

namespace clrewrite::measure {

Meter *MeterByKind::meterFor(const Target &On) const {
  return On.isDevice() ? Devices : Offline;
}

/// Gives each meter its requests, all at once, and puts the results in order.
template <typename Request, typename Result>
std::vector<Result>
MeterByKind::split(ArrayRef<Request> Requests, const Result &Nobody,
                   std::vector<Result> (Meter::*Do)(ArrayRef<Request>)) {
  std::vector<Result> Out(Requests.size(), Nobody);
  auto Shares = sharesOf<Meter>(
      Requests, [&](size_t, const Request &R) { return meterFor(R.On); });
  for (Meter *M : {Offline, Devices})
    if (auto It = Shares.find(M); It != Shares.end())
      It->second.put((M->*Do)(It->second.Requests), Out);
  return Out;
}

std::vector<Measurement>
MeterByKind::measure(ArrayRef<MeasureRequest> Requests) {
  Measurement Nobody;
  Nobody.Problem = "nothing measures there";
  return split(Requests, Nobody, &Meter::measure);
}

std::vector<Timing> MeterByKind::time(ArrayRef<TimeRequest> Requests) {
  return split(Requests, Timing{std::nullopt, "nothing runs there"},
               &Meter::time);
}

std::vector<PressureReport>
MeterByKind::pressure(ArrayRef<MeasureRequest> Requests) {
  return split(Requests, PressureReport{{}, "nothing measures there"},
               &Meter::pressure);
}

WorkReport MeterByKind::work(const MeasureRequest &Request) {
  Meter *M = meterFor(Request.On);
  return M ? M->work(Request) : Meter::work(Request);
}

} // namespace clrewrite::measure
