// The code that sin, cos and sincos get for NVIDIA's GPUs.
#include "measure/nvptx/NvidiaTrigonometry.h"
#include "Modules.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;
using namespace llvm;

namespace {

/// \p Text, whose functions are defined.
std::unique_ptr<Module> defined(const char *Text, LLVMContext &Context) {
  std::unique_ptr<Module> M = moduleOf(Text, Context);
  // As clrewrite has contexts.
  Context.setDiscardValueNames(true);
  if (M)
    defineTrigonometry(*M);
  return M;
}

} // namespace

TEST(NvidiaTrigonometry, DeclaredFunctionsAreDefined) {
  LLVMContext Context;
  std::unique_ptr<Module> M =
      defined("declare float @_Z3sinf(float)\n"
              "declare <4 x float> @_Z3cosDv4_f(<4 x float>)\n"
              "declare <2 x float> @_Z6sincosDv2_fPS_(<2 x float>, ptr)\n"
              "declare double @_Z3sind(double)\n"
              "declare float @_Z4sinhf(float)\n"
              "define float @_Z3cosf(float %x) {\n  ret float %x\n}\n",
              Context);
  ASSERT_TRUE(M);
  EXPECT_FALSE(verifyModule(*M, &errs()));
  auto calls = [&](StringRef Name, StringRef Of) {
    return count_if(instructions(*M->getFunction(Name)),
                    [&](const Instruction &I) {
                      const auto *Call = dyn_cast<CallInst>(&I);
                      return Call && Call->getCalledFunction()->getName() == Of;
                    });
  };
  EXPECT_EQ(calls("_Z3sinf", "clrewrite.reduced"), 1);
  EXPECT_EQ(calls("_Z3cosDv4_f", "clrewrite.reduced"), 4);
  // The sine and the cosine of a number share what takes the turns off it.
  EXPECT_EQ(calls("_Z6sincosDv2_fPS_", "clrewrite.reduced"), 2);
  EXPECT_EQ(calls("_Z6sincosDv2_fPS_", "clrewrite.sine"), 4);
  EXPECT_TRUE(M->getFunction("_Z3sind")->isDeclaration());
  EXPECT_TRUE(M->getFunction("_Z4sinhf")->isDeclaration());
  EXPECT_EQ(M->getFunction("_Z3cosf")->getInstructionCount(), 1u);
}

TEST(NvidiaTrigonometry, AProgramWithoutThemStaysAsItIs) {
  LLVMContext Context;
  std::unique_ptr<Module> M =
      defined("declare float @_Z3expf(float)\n", Context);
  ASSERT_TRUE(M);
  EXPECT_EQ(M->size(), 1u);
  EXPECT_TRUE(M->global_empty());
}

TEST(NvidiaTrigonometry, TheyAreTheSineAndTheCosine) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  Expected<std::unique_ptr<orc::LLJIT>> Jit = orc::LLJITBuilder().create();
  ASSERT_TRUE(bool(Jit)) << toString(Jit.takeError());
  auto Context = std::make_unique<LLVMContext>();
  std::unique_ptr<Module> M =
      defined("declare float @_Z6sincosfPf(float, ptr)\n"
              "define float @f(float %x, ptr %cosine) {\n"
              "  %s = call float @_Z6sincosfPf(float %x, ptr %cosine)\n"
              "  ret float %s\n"
              "}\n",
              *Context);
  ASSERT_TRUE(M);
  M->setDataLayout((*Jit)->getDataLayout());
  ASSERT_FALSE((*Jit)->addIRModule(
      orc::ThreadSafeModule(std::move(M), std::move(Context))));
  Expected<orc::ExecutorAddr> At = (*Jit)->lookup("f");
  ASSERT_TRUE(bool(At)) << toString(At.takeError());
  auto *SinCos = At->toPtr<float (*)(float, float *)>();
  auto check = [&](float X) {
    float Cosine = 0, Sine = SinCos(X, &Cosine);
    EXPECT_NEAR(Sine, std::sin(double(X)), 1e-7) << X;
    EXPECT_NEAR(Cosine, std::cos(double(X)), 1e-7) << X;
  };
  for (float X : {0.0f, 1e-30f, 0.5f, 0.785398f, 1.5707964f, 3.1415927f, 22.0f,
                  105615.0f, 105616.0f, 1e7f, 16777216.0f, 1e30f, 3.4e38f})
    for (float Sign : {1.0f, -1.0f})
      check(Sign * X);
  for (float X = 1e-3f; X < 1e38f; X *= 1.37f)
    check(X);
  float Cosine = 0;
  for (float X : {INFINITY, -INFINITY, NAN}) {
    EXPECT_TRUE(std::isnan(SinCos(X, &Cosine))) << X;
    EXPECT_TRUE(std::isnan(Cosine)) << X;
  }
}

TEST(NvidiaTrigonometry, WhatTakesTurnsOffIsInlinedAtTheEnd) {
  LLVMContext Context;
  std::unique_ptr<Module> M = defined("declare float @_Z3sinf(float)\n"
                                      "define ptx_kernel void @f(ptr %p) {\n"
                                      "  %x = load float, ptr %p\n"
                                      "  %s = call float @_Z3sinf(float %x)\n"
                                      "  store float %s, ptr %p\n"
                                      "  ret void\n"
                                      "}\n",
                                      Context);
  ASSERT_TRUE(M);
  runMiddleEnd(*M, inlineTrigonometry);
  EXPECT_FALSE(verifyModule(*M, &errs()));
  for (const Instruction &I : instructions(*M->getFunction("f")))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      EXPECT_TRUE(Call->getCalledFunction()->isIntrinsic())
          << Call->getCalledFunction()->getName().str();
}
