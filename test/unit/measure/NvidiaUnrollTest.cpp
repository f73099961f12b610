// What NVIDIA's compiler makes of loops.
#include "measure/nvptx/NvidiaUnroll.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;
using namespace llvm;

namespace {

struct Loop {
  std::string Trips;          ///< a number, or "%n"
  unsigned Products;          ///< instructions of the body, but for its rest
  std::string Hint = "";      ///< of the loop
  std::string Element = "%i"; ///< of a private array
};

/// Copies of the body that the middle end leaves of a loop.
unsigned copiesOf(const Loop &L, bool Array = false) {
  std::string Text = "define ptx_kernel void @f(ptr %p, i32 %n) {\n"
                     "entry:\n"
                     "  %a = alloca [64 x float]\n"
                     "  br label %loop\n"
                     "loop:\n"
                     "  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
                     "  %at = getelementptr float, ptr %p, i32 %i\n"
                     "  %x0 = load volatile float, ptr %at\n";
  for (unsigned I = 0; I < L.Products; ++I)
    Text += "  %x" + std::to_string(I + 1) + " = fmul float %x" +
            std::to_string(I) + ", 3.0\n";
  std::string Last = "%x" + std::to_string(L.Products);
  if (Array)
    Text += "  %e = getelementptr [64 x float], ptr %a, i32 0, i32 " +
            L.Element + "\n  store float " + Last + ", ptr %e\n";
  Text += "  store float " + Last +
          ", ptr %at\n"
          "  %next = add nuw nsw i32 %i, 1\n"
          "  %more = icmp slt i32 %next, " +
          L.Trips +
          "\n"
          "  br i1 %more, label %loop, label %exit, !llvm.loop !0\n"
          "exit:\n";
  // What reads the array with an index that nothing tells keeps it.
  if (Array)
    Text += "  %r = getelementptr [64 x float], ptr %a, i32 0, i32 %n\n"
            "  %v = load float, ptr %r\n"
            "  store float %v, ptr %p\n";
  Text += "  ret void\n}\n!0 = distinct !{!0" +
          (L.Hint.empty() ? "}\n" : ", !1}\n!1 = !{" + L.Hint + "}\n");
  LLVMContext Context;
  SMDiagnostic Error;
  std::unique_ptr<Module> M = parseAssemblyString(Text, Error, Context);
  if (!M) {
    ADD_FAILURE() << Error.getMessage().str() << "\n" << Text;
    return 0;
  }
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder Passes;
  unrollAsNvidia(Passes);
  Passes.registerModuleAnalyses(MAM);
  Passes.registerCGSCCAnalyses(CGAM);
  Passes.registerFunctionAnalyses(FAM);
  Passes.registerLoopAnalyses(LAM);
  Passes.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  Passes.buildPerModuleDefaultPipeline(OptimizationLevel::O3).run(*M, MAM);
  return unsigned(
      count_if(instructions(*M->getFunction("f")), [](const Instruction &I) {
        return isa<LoadInst>(I) && cast<LoadInst>(I).isVolatile();
      }));
}

} // namespace

TEST(NvidiaUnroll, ConstantCountsAreUnrolledUpToASize) {
  EXPECT_EQ(copiesOf({"8", 40}), 8u);
  EXPECT_EQ(copiesOf({"8", 60}), 2u);
  EXPECT_EQ(copiesOf({"8", 250}), 1u);
  EXPECT_EQ(copiesOf({"64", 4}), 16u);
}

TEST(NvidiaUnroll, PrivateArraysAreWorthMore) {
  EXPECT_EQ(copiesOf({"8", 60}, /*Array=*/true), 8u);
  EXPECT_EQ(copiesOf({"8", 60, "", "5"}, /*Array=*/true), 2u);
  EXPECT_EQ(copiesOf({"8", 250}, /*Array=*/true), 1u);
}

TEST(NvidiaUnroll, OtherLoopsGetAFewCopiesAndARest) {
  EXPECT_EQ(copiesOf({"%n", 4}), 5u);
  EXPECT_EQ(copiesOf({"%n", 60}), 3u);
  EXPECT_EQ(copiesOf({"%n", 250}), 1u);
}

TEST(NvidiaUnroll, HintsStay) {
  EXPECT_EQ(copiesOf({"8", 4, "!\"llvm.loop.unroll.disable\""}), 1u);
  EXPECT_EQ(copiesOf({"8", 4, "!\"llvm.loop.unroll.count\", i32 2"}), 2u);
}
