// What the front end tells of a kernel's arguments: of its use of images and
// samplers, and of what structures hold.
#include "FindingsIn.h"

using namespace clrewrite;
using namespace clrewrite::rewrite;

/// The arguments of the one kernel of \p Text.
static std::vector<KernelArg> arguments(const std::string &Text) {
  // The trip through the child process keeps it all.
  Findings Back;
  llvm::json::Path::Root Root;
  EXPECT_TRUE(
      fromJSON(toJSON(findingsIn(Text, {"-cl-std=CL1.2"})), Back, Root));
  return Back.Kernels.front().Args;
}

TEST(ImageUse, ChannelsSamplersAndCoordinates) {
  auto A = arguments(R"(
kernel void k(read_only image2d_t f, read_only image2d_t i, sampler_t soft,
              sampler_t hard, write_only image2d_t ui, read_only image2d_t no) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 v = read_imagef(f, soft, (float2)(0.5f, 0.5f));
  int4 w = read_imagei(i, hard, at);
  write_imageui(ui, at, convert_uint4(v) + as_uint4(w));
})");
  ASSERT_EQ(A.size(), 6u);
  EXPECT_EQ(A[0].Channels, "f");
  EXPECT_TRUE(A[0].Sampled);
  EXPECT_EQ(A[1].Channels, "i");
  EXPECT_TRUE(A[1].Sampled);
  EXPECT_FALSE(A[1].FloatCoords);
  EXPECT_EQ(A[2].Channels, "f");
  EXPECT_TRUE(A[2].FloatCoords);
  EXPECT_EQ(A[3].Channels, "i");
  EXPECT_FALSE(A[3].FloatCoords);
  EXPECT_EQ(A[4].Channels, "ui");
  EXPECT_FALSE(A[4].Sampled) << "a write outside is undefined";
  EXPECT_EQ(A[5].Channels, "");
  EXPECT_FALSE(A[5].Sampled);
}

TEST(ImageUse, FollowsHelpersAndMixedUses) {
  auto A = arguments(R"(
float4 inner(read_only image2d_t a, sampler_t t, float2 at) {
  return read_imagef(a, t, at);
}
float4 outer(sampler_t t, read_only image2d_t a, float2 at) {
  return inner(a, t, at) + inner(a, t, at + 1);
}
kernel void k(read_only image2d_t a, read_only image2d_t b, sampler_t s,
              global float4 *out) {
  out[0] = outer(s, a, (float2)(0.5f)) + read_imagef(b, s, (float2)(0.5f));
  out[1] = read_imagef(b, (int2)(0, 0)) + convert_float4(read_imagei(b, s, (int2)(1, 1)));
})");
  ASSERT_EQ(A.size(), 4u);
  EXPECT_EQ(A[0].Channels, "f");
  EXPECT_TRUE(A[0].FloatCoords);
  EXPECT_EQ(A[1].Channels, "") << "no format suits both";
  EXPECT_FALSE(A[1].Sampled);
  EXPECT_EQ(A[2].Channels, "");
  EXPECT_TRUE(A[2].Sampled);
  EXPECT_FALSE(A[2].FloatCoords) << "once with integer coordinates";
  EXPECT_EQ(A[3].Channels, "");
}

TEST(Arguments, FieldsOfOneType) {
  auto A = arguments(R"(
typedef struct { float v, x, y, z; } Four;
typedef struct { Four at[2]; float2 more; } Nested;
typedef struct { float x; int n; } Mixed;
typedef struct { char c; __attribute__((aligned(4))) char d; } Padded;
typedef struct { float3 p; } Three;
typedef union { float f; float g; } Either;
kernel void k(global Four *four, global Nested *nested, global Mixed *mixed,
              global Padded *padded, global Three *three, global Either *either,
              Four value, global float *plain) {})");
  ASSERT_EQ(A.size(), 8u);
  EXPECT_EQ(A[0].Field, "float");
  EXPECT_EQ(A[0].Type, "");
  EXPECT_EQ(A[0].Bytes, 16u);
  EXPECT_EQ(A[1].Field, "float");
  for (size_t I : {2, 3, 4, 5})
    EXPECT_EQ(A[I].Field, "") << I;
  EXPECT_EQ(A[6].Field, "float");
  EXPECT_EQ(A[7].Field, "");
  EXPECT_EQ(A[7].Type, "float");
}
