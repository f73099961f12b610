// The special functions of NVIDIA's GPUs, which know the base 2 alone.
#include "measure/nvptx/NvidiaMath.h"
#include "measure/llvm/LlvmVersions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

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

/// What \p Of makes of a number, for each lane of \p X, which may be a vector.
static Value *byLane(IRBuilder<> &B, Value *X,
                     function_ref<Value *(Value *)> Of) {
  auto *Vector = dyn_cast<FixedVectorType>(X->getType());
  if (!Vector)
    return Of(X);
  Value *Out = PoisonValue::get(Vector);
  for (unsigned Lane = 0; Lane < Vector->getNumElements(); ++Lane)
    Out = B.CreateInsertElement(Out, Of(B.CreateExtractElement(X, Lane)), Lane);
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
        Call->replaceAllUsesWith(
            byLane(B, Call->getArgOperand(0),
                   [&](Value *X) { return approximate(B, Which, X); }));
        Call->eraseFromParent();
      }
  }
}

/// A power of \p X whose base has the logarithm \p Log2: the whole part of the
/// exponent is added to the bits of a float, and a special function has the
/// rest. NVIDIA's OpenCL driver 580.159.04 has the same in PTX, but for one
/// operation that saturates, which is two here, and for how it rounds.
static Value *power(IRBuilder<> &B, Value *X, double Log2) {
  auto number = [&](double V) { return ConstantFP::get(X->getType(), V); };
  auto fma = [&](Value *L, Value *R, Value *Sum) {
    return B.CreateIntrinsic(Intrinsic::fma, {X->getType()}, {L, R, Sum});
  };
  // Counts from -126, so that the bits of a number shifted by 23 are its power.
  constexpr double Steps = 252, Bias = 127, Shift = 12582913;
  Value *Part = fma(X, number(Log2 / Steps), number(0.5));
  Part = B.CreateMinNum(B.CreateMaxNum(Part, number(0)), number(1));
  Value *Whole = fma(Part, number(Steps), number(Shift));
  Value *Minus = B.CreateFNeg(B.CreateFAdd(Whole, number(1 - Shift - Bias)));
  float High = float(Log2);
  Value *Rest = fma(X, number(Log2 - High), fma(X, number(High), Minus));
  Value *Bits = B.CreateShl(B.CreateBitCast(Whole, B.getInt32Ty()), 23);
  return B.CreateFMul(approximateExp2(B, Rest),
                      B.CreateBitCast(Bits, X->getType()));
}

/// Makes a power of the argument of \p F, whose base has the logarithm \p Log2.
static void define(Function &F, double Log2) {
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "", &F));
  B.CreateRet(byLane(B, F.getArg(0), [&](Value *X) {
    return Log2 == 1 ? approximateExp2(B, X) : power(B, X, Log2);
  }));
  F.setLinkage(GlobalValue::InternalLinkage);
  F.addFnAttr(Attribute::AlwaysInline);
}

void defineExponentials(Module &M) {
  const std::pair<StringRef, double> Bases[] = {{"_Z3exp", numbers::log2e},
                                                {"_Z4exp2", 1},
                                                {"_Z5exp10", std::log2(10.0)}};
  for (auto [Name, Log2] : Bases)
    for (StringRef Type : {"f", "Dv2_f", "Dv3_f", "Dv4_f", "Dv8_f", "Dv16_f"})
      if (Function *F = M.getFunction((Name + Type).str());
          F && F->isDeclaration() && F->arg_size() == 1)
        define(*F, Log2);
}

} // namespace clrewrite::measure
