// What an occupancy curve tells about a kernel.
#include "measure/Occupancy.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace clrewrite {

void explainOccupancy(Usage &U, const OccupancyCurve &Curve) {
  if (!U.Occupancy || !U.Vgprs || Curve.empty())
    return;
  U.OccupancyMax = Curve.front();
  if (*U.Occupancy >= Curve.front()) {
    U.Limiter = "none";
    return;
  }
  // CDNA's unified file: accumulation registers follow the aligned VGPRs.
  bool Unified = U.Agprs.value_or(0) != 0;
  size_t Used = Unified ? alignTo(*U.Vgprs, 4) + *U.Agprs : *U.Vgprs;
  Used = std::max<size_t>(Used, 1);
  // Past the curve's end only accumulation registers can be.
  if (Used <= Curve.size() && Curve[Used - 1] > *U.Occupancy) {
    U.Limiter = U.LdsBytes.value_or(0) ? "LDS" : "SGPRs";
    return;
  }
  U.Limiter = "VGPRs";
  for (size_t N = std::min(Used, Curve.size()); N >= 1; --N)
    if (Curve[N - 1] > *U.Occupancy) {
      U.VgprsToNextStep = unsigned(Used - N);
      break;
    }
}

} // namespace clrewrite
