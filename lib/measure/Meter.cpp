// A meter that neither times kernels nor reads their register pressure says so.
#include "measure/Meter.h"

using namespace llvm;

namespace clrewrite::measure {

std::vector<Timing> Meter::time(ArrayRef<TimeRequest> Requests) {
  return std::vector<Timing>(Requests.size(),
                             {std::nullopt, "nothing runs there"});
}

std::vector<PressureReport> Meter::pressure(ArrayRef<MeasureRequest> Requests) {
  return std::vector<PressureReport>(Requests.size(), {{}, NoPressure.str()});
}

WorkReport Meter::work(const MeasureRequest &) {
  return {{{}, "a driver's code is not counted"}};
}

} // namespace clrewrite::measure
