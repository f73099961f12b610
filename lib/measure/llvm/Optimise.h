// The optimiser's part of a compilation: LLVM's middle end runs on a module,
// the kernels that are asked for are left of it, and what they do to memory is
// told. It is the same for every GPU.
#pragma once

#include "measure/estimate/WaveTrace.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace llvm {
class PassBuilder;
}

namespace clrewrite::measure {

bool isKernel(const llvm::Function &F);

/// Has the optimiser put \p F where it is called, whatever it was told before.
void inlineAlways(llvm::Function &F);

/// OpenCL C's name of the type of argument \p I of \p Kernel, without typedefs,
/// such as "float*" and "image2d_t"; empty where Clang wrote none down.
llvm::StringRef argumentType(const llvm::Function &Kernel, unsigned I);

/// Components of a vector; 1 for other types.
double componentsOf(const llvm::Type *T);

/// Hides all functions but kernels, so that LLVM drops what no kernel uses:
/// also the second body that Clang emits for each, to be called by others.
void hideFunctions(llvm::Module &M);

/// The work-items of a work-group that \p F requires (reqd_work_group_size);
/// nullopt where it requires none.
std::optional<unsigned> requiredGroupSize(const llvm::Function &F);

/// At a call of the intrinsic \p Name the work-items of a group wait for each
/// other. Barriers of one wave, and those of the scheduler, are others.
bool isGroupBarrier(llvm::StringRef Name);

/// The middle end, tuned as clang -O3 tunes it; \p Extend may add to it. It
/// leaves \p Kernels (all where that is empty), each as it is with the others
/// beside it.
void optimise(llvm::Module &M, llvm::TargetMachine &TM,
              llvm::ArrayRef<std::string> Kernels,
              llvm::function_ref<void(llvm::PassBuilder &)> Extend = {});

/// \p F and the functions that it calls, itself or by others, but for
/// intrinsics.
llvm::SmallPtrSet<const llvm::Function *, 16>
reachedFrom(const llvm::Function &F);

/// The functions that are called but not defined, reachable from \p F, sorted.
std::vector<std::string> undefinedCalls(const llvm::Function &F);

/// What each kernel of an optimised module does to memory; see traceWave.
MemoryByKernel traceKernels(llvm::Module &M, llvm::TargetMachine &TM,
                            unsigned WaveLanes,
                            const launch::FactsByKernel &Launches,
                            bool Remainders = true);

} // namespace clrewrite::measure
