// The code that exp, exp2 and exp10 get for NVIDIA's GPUs.
#include "measure/nvptx/NvidiaMath.h"
#include "Modules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Verifier.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;
using namespace llvm;

/// \p Text, whose exponentials are defined.
static std::unique_ptr<Module> defined(const char *Text, LLVMContext &Context) {
  std::unique_ptr<Module> M = moduleOf(Text, Context);
  if (M)
    defineExponentials(*M);
  return M;
}

TEST(NvidiaMath, DeclaredExponentialsAreDefined) {
  LLVMContext Context;
  std::unique_ptr<Module> M =
      defined("declare float @_Z3expf(float)\n"
              "declare <4 x float> @_Z5exp10Dv4_f(<4 x float>)\n"
              "declare <2 x float> @_Z4exp2Dv2_f(<2 x float>)\n"
              "declare double @_Z3expd(double)\n"
              "declare float @_Z3logf(float)\n",
              Context);
  ASSERT_TRUE(M);
  EXPECT_FALSE(verifyModule(*M, &errs()));
  // Each lane has one power of two by a special function.
  auto powers = [&](StringRef Name) {
    return count_if(
        instructions(*M->getFunction(Name)), [](const Instruction &I) {
          const auto *Call = dyn_cast<IntrinsicInst>(&I);
          return Call &&
                 Call->getCalledFunction()->getName().contains("ex2.approx");
        });
  };
  EXPECT_EQ(powers("_Z3expf"), 1);
  EXPECT_EQ(powers("_Z5exp10Dv4_f"), 4);
  EXPECT_EQ(powers("_Z4exp2Dv2_f"), 2);
  EXPECT_LE(M->getFunction("_Z3expf")->getInstructionCount(), 15u);
  EXPECT_TRUE(M->getFunction("_Z3expd")->isDeclaration());
  EXPECT_TRUE(M->getFunction("_Z3logf")->isDeclaration());
}

/// What the code of exp computes of \p X, if the special function is exact.
static float exponential(float X) {
  LLVMContext Context;
  std::unique_ptr<Module> M =
      defined("declare float @_Z3expf(float)\n", Context);
  if (!M)
    return NAN;
  Function &F = *M->getFunction("_Z3expf");
  Type *Float = Type::getFloatTy(Context);
  F.getArg(0)->replaceAllUsesWith(ConstantFP::get(Float, double(X)));
  for (Instruction &I : make_early_inc_range(F.getEntryBlock())) {
    Constant *Folded = ConstantFoldInstruction(&I, M->getDataLayout());
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (Call && Call->getCalledFunction()->getName().contains("ex2.approx"))
      Folded = ConstantFP::get(
          Float, double(std::exp2(cast<ConstantFP>(Call->getArgOperand(0))
                                      ->getValueAPF()
                                      .convertToFloat())));
    if (auto *Return = dyn_cast<ReturnInst>(&I))
      return cast<ConstantFP>(Return->getReturnValue())
          ->getValueAPF()
          .convertToFloat();
    if (!Folded) {
      ADD_FAILURE() << I.getOpcodeName();
      return 0;
    }
    I.replaceAllUsesWith(Folded);
  }
  return 0;
}

TEST(NvidiaMath, ItIsTheExponential) {
  for (float X : {0.0f, 1.0f, -1.0f, 0.3f, 10.0f, -10.0f, 87.0f, -87.0f, 88.5f})
    EXPECT_NEAR(exponential(X) / std::exp(X), 1, 1e-6) << X;
  EXPECT_EQ(exponential(-200), 0);
  EXPECT_EQ(exponential(200), INFINITY);
  EXPECT_EQ(exponential(-INFINITY), 0);
  EXPECT_EQ(exponential(INFINITY), INFINITY);
  EXPECT_TRUE(std::isnan(exponential(NAN)));
}

TEST(NvidiaMath, AProgramsOwnFunctionStays) {
  LLVMContext Context;
  std::unique_ptr<Module> M = defined(
      "define float @_Z3expf(float %x) {\n  ret float %x\n}\n", Context);
  ASSERT_TRUE(M);
  EXPECT_EQ(M->getFunction("_Z3expf")->getInstructionCount(), 1u);
}
