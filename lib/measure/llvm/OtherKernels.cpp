// Of the kernels that nobody asks for, a pass right behind the inliner empties
// those on which nothing depends any more, and another one at the end removes
// them all.
#include "measure/llvm/OtherKernels.h"
#include "measure/llvm/Optimise.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace clrewrite::measure {
namespace {

bool isOther(const Function &F, ArrayRef<std::string> Kernels) {
  return !Kernels.empty() && !F.isDeclaration() && isKernel(F) &&
         !is_contained(Kernels, F.getName());
}

/// The address space of OpenCL's local memory on AMD's and NVIDIA's GPUs. A
/// variable there is of one kernel.
constexpr unsigned LocalMemory = 3;

/// \p V names a function or a variable that others may depend on, too.
bool namesShared(const Value *V) {
  if (!isa<Constant>(V))
    return false;
  const Value *Named = getUnderlyingObject(V);
  if (const auto *F = dyn_cast<Function>(Named))
    return !F->isDeclaration();
  const auto *G = dyn_cast<GlobalVariable>(Named);
  return G && !G->isConstant() && G->getAddressSpace() != LocalMemory;
}

bool namesShared(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    return any_of(I.operands(), [](const Value *V) { return namesShared(V); });
  });
}

/// Empties each kernel that is not asked for and on which nothing depends any
/// more.
struct EmptyOthers : PassInfoMixin<EmptyOthers> {
  ArrayRef<std::string> Kernels;
  explicit EmptyOthers(ArrayRef<std::string> Kernels) : Kernels(Kernels) {}

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    if (!isOther(F, Kernels) || !F.use_empty() || namesShared(F))
      return PreservedAnalyses::all();
    F.deleteBody();
    LLVMContext &Context = F.getContext();
    ReturnInst::Create(Context, BasicBlock::Create(Context, "", &F));
    return PreservedAnalyses::none();
  }
};

/// Removes the kernels that are not asked for. LLVM then drops what they alone
/// used.
struct RemoveOthers : PassInfoMixin<RemoveOthers> {
  ArrayRef<std::string> Kernels;
  explicit RemoveOthers(ArrayRef<std::string> Kernels) : Kernels(Kernels) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    removeOthers(M, Kernels);
    return PreservedAnalyses::none();
  }
};

} // namespace

void removeOthers(Module &M, ArrayRef<std::string> Kernels) {
  for (Function &F : make_early_inc_range(M))
    if (isOther(F, Kernels)) {
      F.replaceAllUsesWith(PoisonValue::get(F.getType()));
      F.eraseFromParent();
    }
}

void leaveOnly(PassBuilder &Passes, ArrayRef<std::string> Kernels) {
  Passes.registerCGSCCOptimizerLateEPCallback(
      [Kernels](CGSCCPassManager &PM, auto...) {
        PM.addPass(createCGSCCToFunctionPassAdaptor(EmptyOthers(Kernels)));
      });
  Passes.registerOptimizerLastEPCallback(
      [Kernels](ModulePassManager &PM, auto...) {
        PM.addPass(RemoveOthers(Kernels));
      });
}

} // namespace clrewrite::measure
