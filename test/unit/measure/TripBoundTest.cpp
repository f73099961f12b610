// The most that a loop with cut bounds can run.
#include "measure/estimate/TripBound.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;
using namespace llvm;

/// The bound of what the last instruction before `ret` computes from %a and %b.
static std::optional<int64_t> boundOf(StringRef Body) {
  LLVMContext Context;
  SMDiagnostic Error;
  std::string Text = "declare i32 @llvm.smin.i32(i32, i32)\n"
                     "declare i32 @llvm.smax.i32(i32, i32)\n"
                     "define i32 @f(i32 %a, i32 %b) {\n" +
                     Body.str() + "\n  ret i32 %r\n}\n";
  std::unique_ptr<Module> M = parseAssemblyString(Text, Error, Context);
  if (!M)
    return -1000;
  Function &F = *M->getFunction("f");
  TargetLibraryInfoImpl Library(Triple(M->getTargetTriple()));
  TargetLibraryInfo Functions(Library);
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  AssumptionCache Assumptions(F);
  ScalarEvolution SE(F, Functions, Assumptions, Dominators, Loops);
  return upperBound(
      SE.getSCEV(F.getEntryBlock().getTerminator()->getOperand(0)));
}

TEST(TripBound, BothBoundsCut) {
  EXPECT_EQ(boundOf("  %s = call i32 @llvm.smax.i32(i32 -3, i32 %a)\n"
                    "  %e = call i32 @llvm.smin.i32(i32 4, i32 %b)\n"
                    "  %d = sub i32 %e, %s\n"
                    "  %r = add i32 %d, -1"),
            6);
}

TEST(TripBound, OneBoundMayBeAnything) {
  EXPECT_EQ(boundOf("  %e = call i32 @llvm.smin.i32(i32 4, i32 %b)\n"
                    "  %r = sub i32 %e, %a"),
            std::nullopt);
  EXPECT_EQ(boundOf("  %r = call i32 @llvm.smax.i32(i32 4, i32 %b)"),
            std::nullopt);
}

TEST(TripBound, MaxTakesAllItsParts) {
  EXPECT_EQ(boundOf("  %x = call i32 @llvm.smin.i32(i32 4, i32 %a)\n"
                    "  %y = call i32 @llvm.smin.i32(i32 9, i32 %b)\n"
                    "  %r = call i32 @llvm.smax.i32(i32 %x, i32 %y)"),
            9);
}
