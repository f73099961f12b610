// LLVM's middle end runs as it does in clang -O3.
#include "measure/llvm/Optimise.h"
#include "measure/llvm/OtherKernels.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace clrewrite::measure {

bool isKernel(const Function &F) {
  return F.getCallingConv() == CallingConv::AMDGPU_KERNEL ||
         F.getCallingConv() == CallingConv::PTX_Kernel ||
         F.getCallingConv() == CallingConv::SPIR_KERNEL;
}

double componentsOf(const Type *T) {
  const auto *V = dyn_cast<FixedVectorType>(T);
  return V ? V->getNumElements() : 1;
}

void inlineAlways(Function &F) {
  F.removeFnAttr(Attribute::NoInline);
  F.removeFnAttr(Attribute::OptimizeNone);
  F.addFnAttr(Attribute::AlwaysInline);
}

StringRef argumentType(const Function &Kernel, unsigned I) {
  const MDNode *Types = Kernel.getMetadata("kernel_arg_base_type");
  const auto *Name = Types && I < Types->getNumOperands()
                         ? dyn_cast<MDString>(Types->getOperand(I))
                         : nullptr;
  return Name ? Name->getString() : "";
}

void hideFunctions(Module &M) {
  for (Function &F : M)
    if (!F.isDeclaration() && !isKernel(F)) {
      F.setLinkage(GlobalValue::InternalLinkage);
      F.setVisibility(GlobalValue::DefaultVisibility);
    }
}

std::optional<unsigned> requiredGroupSize(const Function &F) {
  const MDNode *Required = F.getMetadata("reqd_work_group_size");
  if (!Required)
    return std::nullopt;
  unsigned Size = 1;
  for (const MDOperand &Each : Required->operands())
    if (auto *N = mdconst::dyn_extract<ConstantInt>(Each))
      Size *= unsigned(N->getZExtValue());
  return Size;
}

bool isGroupBarrier(StringRef Name) {
  return Name.starts_with("llvm.amdgcn.s.barrier") ||
         (Name.starts_with("llvm.nvvm.barrier") && !Name.contains("warp"));
}

void optimise(Module &M, TargetMachine &TM, ArrayRef<std::string> Kernels,
              function_ref<void(PassBuilder &)> Extend) {
  PipelineTuningOptions Tuning;
  Tuning.LoopInterleaving = Tuning.LoopUnrolling = true;
  Tuning.LoopVectorization = Tuning.SLPVectorization = true;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB(&TM, Tuning);
  leaveOnly(PB, Kernels);
  if (Extend)
    Extend(PB);
  TargetLibraryInfoImpl Library(TM.getTargetTriple());
  FAM.registerPass([&] { return TargetLibraryAnalysis(Library); });
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  PB.buildPerModuleDefaultPipeline(OptimizationLevel::O3).run(M, MAM);
}

SmallPtrSet<const Function *, 16> reachedFrom(const Function &F) {
  SmallPtrSet<const Function *, 16> Seen{&F};
  std::vector<const Function *> Todo{&F};
  while (!Todo.empty()) {
    const Function *At = Todo.back();
    Todo.pop_back();
    for (const Instruction &I : instructions(At)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (Callee && !Callee->isIntrinsic() && Seen.insert(Callee).second)
        Todo.push_back(Callee);
    }
  }
  return Seen;
}

std::vector<std::string> undefinedCalls(const Function &F) {
  std::vector<std::string> Names;
  for (const Function *Callee : reachedFrom(F))
    if (Callee->isDeclaration())
      Names.push_back(demangle(Callee->getName()));
  llvm::sort(Names);
  Names.erase(llvm::unique(Names), Names.end());
  return Names;
}

MemoryByKernel traceKernels(Module &M, TargetMachine &TM, unsigned WaveLanes,
                            const launch::FactsByKernel &Launches,
                            bool Remainders) {
  MemoryByKernel Out;
  TargetLibraryInfoImpl Library(TM.getTargetTriple());
  TargetLibraryInfo TLI(Library);
  for (Function &F : M) {
    if (F.isDeclaration() || !isKernel(F))
      continue;
    DominatorTree DT(F);
    LoopInfo Loops(DT);
    AssumptionCache AC(F);
    ScalarEvolution SE(F, TLI, AC, DT, Loops);
    Out[F.getName().str()] =
        traceWave(F, Loops, SE, WaveLanes, factsOf(F, Launches), Remainders);
  }
  return Out;
}

} // namespace clrewrite::measure
