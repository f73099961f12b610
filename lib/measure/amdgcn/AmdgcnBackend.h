// LLVM's AMDGPU back end is set up, and the resources that it reports for each
// kernel that it compiles are collected.
#pragma once

#include "measure/Usage.h"
#include "measure/llvm/Problems.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>

namespace llvm {
class DiagnosticInfoOptimizationBase;
} // namespace llvm

namespace clrewrite::measure {

inline constexpr llvm::StringLiteral AmdgcnTriple = "amdgcn-amd-amdhsa";

/// Makes the back end known to LLVM; to be called before the children are
/// made that use it.
void registerAmdgcn();

/// The back end for \p Cpu.
std::unique_ptr<llvm::TargetMachine>
amdgcnMachine(llvm::StringRef Cpu,
              llvm::CodeGenOptLevel Level = llvm::CodeGenOptLevel::Aggressive);

/// Gathers the resource remarks by function, and keeps other messages off the
/// terminal.
class ResourceListener : public llvm::DiagnosticHandler {
public:
  explicit ResourceListener(std::map<std::string, Usage> &Into,
                            Problems &Errors)
      : Into(Into), Errors(Errors) {}

  bool isAnalysisRemarkEnabled(llvm::StringRef Pass) const override;
  bool isAnyRemarkEnabled() const override { return true; }
  bool handleDiagnostics(const llvm::DiagnosticInfo &Info) override;

private:
  std::map<std::string, Usage> &Into;
  Problems &Errors;

  void take(const llvm::DiagnosticInfoOptimizationBase &R);
};

} // namespace clrewrite::measure
