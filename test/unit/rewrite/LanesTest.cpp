// The names of built-in functions that tell how many lanes they work on.
#include "rewrite/ast/Lanes.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

TEST(Lanes, NamesComeApart) {
  std::optional<LaneName> N = laneName("vstore_half16_rte");
  ASSERT_TRUE(N);
  EXPECT_EQ(N->Head, "vstore_half");
  EXPECT_EQ(N->Lanes, 16u);
  EXPECT_EQ(N->with(4), "vstore_half4_rte");
  EXPECT_TRUE(N->stores());
  EXPECT_FALSE(N->loads());

  N = laneName("convert_uchar8_sat_rtz");
  ASSERT_TRUE(N);
  EXPECT_FALSE(N->loads());
  EXPECT_EQ(N->with(2), "convert_uchar2_sat_rtz");
  EXPECT_EQ(N->with(1), "convert_uchar_sat_rtz");

  ASSERT_TRUE(laneName("vload8"));
  EXPECT_TRUE(laneName("vload8")->loads());
}

TEST(Lanes, OtherNamesAreNone) {
  for (const char *Name :
       {"vload", "vload_half", "vload8x", "vload8_rte", "exp2", "log10",
        "mul24", "as_float4", "atan2", "convert_float"})
    EXPECT_FALSE(laneName(Name)) << Name;
}

TEST(Lanes, FunctionsThatMixLanesAreNotLaneWise) {
  for (const char *Name :
       {"any", "all", "dot", "cross", "length", "normalize", "distance",
        "fast_length", "shuffle", "shuffle2", "fract", "modf", "sincos",
        "frexp", "remquo", "lgamma_r", "vec_step", "read_imagef"})
    EXPECT_FALSE(isLaneWise(Name)) << Name;
  for (const char *Name : {"exp", "native_exp", "half_sqrt", "mad24", "select",
                           "isnan", "hadd", "atan2pi"})
    EXPECT_TRUE(isLaneWise(Name)) << Name;
  EXPECT_TRUE(mayRoundByWidth("native_divide"));
  EXPECT_TRUE(mayRoundByWidth("pow"));
  EXPECT_FALSE(mayRoundByWidth("fma"));
  EXPECT_FALSE(mayRoundByWidth("fabs"));
  EXPECT_TRUE(isLaneTest("isless"));
}
