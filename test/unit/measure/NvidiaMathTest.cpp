// The code that exp, exp2 and exp10 get for NVIDIA's GPUs.
#include "measure/nvptx/NvidiaMath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

using namespace clrewrite::measure;
using namespace llvm;

TEST(NvidiaMath, DeclaredExponentialsAreDefined) {
  LLVMContext Context;
  SMDiagnostic Error;
  std::unique_ptr<Module> M =
      parseAssemblyString("declare float @_Z3expf(float)\n"
                          "declare <4 x float> @_Z5exp10Dv4_f(<4 x float>)\n"
                          "declare <2 x float> @_Z4exp2Dv2_f(<2 x float>)\n"
                          "declare double @_Z3expd(double)\n"
                          "declare float @_Z3logf(float)\n",
                          Error, Context);
  ASSERT_TRUE(M) << Error.getMessage().str();
  defineExponentials(*M);
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

TEST(NvidiaMath, AProgramsOwnFunctionStays) {
  LLVMContext Context;
  SMDiagnostic Error;
  std::unique_ptr<Module> M = parseAssemblyString(
      "define float @_Z3expf(float %x) {\n  ret float %x\n}\n", Error, Context);
  ASSERT_TRUE(M) << Error.getMessage().str();
  defineExponentials(*M);
  EXPECT_EQ(M->getFunction("_Z3expf")->getInstructionCount(), 1u);
}
