// A kernel's figures are looked up in the steps of a processor's occupancy.
#include "measure/occupancy/Occupancy.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>

using namespace llvm;

namespace clrewrite::measure {

json::Value toJSON(const OccupancySteps &S) {
  return json::Object{{"by_vgprs", json::Array(S.ByVgprs)},
                      {"by_sgprs", json::Array(S.BySgprs)},
                      {"wave_size", S.WaveSize},
                      {"vgpr_granule", S.VgprGranule},
                      {"sgpr_granule", S.SgprGranule},
                      {"fixed_sgprs", S.FixedSgprs},
                      {"unified_file", S.UnifiedFile}};
}

bool fromJSON(const json::Value &V, OccupancySteps &S, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("by_vgprs", S.ByVgprs) && O.map("by_sgprs", S.BySgprs) &&
         O.map("wave_size", S.WaveSize) &&
         O.map("vgpr_granule", S.VgprGranule) &&
         O.map("sgpr_granule", S.SgprGranule) &&
         O.map("fixed_sgprs", S.FixedSgprs) &&
         O.map("unified_file", S.UnifiedFile);
}

unsigned registersOf(unsigned Vgprs, unsigned Agprs, bool UnifiedFile) {
  if (UnifiedFile && Agprs)
    return unsigned(alignTo(Vgprs, 4)) + Agprs;
  return std::max(Vgprs, Agprs);
}

unsigned granuleOf(const OccupancyCurve &Curve) {
  unsigned Granule = 0;
  for (unsigned N = 1; N < Curve.size(); ++N)
    if (Curve[N - 1] != Curve[N])
      Granule = std::gcd(Granule, N);
  return Granule;
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
