// Measurements are carried as JSON; a meter that neither times kernels nor
// reads their register pressure says so.
#include "measure/Meter.h"

using namespace llvm;

namespace clrewrite::measure {

const KernelUsage *Measurement::find(StringRef Kernel) const {
  for (const KernelUsage &K : Kernels)
    if (K.Kernel == Kernel)
      return &K;
  return nullptr;
}

json::Value toJSON(const Measurement &M) {
  return json::Object{{"kernels", json::Array(M.Kernels)},
                      {"problem", json::fixUTF8(M.Problem)}};
}

bool fromJSON(const json::Value &V, Measurement &M, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("kernels", M.Kernels) && O.map("problem", M.Problem);
}

std::vector<Timing> Meter::time(ArrayRef<TimeRequest> Requests) {
  return std::vector<Timing>(Requests.size(),
                             {std::nullopt, "nothing runs there"});
}

std::vector<PressureReport> Meter::pressure(ArrayRef<MeasureRequest> Requests) {
  return std::vector<PressureReport>(Requests.size(), {{}, NoPressure.str()});
}

WorkReport Meter::work(const MeasureRequest &) {
  return {{}, "a driver's code is not counted"};
}

} // namespace clrewrite::measure
