// Register files and granules by the version of the instruction set.
#include "measure/amdgcn/AmdgcnSteps.h"
#include "frontend/Invocation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TargetParser/TargetParser.h"

using namespace llvm;

namespace clrewrite::measure {
namespace {

/// What the waves of a SIMD share: so many VGPRs for each lane, handed out in
/// granules, to at most so many waves.
struct VgprFile {
  unsigned Registers, Granule, Waves;
};

/// CDNA 2 and later, where AGPRs are the upper half of a file of 512.
bool hasUnifiedFile(const AMDGPU::IsaVersion &V) {
  return V.Major == 9 && (V.Minor >= 4 || V.Stepping == 0xa);
}

/// The processors of RDNA 3 and 4 that have half as many VGPRs again as the
/// others.
bool hasLargeFile(StringRef Cpu) {
  return is_contained(
      {"gfx1100", "gfx1101", "gfx1151", "gfx1200", "gfx1201", "gfx12-generic"},
      Cpu);
}

VgprFile fileOf(StringRef Cpu, const AMDGPU::IsaVersion &V, unsigned Lanes) {
  if (V.Major < 10)
    return hasUnifiedFile(V) ? VgprFile{512, 8, 8} : VgprFile{256, 4, 10};
  VgprFile File{1024, 16, 16};
  if (V.Major == 10 && V.Minor < 3)
    File = {1024, 8, 20};
  else if (hasLargeFile(Cpu))
    File = {1536, 24, 16};
  if (Lanes == 64) {
    File.Registers /= 2;
    File.Granule /= 2;
  }
  return File;
}

OccupancyCurve curveOf(const VgprFile &File) {
  OccupancyCurve Curve;
  for (unsigned N = 1; N <= 256; ++N)
    Curve.push_back(std::min<unsigned>(
        File.Waves, File.Registers / alignTo(N, File.Granule)));
  return Curve;
}

/// Waves by the SGPRs that LLVM says a kernel uses, VCC and the like among
/// them, up to more than a kernel can have. The lists hold the most for ten
/// waves, for nine, and so on (Southern and Sea Islands; Volcanic Islands and
/// Vega); where there are more than the last, a wave less than that fits.
OccupancyCurve scalarCurve(unsigned Major, unsigned MostWaves) {
  static constexpr unsigned Southern[] = {48, 56, 64, 72, 80};
  static constexpr unsigned Volcanic[] = {80, 88, 100};
  ArrayRef<unsigned> Most = Major < 8 ? ArrayRef(Southern) : ArrayRef(Volcanic);
  OccupancyCurve Curve;
  for (unsigned N = 1; N <= 112; ++N)
    Curve.push_back(std::min<unsigned>(
        MostWaves, 10 - count_if(Most, [&](unsigned M) { return N > M; })));
  return Curve;
}

} // namespace

unsigned waveSizeOf(StringRef Cpu) {
  unsigned Attributes = AMDGPU::getArchAttrAMDGCN(AMDGPU::parseArchAMDGCN(Cpu));
  return Attributes & AMDGPU::FEATURE_WAVE32 ? 32 : 64;
}

OccupancySteps amdgcnSteps(StringRef Cpu, unsigned WaveSize) {
  OccupancySteps Steps;
  AMDGPU::IsaVersion V = AMDGPU::getIsaVersion(Cpu);
  if (V.Major > 12)
    return Steps;
  Steps.WaveSize =
      WaveSize && frontend::hasBothWaveSizes(Cpu) ? WaveSize : waveSizeOf(Cpu);
  VgprFile File = fileOf(Cpu, V, Steps.WaveSize);
  // A bug in the hardware has every wave of some take 96 SGPRs.
  bool TakesAllSgprs = V.Major == 8 && (V.Stepping == 2 || V.Stepping == 5);
  if (TakesAllSgprs)
    File.Waves = 8;
  Steps.ByVgprs = curveOf(File);
  Steps.VgprGranule = File.Granule;
  Steps.UnifiedFile = hasUnifiedFile(V);
  // AMDGPUUsage, "Code Object V3 Kernel Descriptor", the field
  // GRANULATED_WAVEFRONT_SGPR_COUNT: from gfx10 on each wave has 128 SGPRs.
  // Granules before: Southern Islands and Sea Islands 8; "3.6.1 SGPR
  // Allocation" of AMD's ISA documents of GCN 3 and Vega: 16.
  if (V.Major >= 10) {
    Steps.FixedSgprs = 128;
    return Steps;
  }
  if (!TakesAllSgprs)
    Steps.BySgprs = scalarCurve(V.Major, File.Waves);
  Steps.SgprGranule = V.Major < 8 ? 8 : 16;
  return Steps;
}

} // namespace clrewrite::measure
