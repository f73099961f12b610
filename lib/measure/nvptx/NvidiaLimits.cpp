// The table of limits per compute capability, and the occupancy that follows
// from it.
#include "measure/nvptx/NvidiaLimits.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace clrewrite::measure {

// CUDA C++ Programming Guide 13.0, appendix "Compute Capabilities", table
// "Technical Specifications per Compute Capability": "Maximum number of
// resident warps per SM" and "Maximum amount of shared memory per SM". All of
// them have 64K 32-bit registers an SM and at most 255 a thread. From 8.0 on
// the system keeps 1 KB of shared memory for each block (same guide, "Shared
// Memory" of each architecture). The allocation unit of registers (256, a
// warp), the four partitions and the resident groups (the guide's "Maximum
// number of resident blocks per SM") are those of cuda_occupancy.h in
// CUDA 13.0, which gives nvidiaCurve()'s warps for each row and every number of
// registers from 1 to 255 (work-groups of four warps).
constexpr NvidiaLimits Table[] = {
    {"sm_75", 32, 16, 64, 0},      {"sm_80", 64, 32, 164, 1024},
    {"sm_86", 48, 16, 100, 1024},  {"sm_87", 48, 16, 164, 1024},
    {"sm_89", 48, 24, 100, 1024},  {"sm_90", 64, 32, 228, 1024},
    {"sm_100", 64, 32, 228, 1024}, {"sm_120", 48, 24, 100, 1024},
};
constexpr unsigned RegistersPerPartition = 64 * 1024 / Partitions;
constexpr unsigned RegisterUnit = 256, WarpLanes = 32, MostRegisters = 255;

ArrayRef<NvidiaLimits> nvidiaTable() { return Table; }

const NvidiaLimits *nvidiaLimits(StringRef Arch) {
  // "sm_90a" and "sm_100f" are sm_90 and sm_100 with more instructions.
  if (Arch.ends_with("a") || Arch.ends_with("f"))
    Arch = Arch.drop_back();
  for (const NvidiaLimits &L : Table)
    if (L.Arch == Arch)
      return &L;
  return nullptr;
}

OccupancyCurve nvidiaCurve(const NvidiaLimits &L) {
  OccupancyCurve Curve;
  for (unsigned N = 1; N <= MostRegisters; ++N) {
    unsigned PerWarp = unsigned(alignTo(N * WarpLanes, RegisterUnit));
    Curve.push_back(
        std::min(L.Warps, RegistersPerPartition / PerWarp * Partitions));
  }
  return Curve;
}

unsigned warpsBySharedMemory(const NvidiaLimits &L, unsigned LdsBytes,
                             unsigned GroupSize) {
  if (!LdsBytes)
    return L.Warps;
  unsigned Groups = L.SharedKiB * 1024 / (LdsBytes + L.ReservedBytes);
  unsigned WarpsPerGroup = std::max(1u, divideCeil(GroupSize, WarpLanes));
  return std::min(L.Warps, Groups * WarpsPerGroup);
}

unsigned warpsByGroupSize(const NvidiaLimits &L, unsigned GroupSize) {
  unsigned WarpsPerGroup = std::max(1u, divideCeil(GroupSize, WarpLanes));
  return std::min(L.Groups, L.Warps / WarpsPerGroup) * WarpsPerGroup;
}

unsigned nvidiaWarps(const NvidiaLimits &L, unsigned Registers,
                     unsigned LdsBytes, unsigned GroupSize) {
  unsigned Warps = std::min(warpsByGroupSize(L, GroupSize),
                            warpsBySharedMemory(L, LdsBytes, GroupSize));
  OccupancyCurve Curve = nvidiaCurve(L);
  if (Registers)
    Warps =
        std::min(Warps, Curve[std::min<size_t>(Registers, Curve.size()) - 1]);
  return Warps;
}

void addNvidiaOccupancy(Usage &U, StringRef Arch, unsigned GroupSize) {
  const NvidiaLimits *L = nvidiaLimits(Arch);
  if (!L || !U.Vgprs || !*U.Vgprs)
    return;
  U.WaveSize = WarpLanes;
  U.Occupancy = nvidiaWarps(*L, *U.Vgprs, U.LdsBytes.value_or(0), GroupSize);
  OccupancySteps Steps;
  Steps.ByVgprs = nvidiaCurve(*L);
  Steps.VgprGranule = RegisterUnit / WarpLanes;
  explainOccupancy(U, Steps);
}

} // namespace clrewrite::measure
