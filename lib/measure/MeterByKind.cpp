// Splitting requests between two meters, and joining what they tell.
#include "measure/MeterByKind.h"
#include "measure/Shares.h"

using namespace llvm;

namespace clrewrite::measure {

Meter *MeterByKind::meterFor(const Target &On) const {
  return On.isDevice() ? Devices : Offline;
}

/// Gives each meter its requests, all at once, and puts the results in order.
template <typename Request, typename Result, typename Ask>
static std::vector<Result> split(ArrayRef<Request> Requests,
                                 ArrayRef<Meter *> Meters,
                                 function_ref<Meter *(const Target &)> Whose,
                                 const Result &Nobody, Ask Do) {
  std::vector<Result> Out(Requests.size(), Nobody);
  auto Shares = sharesOf<Meter>(
      Requests, [&](size_t, const Request &R) { return Whose(R.On); });
  for (Meter *M : Meters)
    if (auto It = Shares.find(M); It != Shares.end())
      It->second.put(Do(*M, It->second.Requests), Out);
  return Out;
}

std::vector<Measurement>
MeterByKind::measure(ArrayRef<MeasureRequest> Requests) {
  Measurement Nobody;
  Nobody.Problem = "nothing measures there";
  return split<MeasureRequest, Measurement>(
      Requests, {Offline, Devices},
      [&](const Target &T) { return meterFor(T); }, Nobody,
      [](Meter &M, ArrayRef<MeasureRequest> R) { return M.measure(R); });
}

std::vector<Timing> MeterByKind::time(ArrayRef<TimeRequest> Requests) {
  return split<TimeRequest, Timing>(
      Requests, {Offline, Devices},
      [&](const Target &T) { return meterFor(T); },
      Timing{std::nullopt, "nothing runs there"},
      [](Meter &M, ArrayRef<TimeRequest> R) { return M.time(R); });
}

std::vector<PressureReport>
MeterByKind::pressure(ArrayRef<MeasureRequest> Requests) {
  return split<MeasureRequest, PressureReport>(
      Requests, {Offline, Devices},
      [&](const Target &T) { return meterFor(T); },
      PressureReport{{}, "nothing measures there"},
      [](Meter &M, ArrayRef<MeasureRequest> R) { return M.pressure(R); });
}

WorkReport MeterByKind::work(const MeasureRequest &Request) {
  Meter *M = meterFor(Request.On);
  return M ? M->work(Request) : Meter::work(Request);
}

} // namespace clrewrite::measure
