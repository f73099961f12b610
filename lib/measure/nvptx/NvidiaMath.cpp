// The special functions of NVIDIA's GPUs, which know the base 2 alone.
#include "measure/nvptx/NvidiaMath.h"
#include "measure/llvm/LlvmVersions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace clrewrite::measure {

/// One lane of \p Call's result; null for another intrinsic.
static Value *approximate(IRBuilder<> &B, Intrinsic::ID Which, Value *X) {
  auto log2Times = [&](double Factor) {
    Value *Log = B.CreateIntrinsic(Intrinsic::nvvm_lg2_approx_f, {}, {X});
    return Factor == 1
               ? Log
               : B.CreateFMul(Log, ConstantFP::get(X->getType(), Factor));
  };
  switch (Which) {
  case Intrinsic::exp:
    return approximateExp2(
        B, B.CreateFMul(X, ConstantFP::get(X->getType(), numbers::log2e)));
  case Intrinsic::log:
    return log2Times(numbers::ln2);
  case Intrinsic::log2:
    return log2Times(1);
  case Intrinsic::log10:
    return log2Times(numbers::ln2 / numbers::ln10);
  case Intrinsic::exp2:
    return approximateExp2(B, X);
  case Intrinsic::sin:
    return B.CreateIntrinsic(Intrinsic::nvvm_sin_approx_f, {}, {X});
  case Intrinsic::cos:
    return B.CreateIntrinsic(Intrinsic::nvvm_cos_approx_f, {}, {X});
  default:
    return nullptr;
  }
}

static Value *approximate(IRBuilder<> &B, IntrinsicInst &Call) {
  Value *X = Call.getArgOperand(0);
  auto *Vector = dyn_cast<FixedVectorType>(X->getType());
  if (!Vector)
    return approximate(B, Call.getIntrinsicID(), X);
  Value *Out = PoisonValue::get(Vector);
  for (unsigned Lane = 0; Lane < Vector->getNumElements(); ++Lane)
    Out = B.CreateInsertElement(
        Out,
        approximate(B, Call.getIntrinsicID(), B.CreateExtractElement(X, Lane)),
        Lane);
  return Out;
}

static bool isLowered(Intrinsic::ID Which) {
  bool Selected =
      is_contained({Intrinsic::exp2, Intrinsic::sin, Intrinsic::cos}, Which);
  return Selected ? !SelectsApproximations
                  : is_contained({Intrinsic::exp, Intrinsic::log,
                                  Intrinsic::log2, Intrinsic::log10},
                                 Which);
}

void lowerNativeMath(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    Intrinsic::ID Which = F.getIntrinsicID();
    if (!isLowered(Which) || !F.getReturnType()->getScalarType()->isFloatTy())
      continue;
    for (User *U : make_early_inc_range(F.users()))
      if (auto *Call = dyn_cast<IntrinsicInst>(U)) {
        IRBuilder<> B(Call);
        Call->replaceAllUsesWith(approximate(B, *Call));
        Call->eraseFromParent();
      }
  }
}

} // namespace clrewrite::measure
