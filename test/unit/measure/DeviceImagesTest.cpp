// Images of a launch, and the instructions that read and write them.
#include "measure/execute/DeviceImages.h"
#include "Modules.h"
#include "llvm/IR/InstIterator.h"
#include <gtest/gtest.h>
#include <set>

using namespace clrewrite;
using namespace clrewrite::measure;
using namespace llvm;

namespace {

class DeviceImagesTest : public testing::Test {
protected:
  DeviceMemory Memory;
  DeviceImages Images{Memory};

  /// The descriptor's address; 0 where there is no such image.
  uint64_t image(const char *Type, const char *Words,
                 ArrayRef<uint64_t> Global = {}, bool MadeUp = false) {
    return expectedToOptional(Images.addImage(Type, Words, Global, MadeUp))
        .value_or(0);
  }
  uint64_t sampler(const char *Words) {
    return expectedToOptional(Images.addSampler(Words)).value_or(0);
  }

  uint32_t word(uint64_t At, unsigned Number) {
    uint32_t Out = 0;
    EXPECT_TRUE(Memory.read(
        At + 4 * Number,
        MutableArrayRef(reinterpret_cast<uint8_t *>(&Out), sizeof Out)));
    return Out;
  }
};

} // namespace

TEST_F(DeviceImagesTest, ADescriptorHasTheSizesWhereAmdsLibraryReadsThem) {
  uint64_t At = image("image3d_t", "640x480x8:R:UNORM_INT16", {}, false);
  ASSERT_NE(At, 0u);
  EXPECT_EQ(word(At, 2) >> 14 & 16383, 479u);
  EXPECT_EQ(word(At, 4) & 8191, 7u);
  EXPECT_EQ(word(At, 5) >> 13, 7u); // of layers, before gfx9
  EXPECT_EQ(word(At, 10), 640u);
  const DeviceImage *Image = Images.find(word(At, 0));
  ASSERT_TRUE(Image);
  EXPECT_EQ(Image->TexelBytes, 2u);
  EXPECT_EQ(Image->ChannelOrder, 0x10B0u); // CL_R
  EXPECT_EQ(Image->ChannelType, 0x10D3u);  // CL_UNORM_INT16
  EXPECT_FALSE(Images.find(0));
  EXPECT_FALSE(Images.find(2));
}

TEST_F(DeviceImagesTest, SizesThatAreNotSaidAreThoseOfTheLaunch) {
  uint64_t At = image("image2d_array_t", "", {64, 32, 3}, false);
  const DeviceImage *Image = Images.find(word(At, 0));
  ASSERT_TRUE(Image);
  EXPECT_EQ(Image->Sizes[0], 64u);
  EXPECT_EQ(Image->Sizes[1], 32u);
  EXPECT_EQ(Image->Sizes[2], 3u);
  EXPECT_EQ(Image->TexelBytes, 16u);
  EXPECT_EQ(image("image2d_t", "64xmany", {64, 32}, false), 0u);
  EXPECT_EQ(image("image2d_msaa_t", "", {64, 32}, false), 0u);
  // At a launch that is made up nothing tells the format.
  Image = Images.find(word(image("image2d_t", "", {8, 8}, true), 0));
  ASSERT_TRUE(Image);
  EXPECT_EQ(Image->TexelBytes, 4u);
}

TEST_F(DeviceImagesTest, TexelsHaveAddressesOfTheirOwnAndNeighboursShareLines) {
  const DeviceImage *Image = Images.find(
      word(image("image3d_t", "20x12x3:RGBA:UNORM_INT8", {}, false), 0));
  ASSERT_TRUE(Image);
  std::set<uint64_t> All;
  for (uint64_t Z = 0; Z < 3; ++Z)
    for (uint64_t Y = 0; Y < 12; ++Y)
      for (uint64_t X = 0; X < 20; ++X)
        All.insert(Image->addressOf(X, Y, Z));
  EXPECT_EQ(All.size(), 20u * 12 * 3);
  EXPECT_EQ(*All.begin(), Image->Texels);
  // A line of 128 bytes has 8x4 of these texels.
  EXPECT_EQ(Image->addressOf(0, 0, 0) / 128, Image->addressOf(7, 3, 0) / 128);
  EXPECT_NE(Image->addressOf(0, 0, 0) / 128, Image->addressOf(8, 0, 0) / 128);
  EXPECT_NE(Image->addressOf(0, 0, 0) / 128, Image->addressOf(0, 4, 0) / 128);
}

TEST_F(DeviceImagesTest, RowsOfImagesOfOneRowLieAsBuffersDo) {
  const DeviceImage *Image =
      Images.find(word(image("image1d_array_t", "100x3:RG:FLOAT"), 0));
  ASSERT_TRUE(Image);
  EXPECT_EQ(Image->addressOf(7, 0, 0), Image->Texels + 7 * 8);
  EXPECT_EQ(Image->addressOf(7, 0, 2), Image->Texels + 207 * 8);
}

TEST_F(DeviceImagesTest, WhatALaunchCanNotHaveIsAnError) {
  EXPECT_EQ(
      toString(Images.addImage("image2d_t", "4M", {8, 8}, false).takeError()),
      "'4M' is not widthxheight, e.g. 640x480");
  EXPECT_NE(image("image2d_depth_t", "64x32"), 0u);
  EXPECT_NE(image("image2d_array_depth_t", "64x32x4"), 0u);
}

TEST_F(DeviceImagesTest, ASamplerSaysWhetherCoordinatesAreTexels) {
  EXPECT_EQ(word(sampler(""), 0), DeviceImages::UnnormalisedBit);
  EXPECT_EQ(word(sampler("linear+normalized"), 0), DeviceImages::NormalisedBit);
  EXPECT_EQ(sampler("round"), 0u);
}

TEST(ImageInstruction, OperandsOfAmdsAndNvidiasInstructions) {
  LLVMContext Context;
  std::unique_ptr<Module> M = moduleOf(R"(
declare <4 x float> @llvm.amdgcn.image.sample.lz.2darray.v4f32.f32.v8i32.v4i32(i32, float, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare void @llvm.amdgcn.image.store.2d.v4f32.i32.v8i32(<4 x float>, i32, i32, i32, <8 x i32>, i32, i32)
declare float @llvm.amdgcn.image.load.1d.f32.i32.v8i32(i32, i32, <8 x i32>, i32, i32)
declare <4 x float> @llvm.amdgcn.image.gather4.lz.2d.v4f32.f32.v8i32.v4i32(i32, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare { i32, i32, i32, i32 } @llvm.nvvm.tex.2d.array.v4u32.s32(i64, i64, i32, i32, i32)
declare void @llvm.nvvm.sust.p.3d.v4i32.trap(i64, i32, i32, i32, i32, i32, i32, i32)
declare i32 @llvm.nvvm.suq.channel.order(i64)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare <4 x float> @llvm.amdgcn.struct.buffer.load.format.v4f32(<4 x i32>, i32, i32, i32, i32)
declare void @llvm.amdgcn.struct.buffer.store.format.v4f32(<4 x float>, <4 x i32>, i32, i32, i32, i32)
define void @f(<8 x i32> %r, <4 x i32> %s, i64 %h) {
  %1 = call <4 x float> @llvm.amdgcn.image.sample.lz.2darray.v4f32.f32.v8i32.v4i32(i32 15, float 0.0, float 0.0, float 0.0, <8 x i32> %r, <4 x i32> %s, i1 false, i32 0, i32 0)
  call void @llvm.amdgcn.image.store.2d.v4f32.i32.v8i32(<4 x float> %1, i32 15, i32 1, i32 2, <8 x i32> %r, i32 0, i32 0)
  %2 = call float @llvm.amdgcn.image.load.1d.f32.i32.v8i32(i32 1, i32 3, <8 x i32> %r, i32 0, i32 0)
  %3 = call <4 x float> @llvm.amdgcn.image.gather4.lz.2d.v4f32.f32.v8i32.v4i32(i32 1, float 0.0, float 0.0, <8 x i32> %r, <4 x i32> %s, i1 false, i32 0, i32 0)
  %4 = call { i32, i32, i32, i32 } @llvm.nvvm.tex.2d.array.v4u32.s32(i64 %h, i64 %h, i32 1, i32 2, i32 3)
  call void @llvm.nvvm.sust.p.3d.v4i32.trap(i64 %h, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7)
  %5 = call i32 @llvm.nvvm.suq.channel.order(i64 %h)
  %6 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = call <4 x float> @llvm.amdgcn.struct.buffer.load.format.v4f32(<4 x i32> %s, i32 5, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.struct.buffer.store.format.v4f32(<4 x float> %1, <4 x i32> %s, i32 5, i32 0, i32 0, i32 0)
  %8 = bitcast <4 x float> %7 to <4 x i32>
  ret void
}
)",
                                       Context);
  ASSERT_TRUE(M);
  std::vector<std::optional<ImageInstruction>> Found;
  for (const Instruction &I : instructions(*M->getFunction("f")))
    if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
      Found.push_back(imageInstruction(*Call));
  ASSERT_EQ(Found.size(), 10u);
  auto expect = [&](unsigned N, int What, unsigned Descriptor,
                    unsigned Coordinates, unsigned Dimensions,
                    std::optional<unsigned> Layer,
                    std::optional<unsigned> Sampler) {
    ASSERT_TRUE(Found[N]) << N;
    EXPECT_EQ(Found[N]->What, What) << N;
    EXPECT_EQ(Found[N]->Descriptor, Descriptor) << N;
    EXPECT_EQ(Found[N]->Coordinates, Coordinates) << N;
    EXPECT_EQ(Found[N]->Dimensions, Dimensions) << N;
    EXPECT_EQ(Found[N]->Layer, Layer) << N;
    EXPECT_EQ(Found[N]->Sampler, Sampler) << N;
  };
  expect(0, ImageInstruction::Read, 4, 1, 2, 3, 5);
  expect(1, ImageInstruction::Write, 4, 2, 2, std::nullopt, std::nullopt);
  expect(2, ImageInstruction::Read, 2, 1, 1, std::nullopt, std::nullopt);
  EXPECT_FALSE(Found[3]);
  expect(4, ImageInstruction::Read, 0, 3, 2, 2, 1);
  expect(5, ImageInstruction::Write, 0, 1, 3, std::nullopt, std::nullopt);
  ASSERT_TRUE(Found[6]);
  EXPECT_EQ(Found[6]->What, ImageInstruction::Ask);
  EXPECT_EQ(Found[6]->Asked, "channel.order");
  EXPECT_FALSE(Found[7]);
  expect(8, ImageInstruction::Read, 0, 1, 1, std::nullopt, std::nullopt);
  EXPECT_TRUE(Found[8]->Integers);
  EXPECT_FALSE(Found[0]->Integers);
  expect(9, ImageInstruction::Write, 1, 2, 1, std::nullopt, std::nullopt);
}
