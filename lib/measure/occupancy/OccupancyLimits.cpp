// Asking for a kernel's waves with one resource at a time.
#include "measure/occupancy/OccupancyLimits.h"
#include "measure/amdgcn/AmdgcnProbe.h"
#include "measure/nvptx/NvidiaLimits.h"
#include "measure/r600/R600Limits.h"
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

static std::vector<unsigned> askNvidia(const NvidiaLimits &L,
                                       ArrayRef<OccupancyNeeds> Each) {
  std::vector<unsigned> Waves;
  for (const OccupancyNeeds &N : Each)
    Waves.push_back(nvidiaWarps(L, N.Vgprs, N.LdsBytes, N.GroupMax));
  return Waves;
}

static std::vector<unsigned> askR600(const R600Processor &On,
                                     ArrayRef<OccupancyNeeds> Each) {
  std::vector<unsigned> Waves;
  for (const OccupancyNeeds &N : Each) {
    Usage U;
    U.Vgprs = std::max(1u, N.Vgprs);
    U.LdsBytes = N.LdsBytes;
    addR600Occupancy(U, On,
                     N.GroupMin == N.GroupMax ? std::optional(N.GroupMax)
                                              : std::nullopt);
    Waves.push_back(U.Occupancy.value_or(0));
  }
  return Waves;
}

std::vector<unsigned> wavesFor(const Target &On, ArrayRef<OccupancyNeeds> Each,
                               process::ChildLimits Limits) {
  if (Each.empty())
    return {};
  if (On.Kind == TargetKind::Nvptx) {
    const NvidiaLimits *L = nvidiaLimits(On.Cpu);
    return L ? askNvidia(*L, Each) : std::vector<unsigned>();
  }
  if (On.Kind == TargetKind::R600) {
    const R600Processor *P = r600Processor(On.Cpu);
    return P ? askR600(*P, Each) : std::vector<unsigned>();
  }
  if (On.Kind != TargetKind::Amdgcn)
    return {};
  std::function<std::string()> Ask = [&] {
    std::string Text;
    for (unsigned Waves : probeAmdgcn(On.Cpu, Each))
      Text += utostr(Waves) + " ";
    return Text;
  };
  std::string Text = process::runInChildren(Ask, Limits).front().Output;
  SmallVector<StringRef> Words;
  StringRef(Text).split(Words, ' ', -1, /*KeepEmpty=*/false);
  if (Words.size() != Each.size())
    return {};
  std::vector<unsigned> Out(Words.size());
  for (auto [Word, Waves] : zip(Words, Out))
    if (Word.getAsInteger(10, Waves))
      return {};
  return Out;
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
