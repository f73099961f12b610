// Counting what a work-item does, on IR whose counts are known.
#include "measure/counts/CountWork.h"
#include "measure/llvm/LlvmVersions.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetOptions.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;
using namespace llvm;

static KernelWork count(StringRef Body,
                        std::map<unsigned, int64_t> Known = {}) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTarget();
  LLVMInitializeAMDGPUTargetMC();
  LLVMContext Context;
  SMDiagnostic Problem;
  std::string Text =
      "declare i32 @llvm.amdgcn.workitem.id.x()\n"
      "declare float @llvm.fma.f32(float, float, float)\n"
      "declare <2 x double> @llvm.sqrt.v2f64(<2 x double>)\n"
      "declare float @llvm.maxnum.f32(float, float)\n"
      "@lds = internal addrspace(3) global [64 x float] poison\n"
      "define amdgpu_kernel void @k(ptr addrspace(1) %a, i32 %n) {\n"
      "  %id = call i32 @llvm.amdgcn.workitem.id.x()\n"
      "  %p = getelementptr float, ptr addrspace(1) %a, i32 %id\n" +
      Body.str() + "}\n";
  std::unique_ptr<Module> M = parseAssemblyString(Text, Problem, Context);
  if (!M) {
    ADD_FAILURE() << Problem.getMessage().str();
    return {};
  }
  Triple T("amdgcn-amd-amdhsa");
  std::string Error;
  std::unique_ptr<TargetMachine> TM(
      TargetRegistry::lookupTarget(named(T), Error)
          ->createTargetMachine(named(T), "gfx906", "", TargetOptions(),
                                Reloc::PIC_));
  M->setTargetTriple(named(T));
  M->setDataLayout(TM->createDataLayout());
  std::vector<KernelWork> Out = countWork(*M, *TM, 64, {{"k", {{}, Known}}});
  return Out.size() == 1 ? Out.front() : KernelWork();
}

TEST(CountWork, LoadsStoresAndBytes) {
  KernelWork W = count("  %v = load <4 x float>, ptr addrspace(1) %p\n"
                       "  %u = load float, ptr addrspace(1) %a\n"
                       "  %l = getelementptr float, ptr addrspace(3) @lds, i32 "
                       "%id\n"
                       "  store float %u, ptr addrspace(3) %l\n"
                       "  store <4 x float> %v, ptr addrspace(1) %p\n"
                       "  ret void\n");
  EXPECT_EQ(W.Global.Loads, 1);
  EXPECT_EQ(W.Global.LoadBytes, 16);
  EXPECT_EQ(W.Global.Stores, 1);
  EXPECT_EQ(W.Global.StoreBytes, 16);
  EXPECT_EQ(W.Uniform.Loads, 1); // once a wave
  EXPECT_EQ(W.Uniform.LoadBytes, 4);
  EXPECT_EQ(W.Local.Stores, 1);
  EXPECT_EQ(W.requestedBytes(), 32 + 4.0 / 64);
  EXPECT_EQ(W.Conditional.accesses(), 0);
  EXPECT_TRUE(W.Guesses.empty());
}

TEST(CountWork, Operations) {
  KernelWork W =
      count("  %v = load float, ptr addrspace(1) %p\n"
            "  %s = fadd float %v, 1.0\n"
            "  %f = call float @llvm.fma.f32(float %v, float %s, float %v)\n"
            "  %m = call float @llvm.maxnum.f32(float %f, float %s)\n"
            "  %d = load <2 x double>, ptr addrspace(1) %p\n"
            "  %e = fmul <2 x double> %d, %d\n"
            "  %r = call <2 x double> @llvm.sqrt.v2f64(<2 x double> %e)\n"
            "  %g = fneg float %m\n"
            "  %i = mul i32 %id, %n\n"
            "  store i32 %i, ptr addrspace(1) %p\n"
            "  store float %g, ptr addrspace(1) %p\n"
            "  store <2 x double> %r, ptr addrspace(1) %p\n"
            "  ret void\n");
  EXPECT_EQ(W.Flops, 1 + 2 + 2 + 2);
  EXPECT_EQ(W.DoubleFlops, 4);
  EXPECT_EQ(W.IntOps, 1);
}

static const char *Loop = "  br label %loop\n"
                          "loop:\n"
                          "  %k = phi i32 [ 0, %0 ], [ %next, %loop ]\n"
                          "  %q = getelementptr float, ptr addrspace(1) %p, "
                          "i32 %k\n"
                          "  %v = load float, ptr addrspace(1) %q\n"
                          "  %w = fadd float %v, 1.0\n"
                          "  store float %w, ptr addrspace(1) %q\n"
                          "  %next = add nuw nsw i32 %k, 1\n"
                          "  %c = icmp eq i32 %next, @\n"
                          "  br i1 %c, label %end, label %loop\n"
                          "end:\n"
                          "  ret void\n";

static std::string loopTo(StringRef Bound) {
  auto [Before, After] = StringRef(Loop).split('@');
  return (Before + Bound + After).str();
}

TEST(CountWork, LoopsOfKnownCount) {
  KernelWork W = count(loopTo("7"));
  EXPECT_EQ(W.Global.Loads, 7);
  EXPECT_EQ(W.Flops, 7);
  EXPECT_TRUE(W.Guesses.empty());
  EXPECT_EQ(W.Told, 0u);
  EXPECT_EQ(W.ConditionalFlops, 0);
}

TEST(CountWork, LoopsOverParameters) {
  KernelWork Guess = count(loopTo("%n"));
  ASSERT_EQ(Guess.Guesses.size(), 1u);
  EXPECT_EQ(Guess.Guesses[0].Arguments, std::vector<unsigned>{1});
  EXPECT_FALSE(Guess.Guesses[0].Bound);
  EXPECT_EQ(Guess.Flops, Guess.Guesses[0].Trips);
  KernelWork Told = count(loopTo("%n"), {{1, 31}});
  EXPECT_TRUE(Told.Guesses.empty());
  EXPECT_EQ(Told.Told, 1u);
  EXPECT_EQ(Told.Flops, 31);
  EXPECT_EQ(Told.Global.StoreBytes, 31 * 4);
}

TEST(CountWork, GuardsAndConditions) {
  // A guard around everything.
  KernelWork Guard = count("  %c = icmp slt i32 %id, %n\n"
                           "  br i1 %c, label %body, label %end\n"
                           "body:\n"
                           "  %v = load float, ptr addrspace(1) %p\n"
                           "  %w = fadd float %v, 1.0\n"
                           "  store float %w, ptr addrspace(1) %p\n"
                           "  br label %end\n"
                           "end:\n"
                           "  ret void\n");
  EXPECT_EQ(Guard.Flops, 1);
  EXPECT_EQ(Guard.ConditionalFlops, 0);
  // One of two sides.
  KernelWork Sides = count("  %v = load float, ptr addrspace(1) %p\n"
                           "  %c = fcmp ogt float %v, 0.0\n"
                           "  br i1 %c, label %a1, label %b1\n"
                           "a1:\n"
                           "  %w = fadd float %v, 1.0\n"
                           "  br label %end\n"
                           "b1:\n"
                           "  %x = fmul float %v, %v\n"
                           "  %y = fmul float %x, %v\n"
                           "  br label %end\n"
                           "end:\n"
                           "  %z = phi float [ %w, %a1 ], [ %y, %b1 ]\n"
                           "  store float %z, ptr addrspace(1) %p\n"
                           "  ret void\n");
  EXPECT_EQ(Sides.Flops, 3);
  EXPECT_EQ(Sides.ConditionalFlops, 3);
  EXPECT_EQ(Sides.Conditional.accesses(), 0);
}
