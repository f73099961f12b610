// A kernel's figures are looked up in the steps of a processor's occupancy.
#include "measure/occupancy/Occupancy.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace clrewrite::measure {

unsigned registersOf(unsigned Vgprs, unsigned Agprs, bool UnifiedFile) {
  if (UnifiedFile && Agprs)
    return unsigned(alignTo(Vgprs, 4)) + Agprs;
  return std::max(Vgprs, Agprs);
}

/// What keeps a kernel below the maximum that its VGPRs would let it reach.
static std::string otherLimiter(const Usage &U, const OccupancyCurve &BySgprs) {
  unsigned Sgprs = U.Sgprs.value_or(0);
  if (Sgprs && !BySgprs.empty() &&
      BySgprs[std::min<size_t>(Sgprs, BySgprs.size()) - 1] <= *U.Occupancy)
    return "SGPRs";
  if (U.LdsBytes.value_or(0))
    return "LDS";
  return U.GroupMin && U.GroupMin == U.GroupMax ? "work-group size"
                                                : "attribute";
}

static void addAllocated(Usage &U, unsigned Used, const OccupancySteps &Steps) {
  if (Steps.VgprGranule)
    U.VgprsAllocated = unsigned(alignTo(std::max(Used, 1u), Steps.VgprGranule));
  if (Steps.SgprGranule && U.Sgprs)
    U.SgprsAllocated =
        unsigned(alignTo(std::max(*U.Sgprs, 1u), Steps.SgprGranule));
  else if (Steps.FixedSgprs)
    U.SgprsAllocated = Steps.FixedSgprs;
}

void explainOccupancy(Usage &U, const OccupancySteps &Steps) {
  const OccupancyCurve &Curve = Steps.ByVgprs;
  if (!U.Occupancy || !U.Vgprs || Curve.empty())
    return;
  size_t Used = registersOf(*U.Vgprs, U.Agprs.value_or(0), Steps.UnifiedFile);
  addAllocated(U, unsigned(Used), Steps);
  U.OccupancyMax = Curve.front();
  if (*U.Occupancy >= Curve.front()) {
    U.Limiter = "none";
    return;
  }
  Used = std::max<size_t>(Used, 1);
  // Past the curve's end only accumulation registers can be.
  if (Used <= Curve.size() && Curve[Used - 1] > *U.Occupancy) {
    U.Limiter = otherLimiter(U, Steps.BySgprs);
    return;
  }
  U.Limiter = "VGPRs";
  for (size_t N = std::min(Used, Curve.size()); N >= 1; --N)
    if (Curve[N - 1] > *U.Occupancy) {
      U.VgprsToNextStep = unsigned(Used - N);
      break;
    }
}

} // namespace clrewrite::measure
