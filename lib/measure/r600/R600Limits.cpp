// The limits of AMD's GPUs before GCN, by processor, and the occupancy that
// follows from them.
#include "measure/r600/R600Limits.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/TargetParser.h"
#include <algorithm>

using namespace llvm;

namespace clrewrite::measure {

// Wavefront sizes: Mesa's r600 driver (r600_wavefront_size), and LLVM's
// R600Processors.td where it names one. The libraries are those that libclc
// builds for these processors, the others being links to them.
constexpr R600Processor Table[] = {
    {"cedar", 32, "cedar"},   {"redwood", 64, "cedar"},
    {"juniper", 64, "cedar"}, {"cypress", 64, "cypress"},
    {"sumo", 64, "cedar"},    {"barts", 64, "barts"},
    {"turks", 64, "barts"},   {"caicos", 64, "barts"},
    {"cayman", 64, "cayman"},
};

constexpr unsigned RegistersPerLane = 248, GroupsPerSimd = 8;
/// 8 work-groups of 4 wavefronts.
constexpr unsigned MostWaves = GroupsPerSimd * R600GroupWaves;

ArrayRef<R600Processor> r600Table() { return Table; }

const R600Processor *r600Processor(StringRef Name) {
  if (Name == "devastator" || Name == "scrapper")
    Name = "aruba";
  AMDGPU::GPUKind Kind = AMDGPU::parseArchR600(Name);
  if (Kind == AMDGPU::GK_NONE)
    return nullptr;
  StringRef Llvms = AMDGPU::getArchNameR600(Kind);
  for (const R600Processor &P : Table)
    if (P.Name == Llvms)
      return &P;
  return nullptr;
}

OccupancyCurve r600Curve(unsigned GroupWaves, bool Required) {
  OccupancyCurve Curve;
  for (unsigned N = 1; N <= R600MostRegisters; ++N) {
    unsigned Fit = RegistersPerLane / N;
    unsigned Group = Required ? GroupWaves : std::min(GroupWaves, Fit);
    unsigned Groups = std::min(GroupsPerSimd, Fit / Group);
    Curve.push_back(std::min(MostWaves / Group, Groups) * Group);
  }
  return Curve;
}

void addR600Occupancy(Usage &U, const R600Processor &On,
                      std::optional<unsigned> GroupSize) {
  if (!U.Vgprs || *U.Vgprs < 1 || *U.Vgprs > R600MostRegisters)
    return;
  unsigned Group =
      GroupSize ? std::max(1u, unsigned(divideCeil(*GroupSize, On.WaveLanes)))
                : R600GroupWaves;
  OccupancyCurve Curve = r600Curve(Group, GroupSize.has_value());
  U.WaveSize = On.WaveLanes;
  U.GroupMin = U.GroupMax = GroupSize;
  unsigned ByRegisters = Curve[*U.Vgprs - 1], ByLds = MostWaves;
  if (unsigned Lds = U.LdsBytes.value_or(0))
    ByLds = R600LdsBytes / Lds * Group;
  U.OccupancyMax = MostWaves;
  U.Occupancy = std::min(ByRegisters, ByLds);
  if (*U.Occupancy == MostWaves) {
    U.Limiter = "none";
  } else if (ByLds < ByRegisters) {
    U.Limiter = "LDS";
  } else if (ByRegisters == Curve.front()) {
    U.Limiter = "work-group size";
  } else {
    U.Limiter = "VGPRs";
    unsigned N = *U.Vgprs;
    while (Curve[N - 1] == ByRegisters)
      --N;
    U.VgprsToNextStep = *U.Vgprs - N;
  }
}

} // namespace clrewrite::measure
