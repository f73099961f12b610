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

using namespace llvm;

namespace clrewrite::measure {
namespace {

constexpr unsigned MostSgprs = 102;

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

/// The figures of kernels that name just the registers of \p Each, compiled by
/// \p TM.
std::vector<Usage> compile(TargetMachine &TM, ArrayRef<OccupancyNeeds> Each) {
  LLVMContext Context;
  std::map<std::string, Usage> Figures;
  Problems Errors;
  Context.setDiagnosticHandler(
      std::make_unique<ResourceListener>(Figures, Errors));
  Module M("probes", Context);
  M.setTargetTriple(named(TM.getTargetTriple()));
  M.setDataLayout(TM.createDataLayout());
  for (auto [I, N] : enumerate(Each))
    addKernel(M, TM.getTargetCPU(), N, "k" + Twine(I));
  SmallVector<char, 0> Object;
  std::vector<Usage> Out;
  if (generate(M, TM, Observers(), CodeGenFileType::ObjectFile, Object))
    for (size_t I = 0; I < Each.size(); ++I)
      Out.push_back(Figures["k" + utostr(I)]);
  return Out;
}

} // namespace

std::vector<unsigned> probeAmdgcn(StringRef Cpu,
                                  ArrayRef<OccupancyNeeds> Each) {
  std::unique_ptr<TargetMachine> TM = amdgcnMachine(Cpu, CodeGenOptLevel::None);
  // Beside the registers that it names, a kernel has some for VCC and the like.
  std::vector<Usage> Least = compile(*TM, OccupancyNeeds{});
  if (Least.empty())
    return {};
  unsigned Extra = Least.front().Sgprs.value_or(0);
  std::vector<OccupancyNeeds> Probes(Each.begin(), Each.end());
  for (OccupancyNeeds &N : Probes)
    N.Sgprs = std::min(N.Sgprs > Extra ? N.Sgprs - Extra : 0, MostSgprs);
  std::vector<unsigned> Waves;
  for (const Usage &U : compile(*TM, Probes))
    Waves.push_back(U.Occupancy.value_or(0));
  return Waves;
}

} // namespace clrewrite::measure
