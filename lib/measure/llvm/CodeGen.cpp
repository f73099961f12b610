// LLVM's code generator is put together pass by pass, so that passes of ours
// can stand between its own.
#include "measure/llvm/CodeGen.h"
#include "measure/llvm/LlvmVersions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/InitializePasses.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Target/TargetOptions.h"

using namespace llvm;

namespace clrewrite::measure {

/// The pass behind which the IR has the blocks of the machine code: for AMD's
/// GPUs structurising makes the last new ones.
static AnalysisID lastOfBlocks(const TargetMachine &TM) {
  PassRegistry &Known = *PassRegistry::getPassRegistry();
  initializeStructurizeCFGLegacyPassPass(Known);
  initializeCodeGenPrepareLegacyPassPass(Known);
  bool Structured = TM.getTargetTriple().isAMDGCN();
  return Known
      .getPassInfo(StringRef(Structured ? "structurizecfg" : "codegenprepare"))
      ->getTypeInfo();
}

std::unique_ptr<TargetMachine> machineOf(StringRef Triple, StringRef Cpu,
                                         CodeGenOptLevel Level,
                                         Reloc::Model Model) {
  std::string Problem;
  llvm::Triple T(Triple);
  const llvm::Target *Found = TargetRegistry::lookupTarget(named(T), Problem);
  return std::unique_ptr<TargetMachine>(
      Found ? Found->createTargetMachine(named(T), Cpu, "", TargetOptions(),
                                         Model, std::nullopt, Level)
            : nullptr);
}

bool generate(Module &M, TargetMachine &TM, const Observers &Watching,
              CodeGenFileType Kind, SmallVectorImpl<char> &Out) {
  raw_svector_ostream OS(Out);
  legacy::PassManager PM;
  TargetLibraryInfoImpl Library(TM.getTargetTriple());
  PM.add(new TargetLibraryInfoWrapperPass(Library));
  auto &Generator = static_cast<CodeGenerator &>(TM);
  auto *MMI = new MachineModuleInfoWrapperPass(&Generator);
  TargetPassConfig *Config = Generator.createPassConfig(PM);
  Config->setDisableVerify(true);
  PM.add(Config);
  PM.add(MMI);
  // Renaming is the last of the common passes before the scheduler.
  auto insert = [&](char &After, FunctionPass *P) {
    if (P)
      Config->insertPass(&After, P);
  };
  insert(RenameIndependentSubregsID, Watching.BeforeScheduling);
  insert(MachineSchedulerID, Watching.AfterScheduling);
  insert(PrologEpilogCodeInserterID, Watching.AfterAllocation);
  for (FunctionPass *P : {Watching.BeforeSelection, Watching.Lowering})
    if (P)
      Config->insertPass(lastOfBlocks(TM), P);
  if (Config->addISelPasses())
    return false;
  Config->addMachinePasses();
  Config->setInitialized();
  if (Watching.AtEnd)
    PM.add(Watching.AtEnd);
  if (Generator.addAsmPrinter(PM, OS, nullptr, Kind,
                              MMI->getMMI().getContext()))
    return false;
  PM.add(createFreeMachineFunctionPass());
  PM.run(M);
  return true;
}

} // namespace clrewrite::measure
