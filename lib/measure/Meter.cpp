// Measurements are carried as JSON; a meter that neither times kernels nor
// reads their register pressure says so.
#include "measure/Meter.h"
#include "source/JsonMembers.h"

using namespace llvm;

namespace clrewrite::measure {

const KernelUsage *Measurement::find(StringRef Kernel) const {
  for (const KernelUsage &K : Kernels)
    if (K.Kernel == Kernel)
      return &K;
  return nullptr;
}

template <typename Io> static bool mapMembers(Io &O, Measurement &M) {
  return O.map("kernels", M.Kernels) && O.map("problem", M.Problem);
}

json::Value toJSON(const Measurement &M) { return written(M); }
bool fromJSON(const json::Value &V, Measurement &M, json::Path P) {
  return readInto(M, V, P);
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
