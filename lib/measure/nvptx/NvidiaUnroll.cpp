// Marking loops with what NVIDIA's compiler makes of them.
//
// What runs on NVIDIA's GPUs was compiled from the source by NVIDIA, not by
// LLVM's release, and the two unroll by different limits. So LLVM is told what
// to do by metadata on each loop. The limits were found from outside: kernels
// of one loop with 4 to 1000 iterations and bodies of 10 to 800 instructions,
// compiled by CUDA 13.0's compiler for sm_90, and the copies of the body
// counted in its PTX:
//   - a constant count is unrolled in full while all copies together have
//     some 400 instructions (376 are, 432 are not);
//   - about four times as many where that takes an array of the work-item's own
//     out of memory (1,500 are, 1,750 are or are not);
//   - any other loop gets copies while these have some 200 instructions (188
//     are, 216 are not): up to 16 of a constant count, up to 4 of another.
#include "measure/nvptx/NvidiaUnroll.h"
#include "measure/llvm/Optimise.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace clrewrite::measure {
namespace {

constexpr StringLiteral RemainderMark = "clrewrite.remainder";
constexpr double FullSize = 400, ArrayFactor = 4, PartialSize = 200;
constexpr unsigned MostConstantCopies = 16, MostOtherCopies = 4;

/// Instructions that remain of \p I when vectors are taken apart.
double sizeOf(const Instruction &I) {
  if (isa<PHINode, ExtractElementInst, InsertElementInst, ShuffleVectorInst,
          BitCastInst, AddrSpaceCastInst, AllocaInst, GetElementPtrInst>(I) ||
      I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd())
    return 0;
  if (I.mayReadOrWriteMemory() && !isa<CallBase>(I))
    return 1;
  return std::max(componentsOf(I.getType()),
                  I.getNumOperands() ? componentsOf(I.getOperand(0)->getType())
                                     : 1);
}

/// Whether \p Pointer goes to an element of a private array that \p L picks.
bool isArrayElement(const Value *Pointer, const Loop &L) {
  const auto *Gep = dyn_cast_or_null<GetElementPtrInst>(Pointer);
  return Gep && L.contains(Gep) && !Gep->hasAllConstantIndices() &&
         isa<AllocaInst>(getUnderlyingObject(Pointer));
}

class Marking : public PassInfoMixin<Marking> {
public:
  PreservedAnalyses run(Loop &L, LoopAnalysisManager &,
                        LoopStandardAnalysisResults &AR, LPMUpdater &) {
    // A function that kernels call is looked at once it stands in them, where
    // what it is called with is known.
    if (!isKernelBody(*L.getHeader()->getParent()))
      return PreservedAnalyses::all();
    nameRemainder(L);
    if (hasHint(L))
      return PreservedAnalyses::all();
    double Size = 0;
    bool Arrays = false;
    for (const BasicBlock *B : L.blocks())
      for (const Instruction &I : *B) {
        Size += sizeOf(I);
        Arrays |= isArrayElement(getLoadStorePointerOperand(&I), L);
      }
    unsigned Trips = AR.SE.getSmallConstantTripCount(&L);
    if (Trips && Trips * Size <= FullSize * (Arrays ? ArrayFactor : 1)) {
      mark(L, "llvm.loop.unroll.full", std::nullopt);
      return PreservedAnalyses::all();
    }
    if (!L.isInnermost())
      return PreservedAnalyses::all();
    unsigned Copies = Trips ? MostConstantCopies : MostOtherCopies;
    while (Copies > 1 &&
           (Copies * Size > PartialSize || (Trips && Trips % Copies)))
      Copies /= 2;
    if (Copies > 1)
      mark(L, "llvm.loop.unroll.count", Copies);
    else
      mark(L, "llvm.loop.unroll.disable", std::nullopt);
    return PreservedAnalyses::all();
  }

private:
  /// A kernel; or its body, which Clang 22 gives a function of its own.
  static bool isKernelBody(const Function &F) {
    return isKernel(F) || F.getName().starts_with("__clang_ocl_kern_imp_");
  }

  /// Has the unroller say of a loop that it left it for the rest of \p L.
  static void nameRemainder(Loop &L) {
    static constexpr StringLiteral Left = "llvm.loop.unroll.followup_remainder";
    if (findOptionMDForLoop(&L, Left) || isRemainder(L))
      return;
    LLVMContext &C = L.getHeader()->getContext();
    auto option = [&](StringRef Name) {
      return MDNode::get(C, MDString::get(C, Name));
    };
    add(L, MDNode::get(C, {MDString::get(C, Left), option(RemainderMark),
                           option("llvm.loop.unroll.disable")}));
  }

  static void add(Loop &L, MDNode *Option) {
    L.setLoopID(makePostTransformationMetadata(L.getHeader()->getContext(),
                                               L.getLoopID(), {}, {Option}));
  }

  static bool hasHint(const Loop &L) {
    for (StringRef Name :
         {"llvm.loop.unroll.disable", "llvm.loop.unroll.enable",
          "llvm.loop.unroll.full", "llvm.loop.unroll.count"})
      if (findOptionMDForLoop(&L, Name))
        return true;
    return false;
  }

  static void mark(Loop &L, StringRef Name, std::optional<unsigned> Count) {
    LLVMContext &C = L.getHeader()->getContext();
    SmallVector<Metadata *, 2> Parts{MDString::get(C, Name)};
    if (Count)
      Parts.push_back(ConstantAsMetadata::get(
          ConstantInt::get(Type::getInt32Ty(C), *Count)));
    add(L, MDNode::get(C, Parts));
  }
};

} // namespace

bool isRemainder(const Loop &L) {
  return findOptionMDForLoop(&L, RemainderMark) != nullptr;
}

void unrollAsNvidia(PassBuilder &Passes) {
  Passes.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &LPM, OptimizationLevel) { LPM.addPass(Marking()); });
}

} // namespace clrewrite::measure
