// Asking LLVM for occupancy with kernels that only clobber registers.
#include "measure/amdgcn/AmdgcnProbe.h"
#include "frontend/Invocation.h"
#include "measure/amdgcn/AmdgcnBackend.h"
#include "measure/llvm/CodeGen.h"
#include "measure/llvm/LlvmVersions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/TargetParser/TargetParser.h"

using namespace llvm;

namespace clrewrite::measure {
namespace {

constexpr unsigned MostVgprs = 256, MostSgprs = 102;

void addKernel(Module &M, StringRef Cpu, const OccupancyNeeds &N,
               const Twine &Name) {
  LLVMContext &Context = M.getContext();
  FunctionType *Void = FunctionType::get(Type::getVoidTy(Context), false);
  Function *F = Function::Create(Void, GlobalValue::ExternalLinkage, Name, M);
  F->setCallingConv(CallingConv::AMDGPU_KERNEL);
  F->addFnAttr("target-cpu", Cpu);
  F->addFnAttr("amdgpu-flat-work-group-size",
               utostr(N.GroupMin) + "," + utostr(N.GroupMax));
  if (N.LdsBytes)
    F->addFnAttr("amdgpu-lds-size", utostr(N.LdsBytes));
  if (N.WaveSize && frontend::hasBothWaveSizes(Cpu))
    F->addFnAttr("target-features", "+wavefrontsize" + utostr(N.WaveSize));
  std::vector<std::string> Clobbers;
  for (auto [Letter, Count] :
       {std::pair('v', N.Vgprs), {'a', N.Agprs}, {'s', N.Sgprs}})
    if (Count)
      Clobbers.push_back(std::string("~{") + Letter + utostr(Count - 1) + "}");
  IRBuilder<> B(BasicBlock::Create(Context, "", F));
  if (!Clobbers.empty())
    B.CreateCall(InlineAsm::get(Void, "", join(Clobbers, ","),
                                /*hasSideEffects=*/true));
  B.CreateRetVoid();
}

/// The figures of kernels that name just the registers of \p Each.
std::vector<Usage> compile(StringRef Cpu, ArrayRef<OccupancyNeeds> Each) {
  LLVMContext Context;
  std::map<std::string, Usage> Figures;
  Problems Errors;
  Context.setDiagnosticHandler(
      std::make_unique<ResourceListener>(Figures, Errors));
  std::unique_ptr<TargetMachine> TM = amdgcnMachine(Cpu, CodeGenOptLevel::None);
  Module M("probes", Context);
  M.setTargetTriple(named(TM->getTargetTriple()));
  M.setDataLayout(TM->createDataLayout());
  for (auto [I, N] : enumerate(Each))
    addKernel(M, Cpu, N, "k" + Twine(I));
  SmallVector<char, 0> Object;
  std::vector<Usage> Out;
  if (generate(M, *TM, Observers(), CodeGenFileType::ObjectFile, Object))
    for (size_t I = 0; I < Each.size(); ++I)
      Out.push_back(Figures["k" + utostr(I)]);
  return Out;
}

/// A curve being found: waves only fall as registers rise, so where both ends
/// of a range have the same, all between do.
struct Bisected {
  unsigned OccupancyNeeds::*Register;
  std::vector<unsigned> Ask;
  /// Waves by registers named, and by registers that LLVM reports.
  std::map<unsigned, unsigned> Known = {}, Reported = {};

  void refine() {
    Ask.clear();
    for (auto It = Known.begin();
         It != Known.end() && std::next(It) != Known.end(); ++It) {
      auto [Low, High] = std::pair(*It, *std::next(It));
      if (Low.second != High.second && High.first - Low.first > 1)
        Ask.push_back((Low.first + High.first) / 2);
    }
  }
};

/// Finds all of \p Curves, a module for each round. False where LLVM failed.
bool bisect(StringRef Cpu, unsigned WaveSize,
            MutableArrayRef<Bisected> Curves) {
  while (any_of(Curves, [](const Bisected &C) { return !C.Ask.empty(); })) {
    std::vector<OccupancyNeeds> Probes;
    for (const Bisected &C : Curves)
      for (unsigned N : C.Ask) {
        OccupancyNeeds Needs;
        Needs.WaveSize = WaveSize;
        Needs.*C.Register = N;
        Probes.push_back(Needs);
      }
    std::vector<Usage> Told = compile(Cpu, Probes);
    if (Told.size() != Probes.size())
      return false;
    size_t At = 0;
    for (Bisected &C : Curves) {
      bool Scalar = C.Register == &OccupancyNeeds::Sgprs;
      for (unsigned N : C.Ask) {
        const Usage &U = Told[At++];
        C.Known[N] = U.Occupancy.value_or(0);
        C.Reported[Scalar ? U.Sgprs.value_or(N) : N] = C.Known[N];
      }
      C.refine();
    }
  }
  return true;
}

OccupancyCurve curveOf(const std::map<unsigned, unsigned> &Waves) {
  OccupancyCurve Curve;
  for (unsigned N = 1; N <= Waves.rbegin()->first; ++N) {
    auto Above = Waves.upper_bound(N);
    Curve.push_back(Above == Waves.begin() ? Above->second
                                           : std::prev(Above)->second);
  }
  return Curve;
}

} // namespace

unsigned waveSizeOf(StringRef Cpu) {
  unsigned Attributes = AMDGPU::getArchAttrAMDGCN(AMDGPU::parseArchAMDGCN(Cpu));
  return Attributes & AMDGPU::FEATURE_WAVE32 ? 32 : 64;
}

std::vector<unsigned> probeAmdgcn(StringRef Cpu,
                                  ArrayRef<OccupancyNeeds> Each) {
  // Beside the registers that it names, a kernel has some for VCC and the like.
  std::vector<Usage> Least = compile(Cpu, OccupancyNeeds{});
  if (Least.empty())
    return {};
  unsigned Extra = Least.front().Sgprs.value_or(0);
  std::vector<OccupancyNeeds> Probes(Each.begin(), Each.end());
  for (OccupancyNeeds &N : Probes)
    N.Sgprs = std::min(N.Sgprs > Extra ? N.Sgprs - Extra : 0, MostSgprs);
  std::vector<unsigned> Waves;
  for (const Usage &U : compile(Cpu, Probes))
    Waves.push_back(U.Occupancy.value_or(0));
  return Waves;
}

OccupancySteps amdgcnSteps(StringRef Cpu, unsigned WaveSize) {
  // AMDGPUUsage, "Code Object V3 Kernel Descriptor", the field
  // GRANULATED_WAVEFRONT_SGPR_COUNT: from gfx10 on each wave has 128 SGPRs.
  // Granules before: Southern Islands and Sea Islands 8; "3.6.1 SGPR
  // Allocation" of AMD's ISA documents of GCN 3 and Vega: 16.
  unsigned Major = AMDGPU::getIsaVersion(Cpu).Major;
  bool ScalarsAreShared = Major < 10;
  std::vector<Bisected> Curves{{&OccupancyNeeds::Vgprs, {1, MostVgprs}}};
  if (ScalarsAreShared)
    Curves.push_back({&OccupancyNeeds::Sgprs, {1, MostSgprs}});
  OccupancySteps Steps;
  if (!bisect(Cpu, WaveSize, Curves))
    return Steps;
  Steps.ByVgprs = curveOf(Curves.front().Known);
  Steps.VgprGranule = granuleOf(Steps.ByVgprs);
  Steps.WaveSize =
      WaveSize && frontend::hasBothWaveSizes(Cpu) ? WaveSize : waveSizeOf(Cpu);
  Steps.UnifiedFile = Cpu.starts_with("gfx90a") || Cpu.starts_with("gfx94") ||
                      Cpu.starts_with("gfx95");
  if (!ScalarsAreShared) {
    Steps.FixedSgprs = 128;
    return Steps;
  }
  Steps.BySgprs = curveOf(Curves.back().Reported);
  Steps.SgprGranule = Major < 8 ? 8 : 16;
  return Steps;
}

} // namespace clrewrite::measure
