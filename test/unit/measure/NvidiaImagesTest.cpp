// The instructions that OpenCL's functions of images get on NVIDIA's GPUs.
#include "measure/nvptx/NvidiaImages.h"
#include "Modules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::measure;
using namespace llvm;

namespace {

class NvidiaImages : public testing::Test {
protected:
  LLVMContext Context;
  std::unique_ptr<Module> M;

  void define(const char *Text) {
    M = moduleOf(Text, Context);
    ASSERT_TRUE(M);
    defineImages(*M);
    EXPECT_FALSE(verifyModule(*M, &errs()));
  }

  /// The intrinsics that \p Function calls, in order.
  std::vector<std::string> calls(StringRef Function) const {
    std::vector<std::string> Out;
    for (const Instruction &I : instructions(*M->getFunction(Function)))
      if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
        Out.push_back(Call->getCalledFunction()->getName().str());
    return Out;
  }

  /// What stands in the module's list for the back end about its only kernel.
  std::vector<std::string> notes() const {
    std::vector<std::string> Out;
    for (const MDNode *Each :
         M->getNamedMetadata("nvvm.annotations")->operands())
      Out.push_back(
          cast<MDString>(Each->getOperand(1))->getString().str() + " " +
          std::to_string(mdconst::extract<ConstantInt>(Each->getOperand(2))
                             ->getZExtValue()));
    return Out;
  }
};

using Names = std::vector<std::string>;
constexpr const char *Handle = "llvm.nvvm.texsurf.handle.internal.p1";

} // namespace

TEST_F(NvidiaImages, ReadsAreThoseOfTextures) {
  define(R"(
declare <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(ptr addrspace(1), ptr addrspace(4), <2 x i32>)
declare <4 x float> @_Z11read_imagef14ocl_image2d_roDv2_i(ptr addrspace(1), <2 x i32>)
declare <4 x i32> @_Z12read_imageui20ocl_image2d_array_ro11ocl_samplerDv4_f(ptr addrspace(1), ptr addrspace(4), <4 x float>)
declare <4 x i32> @_Z11read_imagei14ocl_image1d_ro11ocl_sampleri(ptr addrspace(1), ptr addrspace(4), i32)
declare <4 x float> @_Z11read_imagef21ocl_image1d_buffer_roi(ptr addrspace(1), i32)
declare <4 x float> @_Z11read_imagef14ocl_image3d_ro11ocl_samplerDv4_f(ptr addrspace(1), ptr addrspace(4), <4 x float>)
declare float @_Z11read_imagef20ocl_image2d_depth_ro11ocl_samplerDv2_i(ptr addrspace(1), ptr addrspace(4), <2 x i32>)
)");
  EXPECT_EQ(calls("_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i"),
            Names({"llvm.nvvm.tex.2d.v4f32.s32"}));
  EXPECT_EQ(calls("_Z11read_imagef14ocl_image2d_roDv2_i"),
            Names({Handle, "llvm.nvvm.tex.2d.v4f32.s32"}));
  EXPECT_EQ(calls("_Z12read_imageui20ocl_image2d_array_ro11ocl_samplerDv4_f"),
            Names({"llvm.nvvm.tex.2d.array.v4u32.f32"}));
  EXPECT_EQ(calls("_Z11read_imagei14ocl_image1d_ro11ocl_sampleri"),
            Names({"llvm.nvvm.tex.1d.v4s32.s32"}));
  EXPECT_EQ(calls("_Z11read_imagef21ocl_image1d_buffer_roi"),
            Names({Handle, "llvm.nvvm.tex.1d.v4f32.s32"}));
  EXPECT_EQ(calls("_Z11read_imagef14ocl_image3d_ro11ocl_samplerDv4_f"),
            Names({"llvm.nvvm.tex.3d.v4f32.f32"}));
  EXPECT_EQ(calls("_Z11read_imagef20ocl_image2d_depth_ro11ocl_samplerDv2_i"),
            Names({"llvm.nvvm.tex.2d.v4f32.s32"}));
}

TEST_F(NvidiaImages, WritesAskForTheOrderOfChannels) {
  define(R"(
declare void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(ptr addrspace(1), <2 x i32>, <4 x float>)
declare void @_Z13write_imageui14ocl_image3d_rwDv4_iDv4_j(ptr addrspace(1), <4 x i32>, <4 x i32>)
declare void @_Z12write_imagef20ocl_image2d_depth_woDv2_if(ptr addrspace(1), <2 x i32>, float)
)");
  EXPECT_EQ(
      calls("_Z12write_imagef14ocl_image2d_woDv2_iDv4_f"),
      Names({"llvm.nvvm.suq.channel.order", "llvm.nvvm.sust.p.2d.v4i32.trap"}));
  EXPECT_EQ(
      calls("_Z13write_imageui14ocl_image3d_rwDv4_iDv4_j"),
      Names({"llvm.nvvm.suq.channel.order", "llvm.nvvm.sust.p.3d.v4i32.trap"}));
  EXPECT_EQ(calls("_Z12write_imagef20ocl_image2d_depth_woDv2_if"),
            Names({"llvm.nvvm.sust.p.2d.v4i32.trap"}));
}

TEST_F(NvidiaImages, QueriesGoByWhetherTheImageIsWritten) {
  define(R"(
declare i32 @_Z15get_image_width14ocl_image2d_ro(ptr addrspace(1))
declare i32 @_Z15get_image_width14ocl_image2d_wo(ptr addrspace(1))
declare i64 @_Z20get_image_array_size20ocl_image2d_array_ro(ptr addrspace(1))
declare <2 x i32> @_Z13get_image_dim14ocl_image2d_ro(ptr addrspace(1))
declare <4 x i32> @_Z13get_image_dim14ocl_image3d_ro(ptr addrspace(1))
)");
  EXPECT_EQ(calls("_Z15get_image_width14ocl_image2d_ro"),
            Names({"llvm.nvvm.txq.width"}));
  EXPECT_EQ(calls("_Z15get_image_width14ocl_image2d_wo"),
            Names({"llvm.nvvm.suq.width"}));
  EXPECT_EQ(calls("_Z20get_image_array_size20ocl_image2d_array_ro"),
            Names({"llvm.nvvm.txq.array.size"}));
  EXPECT_EQ(calls("_Z13get_image_dim14ocl_image2d_ro").size(), 2u);
  EXPECT_EQ(calls("_Z13get_image_dim14ocl_image3d_ro").size(), 3u);
}

TEST_F(NvidiaImages, WhatIsNotKnownStaysUndefined) {
  define(R"(
declare <4 x float> @_Z11read_imagef14ocl_image2d_rwDv2_i(ptr addrspace(1), <2 x i32>)
declare <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_ff(ptr addrspace(1), ptr addrspace(4), <2 x float>, float)
declare <4 x half> @_Z11read_imageh14ocl_image2d_ro11ocl_samplerDv2_i(ptr addrspace(1), ptr addrspace(4), <2 x i32>)
declare <4 x float> @_Z11read_imagef19ocl_image2d_msaa_roDv2_ii(ptr addrspace(1), <2 x i32>, i32)
declare i32 @_Z21get_image_num_samples19ocl_image2d_msaa_ro(ptr addrspace(1))
declare <4 x float> @_Z11read_imagef14ocl_image2d_rof(ptr addrspace(1), float)
declare <4 x float> @_Z11read_imagef14ocl_image3d_ro11ocl_samplerDv2_f(ptr addrspace(1), ptr addrspace(4), <2 x float>)
declare void @_Z14write_image_px14ocl_image2d_woii(ptr addrspace(1), i32, i32)
declare void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_i(ptr addrspace(1), <2 x i32>, <4 x i32>)
declare i32 @elsewhere(i32)
)");
  for (const Function &F : *M)
    EXPECT_TRUE(F.isDeclaration()) << F.getName().str();
  EXPECT_FALSE(M->getNamedMetadata("nvvm.annotations"));
}

TEST_F(NvidiaImages, KernelsTellTheirImagesAndWhatIsHandedOneIsInlined) {
  define(R"(
declare <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(ptr addrspace(1), ptr addrspace(4), <2 x i32>)
declare ptr addrspace(4) @__translate_sampler_initializer(i32)
define <4 x float> @helper(ptr addrspace(1) %i, ptr addrspace(4) %s) noinline {
  %v = call <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(ptr addrspace(1) %i, ptr addrspace(4) %s, <2 x i32> zeroinitializer)
  ret <4 x float> %v
}
define i32 @other() noinline {
  ret i32 1
}
define ptx_kernel void @k(ptr addrspace(1) %o, ptr addrspace(1) %i, ptr addrspace(4) %s, ptr addrspace(1) %w) !kernel_arg_base_type !0 !kernel_arg_access_qual !1 {
  %v = call <4 x float> @helper(ptr addrspace(1) %i, ptr addrspace(4) %s)
  %n = call ptr addrspace(4) @__translate_sampler_initializer(i32 17)
  ret void
}
!0 = !{!"float*", !"image2d_t", !"sampler_t", !"image2d_t"}
!1 = !{!"none", !"read_only", !"none", !"write_only"}
)");
  EXPECT_TRUE(
      M->getFunction("helper")->hasFnAttribute(Attribute::AlwaysInline));
  EXPECT_FALSE(M->getFunction("helper")->hasFnAttribute(Attribute::NoInline));
  EXPECT_TRUE(M->getFunction("other")->hasFnAttribute(Attribute::NoInline));
  EXPECT_FALSE(M->getFunction("k")->hasFnAttribute(Attribute::AlwaysInline));
  // The two samplers of the module's come first.
  EXPECT_EQ(notes(), Names({"sampler 1", "sampler 1", "rdoimage 1", "sampler 2",
                            "wroimage 3"}));
}

TEST_F(NvidiaImages, EachReadNamesItsImageInTheEnd) {
  define(R"(
@s = internal addrspace(1) global i64 0
declare { float, float, float, float } @llvm.nvvm.tex.2d.v4f32.s32(i64, i64, i32, i32)
declare i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1))
define ptx_kernel void @k(ptr addrspace(1) %i, i1 %c, i32 %n) {
entry:
  %a = ptrtoint ptr addrspace(1) %i to i64
  %b = call i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1) @s)
  br label %loop
loop:
  %h = phi i64 [ %a, %entry ], [ %h, %loop ]
  %t = phi i64 [ %b, %entry ], [ %t, %loop ]
  %r = call { float, float, float, float } @llvm.nvvm.tex.2d.v4f32.s32(i64 %h, i64 %t, i32 %n, i32 0)
  br i1 %c, label %loop, label %end
end:
  ret void
}
)");
  legacy::PassManager Passes;
  Passes.add(createImageNamingPass());
  Passes.run(*M);
  EXPECT_FALSE(verifyModule(*M, &errs()));
  for (const Instruction &I : instructions(*M->getFunction("k")))
    if (const auto *Call = dyn_cast<IntrinsicInst>(&I);
        Call && Call->arg_size() == 4) {
      const auto *Image = dyn_cast<PtrToIntInst>(Call->getArgOperand(0));
      ASSERT_TRUE(Image);
      EXPECT_EQ(Image->getOperand(0), M->getFunction("k")->getArg(0));
      const auto *Sampler = dyn_cast<CallInst>(Call->getArgOperand(1));
      ASSERT_TRUE(Sampler);
      EXPECT_EQ(Sampler->getParent(), Call->getParent());
    }
}
