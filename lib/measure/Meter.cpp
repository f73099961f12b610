// What meters share.
#include "measure/Meter.h"

using namespace llvm;

namespace clrewrite::measure {

const KernelUsage *Measurement::find(StringRef Kernel) const {
  for (const KernelUsage &K : Kernels)
    if (K.Kernel == Kernel)
      return &K;
  return nullptr;
}

std::vector<Timing> Meter::time(ArrayRef<TimeRequest> Requests) {
  return std::vector<Timing>(Requests.size(),
                             {std::nullopt, "nothing runs there"});
}

std::vector<PressureReport> Meter::pressure(ArrayRef<MeasureRequest> Requests) {
  return std::vector<PressureReport>(
      Requests.size(),
      {{}, "live registers are known for AMD's GPUs from GCN on only"});
}

} // namespace clrewrite::measure
