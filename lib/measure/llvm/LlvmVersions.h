// Where the optimisers and back ends of the versions of LLVM that clrewrite
// compiles with differ.
#pragma once

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

namespace clrewrite::measure {

/// \p T as targets and modules take it: before LLVM 21 by its name.
inline const auto &named(const llvm::Triple &T) {
#if LLVM_VERSION_MAJOR < 21
  return T.str();
#else
  return T;
#endif
}

/// What generates code: before LLVM 20 a class below the target machine's.
#if LLVM_VERSION_MAJOR < 20
using CodeGenerator = llvm::LLVMTargetMachine;
#else
using CodeGenerator = llvm::TargetMachine;
#endif

/// The function whose registers were not enough; null: \p Info is about another
/// matter. Before LLVM 20 such a diagnostic named no function.
inline const llvm::Function *
withoutRegisters([[maybe_unused]] const llvm::DiagnosticInfo &Info) {
#if LLVM_VERSION_MAJOR >= 20
  if (const auto *A =
          llvm::dyn_cast<llvm::DiagnosticInfoRegAllocFailure>(&Info))
    return &A->getFunction();
#endif
  return nullptr;
}

/// NVIDIA's power of two of a float: before LLVM 22 an intrinsic for each type.
inline llvm::Value *approximateExp2(llvm::IRBuilder<> &B, llvm::Value *X) {
#if LLVM_VERSION_MAJOR < 22
  return B.CreateIntrinsic(llvm::Intrinsic::nvvm_ex2_approx_f, {}, {X});
#else
  return B.CreateIntrinsic(llvm::Intrinsic::nvvm_ex2_approx, {X->getType()},
                           {X});
#endif
}

/// Since LLVM 22 the back end for NVIDIA takes exp2, sin and cos that may be
/// approximate by itself.
inline constexpr bool SelectsApproximations = LLVM_VERSION_MAJOR >= 22;

} // namespace clrewrite::measure
