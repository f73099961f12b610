// AMD's GPUs before GCN, as a family of targets.
#include "measure/r600/R600.h"
#include "measure/r600/R600Limits.h"
#include "llvm/TargetParser/TargetParser.h"

using namespace llvm;

namespace clrewrite::measure {
namespace {

class R600Family : public TargetFamily {
  Expected<std::optional<Target>> parse(StringRef Name) const override {
    if (const R600Processor *P = r600Processor(Name.lower()))
      return Target{Name.lower(), P->Name.str(), this};
    if (AMDGPU::parseArchR600(Name.lower()) != AMDGPU::GK_NONE)
      return createStringError("target '%s' is older than Evergreen (Radeon HD "
                               "5000), and LLVM compiles no OpenCL C for it",
                               Name.str().c_str());
    return std::nullopt;
  }

  std::vector<StringRef> names() const override {
    std::vector<StringRef> Out;
    for (const R600Processor &P : r600Table())
      Out.push_back(P.Name);
    return Out;
  }

  // Denormals: the hardware flushes them.
  frontend::Arch arch(StringRef Cpu) const override {
    return {R600Triple.str(), Cpu.str(), /*FlushDenormals=*/true};
  }

  Expected<std::unique_ptr<Backend>>
  open(const BackendSettings &Settings) const override {
    return R600::open(Settings.LibraryDir);
  }

  OccupancyTerms terms() const override {
    OccupancyTerms T;
    T.Registers = "GPRs";
    T.MostRegisters = R600MostRegisters;
    return T;
  }

  std::vector<unsigned> waves(StringRef Cpu, ArrayRef<OccupancyNeeds> Each,
                              process::ChildLimits) const override {
    std::vector<unsigned> Waves;
    const R600Processor *On = r600Processor(Cpu);
    for (const OccupancyNeeds &N : Each) {
      if (!On)
        break;
      Usage U;
      U.Vgprs = std::max(1u, N.Vgprs);
      U.LdsBytes = N.LdsBytes;
      addR600Occupancy(U, *On,
                       N.GroupMin == N.GroupMax ? std::optional(N.GroupMax)
                                                : std::nullopt);
      Waves.push_back(U.Occupancy.value_or(0));
    }
    return Waves;
  }

  unsigned mostLds(StringRef) const override { return R600LdsBytes; }

  unsigned lanes(StringRef Cpu) const override {
    const R600Processor *On = r600Processor(Cpu);
    return On ? On->WaveLanes : 64;
  }
};

} // namespace

const TargetFamily &r600Family() {
  static const R600Family Family;
  return Family;
}

} // namespace clrewrite::measure
