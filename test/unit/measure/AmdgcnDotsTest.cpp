// The code that OpenCL's dot products of bytes get on AMD's GPUs.
#include "measure/amdgcn/AmdgcnDots.h"
#include "Modules.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Verifier.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;
using namespace llvm;

namespace {

/// The intrinsics of the function \p Name of \p Text on \p Cpu, "-" where it
/// stays undefined.
std::string calls(const char *Text, const char *Name, const char *Cpu) {
  LLVMContext Context;
  std::unique_ptr<Module> M =
      moduleOf((StringRef("target triple = \"amdgcn-amd-amdhsa\"\n") + Text)
                   .str()
                   .c_str(),
               Context);
  if (!M)
    return "?";
  defineDotProducts(*M, Cpu);
  EXPECT_FALSE(verifyModule(*M, &errs()));
  const Function *F = M->getFunction(Name);
  if (F->isDeclaration())
    return "-";
  std::string Out;
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
      Out += Call->getCalledFunction()->getName().drop_front(5).str();
  return Out;
}

} // namespace

TEST(AmdgcnDots, ProcessorsHaveInstructionsOfTheirOwn) {
  constexpr const char *Text =
      "declare i32 @_Z20dot_4x8packed_ss_intjj(i32, i32)\n"
      "declare i32 @_Z29dot_acc_sat_4x8packed_uu_uintjjj(i32, i32, i32)\n"
      "declare i32 @_Z28dot_acc_sat_4x8packed_su_intjji(i32, i32, i32)\n"
      "declare i32 @_Z3dotDv4_cS_(<4 x i8>, <4 x i8>)\n"
      "declare i32 @_Z11dot_acc_satDv4_hDv4_ci(<4 x i8>, <4 x i8>, i32)\n";
  auto on = [&](const char *Name) {
    return std::string(calls(Text, Name, "gfx803")) + " " +
           calls(Text, Name, "gfx906") + " " + calls(Text, Name, "gfx1100");
  };
  EXPECT_EQ(on("_Z20dot_4x8packed_ss_intjj"), " amdgcn.sdot4 amdgcn.sudot4");
  EXPECT_EQ(on("_Z29dot_acc_sat_4x8packed_uu_uintjjj"),
            "uadd.sat.i32 amdgcn.udot4 amdgcn.udot4");
  EXPECT_EQ(on("_Z28dot_acc_sat_4x8packed_su_intjji"),
            "sadd.sat.i32 sadd.sat.i32 amdgcn.sudot4");
  EXPECT_EQ(on("_Z3dotDv4_cS_"), " amdgcn.sdot4 amdgcn.sudot4");
  EXPECT_EQ(on("_Z11dot_acc_satDv4_hDv4_ci"),
            "sadd.sat.i32 sadd.sat.i32 amdgcn.sudot4");
}

TEST(AmdgcnDots, OthersStayUndefined) {
  constexpr const char *Text =
      "declare float @_Z3dotDv4_fS_(<4 x float>, <4 x float>)\n"
      "declare i32 @_Z3dotDv4_iS_(<4 x i32>, <4 x i32>)\n"
      "declare i32 @_Z20dot_4x8packed_xx_intjj(i32, i32)\n"
      "declare i32 @_Z20dot_4x8packed_ss_intj(i32)\n"
      "declare i32 @dotted(i32)\n";
  for (const char *Name :
       {"_Z3dotDv4_fS_", "_Z3dotDv4_iS_", "_Z20dot_4x8packed_xx_intjj",
        "_Z20dot_4x8packed_ss_intj", "dotted"})
    EXPECT_EQ(calls(Text, Name, "gfx906"), "-") << Name;
}
