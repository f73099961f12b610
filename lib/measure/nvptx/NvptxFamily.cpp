// NVIDIA's GPUs, as a family of targets.
#include "measure/nvptx/NvidiaLimits.h"
#include "measure/nvptx/Nvptx.h"

using namespace llvm;

namespace clrewrite::measure {
namespace {

class NvptxFamily : public TargetFamily {
  Expected<std::optional<Target>> parse(StringRef Name) const override {
    if (!nvidiaLimits(Name.lower()))
      return std::nullopt;
    return Target{Name.lower(), Name.lower(), this};
  }

  std::vector<StringRef> names() const override {
    std::vector<StringRef> Out;
    for (const NvidiaLimits &L : nvidiaTable())
      Out.push_back(L.Arch);
    return Out;
  }

  frontend::Arch arch(StringRef Cpu) const override {
    return {NvptxTriple.str(), Cpu.str(), /*FlushDenormals=*/false};
  }

  Expected<std::unique_ptr<Backend>>
  open(const BackendSettings &Settings) const override {
    return Nvptx::open(Settings);
  }

  OccupancyTerms terms() const override {
    OccupancyTerms T;
    T.Wave = "warp";
    T.Waves = "warps";
    T.Registers = "registers";
    T.Lane = "thread";
    T.Lds = "shared memory";
    T.Unit = "multiprocessor";
    T.ShortUnit = "SM";
    T.PerUnit = "an SM";
    T.MostRegisters = 255;
    return T;
  }

  std::vector<unsigned> waves(StringRef Cpu, ArrayRef<OccupancyNeeds> Each,
                              process::ChildLimits) const override {
    std::vector<unsigned> Waves;
    if (const NvidiaLimits *L = nvidiaLimits(Cpu))
      for (const OccupancyNeeds &N : Each)
        Waves.push_back(nvidiaWarps(*L, N.Vgprs, N.LdsBytes, N.GroupMax));
    return Waves;
  }

  // The shared memory of a multiprocessor less what the system keeps for a
  // block.
  unsigned mostLds(StringRef Cpu) const override {
    const NvidiaLimits *L = nvidiaLimits(Cpu);
    return L ? L->SharedKiB * 1024 - L->ReservedBytes : 0;
  }

  unsigned lanes(StringRef) const override { return 32; }
  std::vector<StringRef> representatives() const override { return {"sm_90"}; }
  bool wasTimed() const override { return true; } // an H200

  // Clang defines it, and so does NVIDIA's driver (docs/targets.md).
  StringRef macro() const override { return "__NVPTX__"; }
};

} // namespace

const TargetFamily &nvptxFamily() {
  static const NvptxFamily Family;
  return Family;
}

} // namespace clrewrite::measure
