// Asking for a kernel's waves with one resource at a time.
#include "measure/occupancy/OccupancyLimits.h"
#include "measure/TargetFamily.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::measure {

OccupancyNeeds needsOf(const Usage &U, std::optional<unsigned> GroupSize) {
  OccupancyNeeds N;
  N.Vgprs = U.Vgprs.value_or(0);
  N.Agprs = U.Agprs.value_or(0);
  N.Sgprs = U.Sgprs.value_or(0);
  N.LdsBytes = U.LdsBytes.value_or(0);
  N.WaveSize = U.WaveSize.value_or(0);
  N.GroupMin = U.GroupMin.value_or(N.GroupMin);
  N.GroupMax = U.GroupMax.value_or(N.GroupMax);
  if (GroupSize && N.GroupMin != N.GroupMax)
    N.GroupMin = N.GroupMax = *GroupSize;
  return N;
}

std::vector<unsigned> wavesFor(const Target &On, ArrayRef<OccupancyNeeds> Each,
                               process::ChildLimits Limits) {
  if (Each.empty() || !On.Family)
    return {};
  return On.Family->waves(On.Cpu, Each, Limits);
}

std::vector<OccupancyLimits> occupancyLimits(const Target &On,
                                             ArrayRef<OccupancyNeeds> Each,
                                             process::ChildLimits Limits) {
  std::vector<OccupancyNeeds> Asked;
  for (const OccupancyNeeds &N : Each) {
    OccupancyNeeds Nothing;
    Nothing.WaveSize = N.WaveSize;
    OccupancyNeeds Vgprs = Nothing, Sgprs = Nothing, Group = Nothing;
    Vgprs.Vgprs = N.Vgprs;
    Vgprs.Agprs = N.Agprs;
    Sgprs.Sgprs = N.Sgprs;
    Group.GroupMin = N.GroupMin;
    Group.GroupMax = N.GroupMax;
    OccupancyNeeds Lds = Group;
    Lds.LdsBytes = N.LdsBytes;
    Asked.insert(Asked.end(), {Nothing, Vgprs, Sgprs, Lds, Group, N});
  }
  std::vector<unsigned> Waves = wavesFor(On, Asked, Limits);
  std::vector<OccupancyLimits> Out;
  for (size_t I = 0; I + 5 < Waves.size(); I += 6)
    Out.push_back({Waves[I], Waves[I + 1], Waves[I + 2], Waves[I + 3],
                   Waves[I + 4], Waves[I + 5]});
  return Out;
}

std::optional<unsigned> nextBelow(const Target &On, const OccupancyNeeds &Needs,
                                  unsigned OccupancyNeeds::*What,
                                  unsigned Waves, process::ChildLimits Limits) {
  auto allowsMore = [&](unsigned Amount) {
    // The work-group stays: it says how many share the LDS.
    OccupancyNeeds Alone;
    Alone.WaveSize = Needs.WaveSize;
    Alone.GroupMin = Needs.GroupMin;
    Alone.GroupMax = Needs.GroupMax;
    if (What == &OccupancyNeeds::Vgprs)
      Alone.Agprs = Needs.Agprs;
    Alone.*What = Amount;
    std::vector<unsigned> Told = wavesFor(On, Alone, Limits);
    return !Told.empty() && Told.front() > Waves;
  };
  // None of LDS at all is the fewest of that; a kernel has a register at least.
  unsigned Low = What == &OccupancyNeeds::LdsBytes ? 0 : 1, High = Needs.*What;
  if (High <= Low || !allowsMore(Low))
    return std::nullopt;
  while (High - Low > 1) {
    unsigned Middle = Low + (High - Low) / 2;
    (allowsMore(Middle) ? Low : High) = Middle;
  }
  return Low;
}

} // namespace clrewrite::measure
