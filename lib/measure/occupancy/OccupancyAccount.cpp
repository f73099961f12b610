// Asking what limits a kernel, and bisecting for the next step.
#include "measure/occupancy/OccupancyAccount.h"

using namespace llvm;

namespace clrewrite::measure {

bool isHeldDown(const Usage &U) { return U.Limiter == "attribute"; }

static NextStep nextStep(const Target &On, const Usage &U,
                         const OccupancyAccount &A,
                         process::ChildLimits Limits) {
  NextStep Out;
  if (isHeldDown(U)) {
    Out.What = NextStep::Attribute;
    return Out;
  }
  if (A.Waves.All >= A.Waves.Max)
    return Out;
  OccupancyNeeds Then = A.Needs;
  auto lower = [&](unsigned OccupancyNeeds::*What, bool Limiting,
                   unsigned &By) {
    if (!Limiting)
      return true;
    std::optional<unsigned> To =
        nextBelow(On, A.Needs, What, A.Waves.All, Limits);
    if (To) {
      By = A.Needs.*What - *To;
      Then.*What = *To;
    }
    return To.has_value();
  };
  bool Alone =
      lower(&OccupancyNeeds::Vgprs, A.limits(A.Waves.ByVgprs), Out.Vgprs) &&
      lower(&OccupancyNeeds::Sgprs, A.limits(A.Waves.BySgprs), Out.Sgprs) &&
      lower(&OccupancyNeeds::LdsBytes, A.ldsLimits(), Out.LdsBytes);
  if (A.limits(A.Waves.ByWorkGroup)) {
    Out.What = NextStep::GroupSize;
  } else if (!Alone || !(Out.Vgprs || Out.Sgprs || Out.LdsBytes)) {
    Out.What = NextStep::NotAlone;
  } else {
    Out.What = NextStep::Fewer;
    std::vector<unsigned> More = wavesFor(On, Then, Limits);
    if (!More.empty())
      Out.Waves = More.front();
  }
  return Out;
}

std::optional<OccupancyAccount> accountFor(const Target &On, const Usage &U,
                                           std::optional<unsigned> GroupSize,
                                           process::ChildLimits Limits) {
  OccupancyAccount A;
  A.Needs = needsOf(U, GroupSize);
  std::vector<OccupancyLimits> Waves = occupancyLimits(On, A.Needs, Limits);
  if (Waves.empty() || !U.Vgprs)
    return std::nullopt;
  A.Waves = Waves.front();
  A.Next = nextStep(On, U, A, Limits);
  return A;
}

} // namespace clrewrite::measure
