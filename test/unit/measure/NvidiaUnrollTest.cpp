// What NVIDIA's compiler makes of loops.
#include "measure/nvptx/NvidiaUnroll.h"
#include "Modules.h"
#include "measure/llvm/SeldomTaken.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
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
  std::string Also = "";      ///< more of the body, behind its products
};

/// \p Text after the middle end.
std::unique_ptr<Module> optimised(const std::string &Text,
                                  LLVMContext &Context) {
  std::unique_ptr<Module> M = moduleOf(Text, Context);
  if (M)
    runMiddleEnd(*M, unrollAsNvidia);
  return M;
}

/// Volatile loads and stores of integers in \p Text, of which each body has
/// one.
unsigned copiesIn(const std::string &Text) {
  LLVMContext Context;
  std::unique_ptr<Module> M = optimised(Text, Context);
  if (!M)
    return 0;
  return unsigned(
      count_if(instructions(*M->getFunction("f")), [](const Instruction &I) {
        if (const auto *S = dyn_cast<StoreInst>(&I))
          return S->getValueOperand()->getType()->isIntegerTy();
        return isa<LoadInst>(I) && I.isVolatile();
      }));
}

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
  Text += L.Also + "  store float " + Last +
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
  return copiesIn(Text);
}

/// As how many products \p Also counts: 16 copies of a body of 7 have their
/// limit's size, and a body of 8 gets 8.
unsigned productsOf(const std::string &Also) {
  for (unsigned Fewer = 0; Fewer <= 7; ++Fewer)
    if (copiesOf({"128", 7 - Fewer, "", "%i", Also}) == 16)
      return Fewer;
  return 8;
}

} // namespace

TEST(NvidiaUnroll, ConstantCountsAreUnrolledUpToASize) {
  EXPECT_EQ(copiesOf({"8", 40}), 8u);
  EXPECT_EQ(copiesOf({"8", 60}), 2u);
  EXPECT_EQ(copiesOf({"8", 250}), 1u);
  EXPECT_EQ(copiesOf({"64", 4}), 64u);
  EXPECT_EQ(copiesOf({"128", 4}), 16u);
  // No power of two divides it: the copies have an exit between them.
  EXPECT_EQ(copiesOf({"97", 4}), 4u);
}

TEST(NvidiaUnroll, DivisionsCountAsFour) {
  EXPECT_EQ(copiesOf({"128", 8}), 8u);
  EXPECT_EQ(productsOf(""), 0u);
  // What is stored is not left out; the store counts as one.
  auto stored = [](const std::string &Value) {
    return productsOf(Value + "  store volatile float %d, ptr %p\n");
  };
  EXPECT_EQ(stored("  %d = fadd float %x0, 1.0\n"), 1u + 1);
  EXPECT_EQ(stored("  %d = fdiv float %x0, 3.0\n"), 4u + 1);
  const char *Converted = "  %d = uitofp i32 %e to float\n";
  EXPECT_EQ(stored(std::string("  %e = xor i32 %i, %n\n") + Converted), 2u + 1);
  EXPECT_EQ(stored(std::string("  %e = udiv i32 %i, %n\n") + Converted),
            5u + 1);
  EXPECT_EQ(stored(std::string("  %e = srem i32 %i, %n\n") + Converted),
            5u + 1);
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

namespace {

/// A loop to \p Trips around the text \p Inner, which ends with a branch to
/// %latch.
std::string loopAround(const std::string &Inner, const std::string &Trips,
                       const std::string &Step = "1",
                       const std::string &Less = "slt") {
  return "define ptx_kernel void @f(ptr %p, i32 %n, i32 %s) {\n"
         "entry:\n"
         "  br label %loop\n"
         "loop:\n"
         "  %i = phi i32 [ 0, %entry ], [ %next, %latch ]\n" +
         Inner +
         "latch:\n"
         "  %next = add " +
         (Less == "slt" ? "nsw" : "nuw") + " i32 %i, " + Step +
         "\n"
         "  %more = icmp " +
         Less + " i32 %next, " + Trips +
         "\n"
         "  br i1 %more, label %loop, label %exit\n"
         "exit:\n"
         "  ret void\n"
         "}\n";
}

const char *Body = "  %at = getelementptr float, ptr %p, i32 %i\n"
                   "  %x = load volatile float, ptr %at\n";
const std::string Plain = std::string(Body) + "  br label %latch\n";

/// A loop in a loop, to \p Trips.
std::string inner(const std::string &Trips) {
  return "  br label %in\n"
         "in:\n"
         "  %j = phi i32 [ 0, %loop ], [ %following, %in ]\n"
         "  %k = mul nsw i32 %i, %n\n"
         "  %sum = add nsw i32 %k, %j\n"
         "  %at = getelementptr float, ptr %p, i32 %sum\n"
         "  %x = load volatile float, ptr %at\n"
         "  %following = add nuw nsw i32 %j, 1\n"
         "  %again = icmp slt i32 %following, " +
         Trips +
         "\n"
         "  br i1 %again, label %in, label %latch\n";
}

} // namespace

TEST(NvidiaUnroll, ALoopOfTwoExitsIsLeftAlone) {
  std::string Ends = std::string(Body) +
                     "  %stop = fcmp ogt float %x, 3.0\n"
                     "  br i1 %stop, label %exit, label %latch\n";
  EXPECT_EQ(copiesIn(loopAround(Plain, "%n")), 5u);
  EXPECT_EQ(copiesIn(loopAround(Ends, "%n")), 1u);
}

TEST(NvidiaUnroll, OneOfTwoExitsMayTellACount) {
  std::string Returns = std::string(Body) +
                        "  %stop = fcmp ogt float %x, 3.0\n"
                        "  br i1 %stop, label %other, label %latch\n"
                        "other:\n"
                        "  store float %x, ptr %p\n"
                        "  ret void\n";
  EXPECT_EQ(copiesIn(loopAround(Returns, "16")), 16u);
  // Two conditions for the same way out become one, which counts nothing.
  std::string Breaks = std::string(Body) +
                       "  %stop = fcmp ogt float %x, 3.0\n"
                       "  br i1 %stop, label %exit, label %latch\n";
  EXPECT_EQ(copiesIn(loopAround(Breaks, "16")), 1u);
}

TEST(NvidiaUnroll, AnUnsignedVariableOfAnyStepMayPassItsLimit) {
  // A volatile access might end the program.
  std::string Stores = "  %at = getelementptr i32, ptr %p, i32 %i\n"
                       "  store i32 %i, ptr %at\n"
                       "  br label %latch\n";
  EXPECT_EQ(copiesIn(loopAround(Stores, "%n", "%s")), 5u);
  EXPECT_EQ(copiesIn(loopAround(Stores, "%n", "%s", "ult")), 1u);
}

TEST(NvidiaUnroll, LoopsAroundOthersCountThemAsTheyBecome) {
  EXPECT_EQ(copiesIn(loopAround(inner("4"), "4")), 16u);
  // The rest of a loop in another one is three turns with exits.
  EXPECT_EQ(copiesIn(loopAround(inner("%n"), "2")), 14u);
  EXPECT_EQ(copiesIn(loopAround(inner("%n"), "16")), 7u);
}

TEST(NvidiaUnroll, TheRestOfALoopInAnotherCountsAsNotRun) {
  /// The loads that are left where no branch goes on where it seldom does.
  auto loadsReached = [](const std::string &Text) {
    LLVMContext Context;
    std::unique_ptr<Module> M = optimised(Text, Context);
    if (!M)
      return 0u;
    SetVector<const BasicBlock *> Reached;
    Reached.insert(&M->getFunction("f")->getEntryBlock());
    unsigned Loads = 0;
    for (size_t I = 0; I < Reached.size(); ++I) {
      const auto *Branch = dyn_cast<BranchInst>(Reached[I]->getTerminator());
      for (const BasicBlock *To : successors(Reached[I]))
        if (!Branch || To != seldomTaken(*Branch))
          Reached.insert(To);
      Loads += unsigned(count_if(*Reached[I], [](const Instruction &In) {
        return isa<LoadInst>(In);
      }));
    }
    return Loads;
  };
  EXPECT_EQ(loadsReached(loopAround(inner("%n"), "16")), 4u);
  // One that always runs counts: of 8 k + 5 turns one is left.
  std::string Odd = loopAround(inner("%turns"), "16");
  Odd.replace(Odd.find("  br label %loop\n"), 17,
              "  %few = and i32 %n, 63\n"
              "  %twice = shl nuw nsw i32 %few, 3\n"
              "  %turns = or i32 %twice, 5\n"
              "  br label %loop\n");
  EXPECT_EQ(loadsReached(Odd), 5u);
  EXPECT_EQ(loadsReached(loopAround(Plain, "%n")), 5u);
}

TEST(NvidiaUnroll, LoopsWithBarriersAreUnrolledLikeOthers) {
  const std::string Declared = "declare void @llvm.nvvm.barrier0()\n";
  const std::string Waits = "  %at = getelementptr i32, ptr %p, i32 %i\n"
                            "  store i32 %i, ptr %at\n"
                            "  call void @llvm.nvvm.barrier0()\n"
                            "  br label %latch\n";
  EXPECT_EQ(copiesIn(Declared + loopAround(Waits, "8")), 8u);
  EXPECT_EQ(copiesIn(Declared + loopAround(Waits, "%n")), 5u);
  // That a barrier ends tells that the sum does not overflow.
  EXPECT_EQ(copiesIn(Declared + loopAround(Waits, "%n", "2")), 5u);
  LLVMContext Context;
  std::unique_ptr<Module> M =
      optimised(Declared + loopAround(Waits, "%n"), Context);
  ASSERT_TRUE(M);
  for (const Instruction &I : instructions(*M->getFunction("f")))
    if (const auto *Call = dyn_cast<CallBase>(&I);
        Call && Call->getCalledFunction()->getName().contains("barrier"))
      EXPECT_TRUE(Call->isConvergent());
}

TEST(NvidiaUnroll, OnlyHintsAndRestsTellTheBackEndToLeaveALoop) {
  auto told = [](const std::string &Text) {
    LLVMContext Context;
    std::unique_ptr<Module> M = optimised(Text, Context);
    unsigned Told = 0;
    if (M)
      for (const BasicBlock &B : *M->getFunction("f"))
        if (MDNode *Id = B.getTerminator()->getMetadata(LLVMContext::MD_loop))
          Told +=
              findOptionMDForLoopID(Id, "llvm.loop.unroll.disable") != nullptr;
    return Told;
  };
  EXPECT_EQ(told(loopAround(Plain, "1000")), 0u);
  EXPECT_EQ(told(loopAround(Plain, "%n")), 1u);
  std::string Hinted = loopAround(Plain, "1000");
  Hinted.replace(Hinted.find("label %exit\n"), 12,
                 "label %exit, !llvm.loop !0\n");
  Hinted += "!0 = distinct !{!0, !1}\n!1 = !{!\"llvm.loop.unroll.disable\"}\n";
  EXPECT_EQ(told(Hinted), 1u);
}
