// The back end reports a kernel's resources in remarks, which a handler of
// diagnostics collects.
#include "measure/amdgcn/AmdgcnBackend.h"
#include "measure/llvm/CodeGen.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;

namespace clrewrite::measure {

void registerAmdgcn() {
  static const bool Done = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser();
    return true;
  }();
  (void)Done;
}

std::unique_ptr<TargetMachine> amdgcnMachine(StringRef Cpu,
                                             CodeGenOptLevel Level) {
  registerAmdgcn();
  return machineOf(AmdgcnTriple, Cpu, Level);
}

bool ResourceListener::isAnalysisRemarkEnabled(StringRef Pass) const {
  return Pass == "kernel-resource-usage";
}

bool ResourceListener::handleDiagnostics(const DiagnosticInfo &Info) {
  if (const auto *R = dyn_cast<DiagnosticInfoOptimizationBase>(&Info)) {
    if (R->getPassName() == "kernel-resource-usage")
      take(*R);
    return true;
  }
  Errors.add(Info);
  return true;
}

void ResourceListener::take(const DiagnosticInfoOptimizationBase &R) {
  Usage &U = Into[R.getFunction().getName().str()];
  for (const auto &A : R.getArgs()) {
    unsigned Value = 0;
    if (StringRef(A.Val).getAsInteger(10, Value))
      continue;
    if (auto *Slot = StringSwitch<std::optional<unsigned> *>(A.Key)
                         .Case("NumVGPR", &U.Vgprs)
                         .Case("NumAGPR", &U.Agprs)
                         .Case("NumSGPR", &U.Sgprs)
                         .Case("VGPRSpill", &U.VgprSpills)
                         .Case("SGPRSpill", &U.SgprSpills)
                         .Case("ScratchSize", &U.ScratchBytes)
                         .Case("BytesLDS", &U.LdsBytes)
                         .Case("Occupancy", &U.Occupancy)
                         .Default(nullptr))
      *Slot = Value;
  }
}

} // namespace clrewrite::measure
