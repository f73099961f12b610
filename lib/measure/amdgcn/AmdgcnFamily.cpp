// AMD's GPUs from GCN on, as a family of targets.
#include "measure/amdgcn/Amdgcn.h"
#include "measure/amdgcn/AmdgcnBackend.h"
#include "measure/amdgcn/AmdgcnProbe.h"
#include "measure/amdgcn/AmdgcnSteps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/TargetParser.h"

using namespace llvm;

namespace clrewrite::measure {
namespace {

class AmdgcnFamily : public TargetFamily {
  Expected<std::optional<Target>> parse(StringRef Name) const override {
    AMDGPU::GPUKind Kind = AMDGPU::parseArchAMDGCN(Name.lower());
    if (Kind == AMDGPU::GK_NONE)
      return std::nullopt;
    return Target{Name.lower(), AMDGPU::getArchNameAMDGCN(Kind).str(), this};
  }

  std::vector<StringRef> names() const override {
    SmallVector<StringRef, 128> All;
    AMDGPU::fillValidArchListAMDGCN(All);
    return {All.begin(), All.end()};
  }

  // Processors without fast denormals flush them, as Clang's driver has it.
  frontend::Arch arch(StringRef Cpu) const override {
    unsigned Has = attributes(Cpu);
    bool Fast = (Has & AMDGPU::FEATURE_FAST_FMA_F32) &&
                (Has & AMDGPU::FEATURE_FAST_DENORMAL_F32);
    return {AmdgcnTriple.str(), Cpu.str(), /*FlushDenormals=*/!Fast};
  }

  Expected<std::unique_ptr<Backend>>
  open(const BackendSettings &Settings) const override {
    auto Libs = DeviceLibs::open(Settings.LibraryDir);
    if (!Libs)
      return Libs.takeError();
    return std::make_unique<Amdgcn>(std::move(*Libs));
  }

  StringRef macro() const override { return "__AMDGCN__"; }
  bool takesRegisterLimit() const override { return true; }
  /// CDNA has as many AGPRs beside its VGPRs.
  unsigned registersUnder(StringRef Cpu, unsigned Limit) const override {
    for (StringRef WithAgprs : {"gfx908", "gfx90a", "gfx94", "gfx95"})
      if (Cpu.starts_with(WithAgprs))
        return 2 * Limit;
    return Limit;
  }

  std::vector<unsigned> waves(StringRef Cpu, ArrayRef<OccupancyNeeds> Each,
                              process::ChildLimits Limits) const override {
    std::function<std::string()> Ask = [&] {
      std::string Text;
      for (unsigned Waves : probeAmdgcn(Cpu, Each))
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

  // The feature AddressableLocalMemorySize of LLVM 22's AMDGPU.td.
  unsigned mostLds(StringRef Cpu) const override {
    constexpr unsigned KiB = 1024;
    if (Cpu.starts_with("gfx6"))
      return 32 * KiB;
    if (Cpu == "gfx950")
      return 160 * KiB;
    return Cpu.starts_with("gfx125") ? 320 * KiB : 64 * KiB;
  }

  unsigned lanes(StringRef Cpu) const override { return waveSizeOf(Cpu); }
  /// GCN and CDNA, and RDNA.
  std::vector<StringRef> representatives() const override {
    return {"gfx906", "gfx1100"};
  }

  static unsigned attributes(StringRef Cpu) {
    return AMDGPU::getArchAttrAMDGCN(AMDGPU::parseArchAMDGCN(Cpu));
  }
};

} // namespace

const TargetFamily &amdgcnFamily() {
  static const AmdgcnFamily Family;
  return Family;
}

} // namespace clrewrite::measure
