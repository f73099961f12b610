// Waves of small kernels are executed, and what they did is counted.
#include "measure/execute/Execution.h"
#include "measure/execute/LaneMath.h"
#include "measure/execute/WaveInterpreter.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;
using namespace llvm;

namespace {

/// A kernel for AMD's GPUs with the body \p Text. Its arguments are p, a buffer
/// of integers, and n.
class Executed : public testing::Test {
protected:
  LLVMContext Context;
  std::unique_ptr<Module> M;
  launch::LaunchFacts Launch;

  void SetUp() override {
    Launch.Global = {1024};
    Launch.Local = {64};
    Launch.Buffers[0] = {65536, 4, false};
    Launch.Scalars[1] = 10;
  }

  WaveCounts run(const std::string &Text, unsigned Lanes = 64,
                 const char *Declared = "") {
    std::string All = R"(
      target triple = "amdgcn-amd-amdhsa"
      target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
      declare i32 @llvm.amdgcn.workitem.id.x()
      declare i32 @llvm.amdgcn.workgroup.id.x()
      declare void @llvm.amdgcn.s.barrier()
    )" + std::string(Declared) +
                      R"(
      define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %n) {
      entry:
        %x = call i32 @llvm.amdgcn.workitem.id.x()
    )" + Text + "\n}\n";
    SMDiagnostic Error;
    M = parseAssemblyString(All, Error, Context);
    EXPECT_TRUE(M) << Error.getMessage().str() << " at "
                   << Error.getLineContents().str();
    GpuModel Model = gpuModel("gfx906");
    Model.WaveLanes = Lanes;
    return M ? executeWaves(*M->getFunction("k"), Model, Launch) : WaveCounts();
  }

  /// How often a wave enters the block \p Name.
  double runs(const WaveCounts &C, const char *Name) const {
    for (const auto &[B, Runs] : C.Runs)
      if (B->getName() == Name)
        return Runs;
    return -1;
  }
};

constexpr const char *Loop = R"(
    br label %loop
  loop:
    %i = phi i32 [ 0, %entry ], [ %next, %loop ]
    %next = add i32 %i, 1
    %more = icmp slt i32 %next, LIMIT
    br i1 %more, label %loop, label %end
  end:
    ret void
)";

std::string loopUpTo(const char *Limit) {
  std::string Out = Loop;
  return Out.replace(Out.find("LIMIT"), 5, Limit);
}

} // namespace

TEST_F(Executed, ALoopRunsAsOftenAsItsArgumentSays) {
  WaveCounts C = run(loopUpTo("%n"));
  EXPECT_EQ(C.Problem, "");
  EXPECT_EQ(runs(C, "loop"), 10);
  EXPECT_EQ(runs(C, "end"), 1);
}

TEST_F(Executed, ArgumentsLieInASegment) {
  // As much is loaded as LLVM likes: four bytes more than n has.
  WaveCounts C = run(R"(
    %segment = call ptr addrspace(4) @llvm.amdgcn.kernarg.segment.ptr()
    %at = getelementptr i8, ptr addrspace(4) %segment, i64 8
    %wide = load i64, ptr addrspace(4) %at
    %most = trunc i64 %wide to i32
    )" + loopUpTo("%most"),
                     64,
                     "declare ptr addrspace(4) "
                     "@llvm.amdgcn.kernarg.segment.ptr()");
  EXPECT_EQ(C.Problem, "");
  EXPECT_EQ(runs(C, "loop"), 10);
  EXPECT_EQ(C.Bytes, 0); // the kernel moves none
}

TEST_F(Executed, DotProductsOfBytes) {
  // 1 - 1 + 2 + 3, or 1 + 255 + 2 + 3, and 5 more.
  auto turns = [&](const std::string &Call) {
    return runs(run("%d = call i32 @llvm.amdgcn." + Call + loopUpTo("%d"), 64,
                    "declare i32 @llvm.amdgcn.sdot4(i32, i32, i32, i1)\n"
                    "declare i32 @llvm.amdgcn.udot4(i32, i32, i32, i1)\n"
                    "declare i32 @llvm.amdgcn.sudot4(i1, i32, i1, i32, i32, "
                    "i1)\n"),
                "loop");
  };
  const std::string Words = "i32 33489411, i32 16843009, i32 5, i1 ";
  EXPECT_EQ(turns("sdot4(" + Words + "false)"), 10);
  EXPECT_EQ(turns("udot4(" + Words + "true)"), 266);
  EXPECT_EQ(turns("sudot4(i1 false, i32 33489411, i1 true, i32 16843009, i32 "
                  "5, i1 true)"),
            266);
  EXPECT_EQ(turns("sudot4(i1 true, i32 33489411, i1 true, i32 16843009, i32 5, "
                  "i1 true)"),
            10);
  // It stops at the largest number.
  WaveCounts C = run("%d = call i32 @llvm.amdgcn.sdot4(i32 33489411, i32 "
                     "16843009, i32 2147483646, i1 true)\n"
                     "%less = sub i32 %d, 2147483640\n" +
                         loopUpTo("%less"),
                     64, "declare i32 @llvm.amdgcn.sdot4(i32, i32, i32, i1)\n");
  EXPECT_EQ(runs(C, "loop"), 7);
}

TEST_F(Executed, AWaveRunsALoopAsLongAsOneOfItsLanes) {
  WaveCounts C = run(loopUpTo("%x"));
  EXPECT_EQ(runs(C, "loop"), 63);
  // The lanes that leave wait for the others.
  EXPECT_EQ(runs(C, "end"), 1);
  EXPECT_EQ(runs(run(loopUpTo("%x"), 32), "loop"), (31 + 63) / 2.0);
}

TEST_F(Executed, MoreWavesTellOfUnlikeWork) {
  // The work of a wave is the square of its group's number: 77.6 turns on
  // average, 84 in the four groups that are executed first.
  WaveCounts C = run(R"(
    %g = call i32 @llvm.amdgcn.workgroup.id.x()
    %most = mul i32 %g, %g
    )" + loopUpTo("%most"));
  EXPECT_EQ(C.Problem, "");
  EXPECT_NEAR(runs(C, "loop"), 77.6, 3);
}

TEST_F(Executed, ASideThatNoLaneTakesDoesNotRun) {
  constexpr const char *Sides = R"(
    %low = icmp slt i32 %x, LIMIT
    br i1 %low, label %then, label %else
  then:
    br label %join
  else:
    br label %join
  join:
    ret void
  )";
  auto with = [&](const char *Limit) {
    std::string Text = Sides;
    return run(Text.replace(Text.find("LIMIT"), 5, Limit));
  };
  WaveCounts Both = with("16");
  EXPECT_EQ(runs(Both, "then"), 1);
  EXPECT_EQ(runs(Both, "else"), 1);
  EXPECT_EQ(runs(Both, "join"), 1);
  WaveCounts One = with("64");
  EXPECT_EQ(runs(One, "then"), 1);
  EXPECT_EQ(runs(One, "else"), 0);
}

TEST_F(Executed, ATripCountMayComeFromABuffer) {
  // Integers are from 0 to 100, so the largest of 64 is near that.
  WaveCounts C = run(R"(
    %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
    %most = load i32, ptr addrspace(1) %at
    )" + loopUpTo("%most"));
  EXPECT_GT(runs(C, "loop"), 80);
  EXPECT_LE(runs(C, "loop"), 100);
}

TEST_F(Executed, BytesAreThoseThatTheLanesTouch) {
  WaveCounts Near = run(R"(
    %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
    store i32 %x, ptr addrspace(1) %at
    ret void
  )");
  EXPECT_EQ(Near.Bytes, 4 * 64);
  // A sector for each.
  WaveCounts Far = run(R"(
    %y = mul i32 %x, 64
    %at = getelementptr i32, ptr addrspace(1) %p, i32 %y
    store i32 %x, ptr addrspace(1) %at
    ret void
  )");
  EXPECT_EQ(Far.Bytes, 32 * 64);
  ASSERT_EQ(Far.Patterns.size(), 1u);
  const std::vector<int64_t> &Lanes =
      Far.Patterns.begin()->second.front().Lanes;
  EXPECT_EQ(Lanes[5] - Lanes[4], 256);
}

TEST_F(Executed, WavesWaitForEachOtherAtABarrier) {
  Launch.Local = {128};
  // The second wave writes what the first one takes for a trip count.
  WaveCounts C = run(R"(
    %own = getelementptr i32, ptr addrspace(3) @shared, i32 %x
    store i32 %x, ptr addrspace(3) %own
    fence syncscope("workgroup") release
    call void @llvm.amdgcn.s.barrier()
    %y = xor i32 %x, 64
    %other = getelementptr i32, ptr addrspace(3) @shared, i32 %y
    %most = load i32, ptr addrspace(3) %other
    )" + loopUpTo("%most"),
                     64,
                     "@shared = internal addrspace(3) global [128 x i32] "
                     "poison");
  EXPECT_EQ(C.Problem, "");
  EXPECT_EQ(runs(C, "loop"), (127 + 63) / 2.0);
}

TEST_F(Executed, AnAccessOutOfBoundsEndsIt) {
  constexpr const char *Load = R"(
    %at = getelementptr i32, ptr addrspace(1) %p, i64 OFFSET
    %v = load i32, ptr addrspace(1) %at
    ret void
  )";
  auto with = [&](const char *Offset) {
    std::string Text = Load;
    return run(Text.replace(Text.find("OFFSET"), 6, Offset)).Problem;
  };
  EXPECT_EQ(with("16383"), "");
  std::string Outside =
      "it reads outside of its buffers, as the launch sizes them";
  EXPECT_EQ(with("16384"), Outside);
  EXPECT_EQ(with("-1"), Outside);
  EXPECT_EQ(with("1152921504606846976"), Outside);
  EXPECT_EQ(run("%v = load i32, ptr addrspace(1) null\nret void").Problem,
            Outside);
  // Local and private memory have ends, too.
  EXPECT_EQ(run("%v = load i32, ptr addrspace(3) null\nret void").Problem,
            Outside);
  EXPECT_EQ(run(R"(
    %a = alloca [4 x i32], addrspace(5)
    %at = getelementptr i32, ptr addrspace(5) %a, i32 %x
    %v = load i32, ptr addrspace(5) %at
    ret void
  )")
                .Problem,
            Outside);
}

TEST_F(Executed, EndlessLoopsEnd) {
  EXPECT_EQ(run("br label %loop\nloop:\n  br label %loop").Problem,
            "it takes too many steps");
}

TEST_F(Executed, WhatIsNotKnownEndsIt) {
  EXPECT_EQ(run("%v = call float @get()\nret void", 64, "declare float @get()")
                .Problem,
            "it calls get, which is undefined");
  Launch.Scalars.clear();
  EXPECT_EQ(run(loopUpTo("%n")).Problem,
            "the launch gives an argument no value");
}

TEST_F(Executed, VectorsAreComputedByTheirComponents) {
  // <1, 3> * <2, 5> = <2, 15>, and 15 goes through <4 x i8> and back.
  WaveCounts C = run(R"(
    %v = insertelement <2 x i32> <i32 1, i32 7>, i32 3, i32 1
    %w = mul <2 x i32> %v, <i32 2, i32 5>
    %s = shufflevector <2 x i32> %w, <2 x i32> poison, <2 x i32> <i32 1, i32 0>
    %bytes = bitcast <2 x i32> %s to <8 x i8>
    %words = bitcast <8 x i8> %bytes to <2 x i32>
    %most = extractelement <2 x i32> %words, i32 0
    )" + loopUpTo("%most"));
  EXPECT_EQ(runs(C, "loop"), 15);
}

TEST_F(Executed, NumbersHaveTheirTypesPrecision) {
  // 2049 is no half; 16777217 is a double and no float.
  constexpr const char *Text = R"(
    %half = fadd half 0xH6800, 0xH3C00
    %wide = fpext half %half to float
    %h = fptosi float %wide to i32
    %double = fadd double 16777216.0, 1.0
    %float = fadd float 16777216.0, 1.0
    %d = fptosi double %double to i32
    %f = fptosi float %float to i32
    %one = sub i32 %d, %f
    %eight = sub i32 %h, 2040
    %most = mul i32 %eight, %one
  )";
  EXPECT_EQ(runs(run(Text + loopUpTo("%most")), "loop"), 8);
}

TEST_F(Executed, AFenceForTheSchedulerLeavesTheWavesAsTheyAre) {
  Launch.Local = {256};
  std::string Rounds = R"(
    %group = call i32 @llvm.amdgcn.workgroup.id.x()
    )" + loopUpTo("%group");
  // 32 waves of the work-groups 0 to 3; with a barrier the whole of the third.
  EXPECT_EQ(runs(run(Rounds), "loop"), 55 / 32.0);
  const char *Fence = "declare void @llvm.amdgcn.sched.barrier(i32 immarg)";
  EXPECT_EQ(runs(run("call void @llvm.amdgcn.sched.barrier(i32 0)" + Rounds, 64,
                     Fence),
                 "loop"),
            55 / 32.0);
  EXPECT_EQ(runs(run("call void @llvm.amdgcn.s.barrier()" + Rounds), "loop"),
            2);
}

TEST_F(Executed, AtomicsAreSeenByLaterLanes) {
  Launch.Buffers[0].ElementBytes = 0; // zeros
  WaveCounts C = run(R"(
    %most = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst
    )" + loopUpTo("%most"));
  // The 32 waves that are executed share the counter.
  EXPECT_EQ(runs(C, "loop"), 64 * (1 + 32) / 2.0 - 1);
}

TEST(AddressSamples, ALoopOfSomeRoundsIsKeptWhole) {
  AddressSamples All;
  for (int64_t I = 0; I < 200; ++I)
    All.add({I % 3 * 4, I % 3 * 4 + 4});
  std::vector<WaveCounts::Pattern> Each = All.patterns();
  ASSERT_EQ(Each.size(), 3u);
  EXPECT_EQ(Each[0].Times, 67u);
  EXPECT_EQ(Each[1].Times, 67u);
  EXPECT_EQ(Each[2].Times, 66u);
  EXPECT_EQ(Each[0].Lanes[0] % 128, 0);
  EXPECT_EQ(Each[2].Lanes[0] % 128, 8);
}

TEST(AddressSamples, ThoseAsFarFromTheirLinesAreOne) {
  AddressSamples All;
  All.add({WaveCounts::Idle, 4, 130});
  All.add({WaveCounts::Idle, 5 * 128 + 4, 6 * 128 + 2});
  All.add({4, WaveCounts::Idle, 130});
  std::vector<WaveCounts::Pattern> Each = All.patterns();
  ASSERT_EQ(Each.size(), 2u);
  EXPECT_EQ(Each[0].Lanes[0], WaveCounts::Idle);
  EXPECT_EQ(Each[0].Times, 2u);
  EXPECT_EQ(Each[0].Lanes[2] - Each[0].Lanes[1], 126);
}

TEST(AddressSamples, APeriodDoesNotDecideWhichAreSeen) {
  AddressSamples All;
  for (int64_t I = 0; I < 10000; ++I)
    All.add({I % 2 * 64});
  std::vector<WaveCounts::Pattern> Each = All.patterns();
  ASSERT_EQ(Each.size(), 2u);
  EXPECT_LT(Each[0].Times + Each[1].Times, 256u);
  EXPECT_GT(Each[0].Times, 40u);
  EXPECT_GT(Each[1].Times, 40u);
}

TEST(LaneMath, HalvesRoundToTheNearestEven) {
  EXPECT_EQ(halfOf(1), 0x3c00);
  EXPECT_EQ(halfOf(-2), 0xc000);
  EXPECT_EQ(halfOf(2049), 0x6800); // between 2048 and 2050
  EXPECT_EQ(halfOf(2051), 0x6802);
  EXPECT_EQ(halfOf(65504), 0x7bff);
  EXPECT_EQ(halfOf(65520), 0x7c00); // infinity
  EXPECT_EQ(halfOf(0x1p-24f), 1);
  EXPECT_EQ(halfOf(0x1p-14f), 0x400);
  EXPECT_EQ(halfOf(0x1.ffcp-15f), 0x3ff + 1);
  for (unsigned Bits = 0; Bits < 0x7c00; ++Bits)
    ASSERT_EQ(halfOf(floatOfHalf(uint16_t(Bits))), Bits);
}

TEST_F(Executed, WorkGroupsShareWhatAllOfThemRead) {
  // Each lane reads its word of the same 256 bytes, in each of 16 work-groups.
  WaveCounts Same = run(R"(
    %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
    %v = load i32, ptr addrspace(1) %at
    ret void)");
  EXPECT_EQ(Same.Problem, "");
  EXPECT_EQ(Same.Bytes, 256);
  EXPECT_DOUBLE_EQ(Same.SharedBytes, 16);
  WaveCounts Apart = run(R"(
    %group = call i32 @llvm.amdgcn.workgroup.id.x()
    %first = mul i32 %group, 64
    %id = add i32 %first, %x
    %at = getelementptr i32, ptr addrspace(1) %p, i32 %id
    %v = load i32, ptr addrspace(1) %at
    ret void)");
  EXPECT_EQ(Apart.Bytes, 256);
  EXPECT_DOUBLE_EQ(Apart.SharedBytes, 256);
}

TEST_F(Executed, LanesOfAMaskAreLoaded) {
  WaveCounts C = run(R"(
    %v = call <2 x i32> @llvm.masked.load.v2i32.p1(ptr addrspace(1) align 4 %p,
        <2 x i1> <i1 false, i1 true>, <2 x i32> <i32 7, i32 8>)
    %most = extractelement <2 x i32> %v, i32 0
    )" + loopUpTo("%most"),
                     64,
                     "declare <2 x i32> @llvm.masked.load.v2i32.p1(ptr "
                     "addrspace(1), <2 x i1>, <2 x i32>)");
  EXPECT_EQ(C.Problem, "");
  EXPECT_EQ(runs(C, "loop"), 7);
}

TEST_F(Executed, ALaunchIsMadeUpWhereNoneIsKnown) {
  run(loopUpTo("%n"));
  GpuModel Model = gpuModel("gfx906");
  const Function &K = *M->getFunction("k");
  WaveCounts Largest = executeMadeUp(K, Model, {});
  EXPECT_EQ(Largest.Problem, "");
  EXPECT_EQ(Largest.MadeUp, (std::vector<unsigned>{4096, 256}));
  EXPECT_EQ(runs(Largest, "loop"), 4096);
  // The other versions have the same one, or none.
  EXPECT_EQ(runs(executeMadeUp(K, Model, {64, 64}), "loop"), 64);
  EXPECT_NE(executeMadeUp(K, Model, {0}).Problem, "");
}

TEST_F(Executed, ALaunchThatIsMadeUpHasTheDimensionsThatTheKernelAsksFor) {
  const char *Row = R"(
    declare i32 @llvm.amdgcn.workitem.id.y()
    define internal i32 @row() noinline {
      %y = call i32 @llvm.amdgcn.workitem.id.y()
      ret i32 %y
    })";
  GpuModel Model = gpuModel("gfx906");
  // A function that only other kernels call does not count.
  run("ret void", 64, Row);
  EXPECT_EQ(executeMadeUp(*M->getFunction("k"), Model, {}).MadeUp,
            (std::vector<unsigned>{4096, 256}));
  run("%y = call i32 @row()\nret void", 64, Row);
  EXPECT_EQ(executeMadeUp(*M->getFunction("k"), Model, {}).MadeUp,
            (std::vector<unsigned>{2048, 128, 128}));
}

TEST_F(Executed, LinesThatAreReadAgainAreFetchedAgain) {
  Launch.Scalars[1] = 16;
  // 16 turns, in which the lanes read 64 words of each of four rows in turn.
  WaveCounts C = run(R"(
    br label %loop
  loop:
    %i = phi i32 [ 0, %entry ], [ %next, %loop ]
    %row = and i32 %i, 3
    %first = shl i32 %row, 6
    %at = add i32 %first, %x
    %p.at = getelementptr i32, ptr addrspace(1) %p, i32 %at
    %v = load i32, ptr addrspace(1) %p.at
    %next = add i32 %i, 1
    %more = icmp slt i32 %next, %n
    br i1 %more, label %loop, label %end
  end:
    ret void)");
  EXPECT_EQ(C.Problem, "");
  EXPECT_EQ(C.Bytes, 4 * 256);
  EXPECT_EQ(C.Again.at(4 * 256), 0);
  EXPECT_EQ(C.Again.at(2 * 256), 12 * 256);
  EXPECT_EQ(C.Alone, 0); // all work-groups read the same rows
}

TEST_F(Executed, PrivateArraysArePartOfWhatCachesHold) {
  Launch.Scalars[1] = 16;
  WaveCounts C = run(R"(
    %a = alloca [4 x i32], align 4, addrspace(5)
    br label %loop
  loop:
    %i = phi i32 [ 0, %entry ], [ %next, %loop ]
    %row = and i32 %i, 3
    %p.at = getelementptr i32, ptr addrspace(5) %a, i32 %row
    %v = load i32, ptr addrspace(5) %p.at
    %sum = add i32 %v, 1
    store i32 %sum, ptr addrspace(5) %p.at
    %next = add i32 %i, 1
    %more = icmp slt i32 %next, %n
    br i1 %more, label %loop, label %end
  end:
    ret void)");
  EXPECT_EQ(C.Problem, "");
  EXPECT_EQ(C.Bytes, 0);
  EXPECT_EQ(C.Again.at(4 * 256), 0);
  // A word of each lane is 256 bytes, read and written back again 12 times.
  EXPECT_EQ(C.Again.at(2 * 256), 2 * 12 * 256);
  EXPECT_EQ(C.PrivateBytes, 4 * 256);
}
