// Type names, and the bytes of values.
#include "ScalarType.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace clrewrite::device;

static std::vector<uint8_t> bytes(const char *Type, const Json &Value) {
  auto B = scalarBytes(*parseType(Type), Value);
  EXPECT_TRUE(B) << Type << " " << Value.dump();
  return B ? *B : std::vector<uint8_t>();
}

TEST(ScalarType, KnowsOpenClsTypes) {
  EXPECT_EQ(parseType("uchar16")->bytes(), 16u);
  EXPECT_EQ(parseType("float3")->bytes(), 16u);
  EXPECT_EQ(parseType("unsigned int")->bytes(), 4u);
  EXPECT_EQ(parseType("double2")->bytes(), 16u);
  for (const char *Name : {"float5", "bool", "size_t", "float44", "", "4"})
    EXPECT_FALSE(parseType(Name)) << Name;
}

TEST(ScalarType, MakesBytes) {
  EXPECT_EQ(bytes("int", -2), (std::vector<uint8_t>{0xfe, 255, 255, 255}));
  EXPECT_EQ(bytes("uchar", 258), (std::vector<uint8_t>{2}));
  EXPECT_EQ(bytes("float", 1), (std::vector<uint8_t>{0, 0, 0x80, 0x3f}));
  EXPECT_EQ(bytes("float", "-inf"), (std::vector<uint8_t>{0, 0, 0x80, 0xff}));
  EXPECT_EQ(bytes("char3", Json{1, 2, 3}), (std::vector<uint8_t>{1, 2, 3, 0}));
  EXPECT_EQ(bytes("ulong", UINT64_MAX), std::vector<uint8_t>(8, 255));
  EXPECT_FALSE(scalarBytes(*parseType("int"), 1.5));
  EXPECT_FALSE(scalarBytes(*parseType("int2"), 1));
  EXPECT_FALSE(scalarBytes(*parseType("int2"), Json{1}));
}

TEST(ScalarType, RoundsToHalf) {
  EXPECT_EQ(halfBits(0.0), 0);
  EXPECT_EQ(halfBits(-0.0), 0x8000);
  EXPECT_EQ(halfBits(1.0), 0x3c00);
  EXPECT_EQ(halfBits(-2.0), 0xc000);
  EXPECT_EQ(halfBits(65504.0), 0x7bff);
  EXPECT_EQ(halfBits(65519.0), 0x7bff);
  EXPECT_EQ(halfBits(65520.0), 0x7c00);
  EXPECT_EQ(halfBits(std::ldexp(1.0, -24)), 1);
  EXPECT_EQ(halfBits(std::ldexp(1.0, -25)), 0); // a tie, to even
  EXPECT_EQ(halfBits(std::ldexp(1.0, -14)), 0x0400);
  EXPECT_EQ(halfBits(1.0 + std::ldexp(1.0, -11)), 0x3c00); // a tie, to even
  EXPECT_EQ(halfBits(1.0 + std::ldexp(3.0, -11)), 0x3c02);
  EXPECT_EQ(halfBits(std::nan("")) & 0x7fff, 0x7e00);
}

TEST(ScalarType, CompilersHalfAgrees) {
#if defined(__FLT16_MANT_DIG__)
  for (uint32_t Bits = 0; Bits < 0x7c00; ++Bits) {
    uint16_t Pattern = uint16_t(Bits);
    _Float16 Half;
    std::memcpy(&Half, &Pattern, sizeof Half);
    ASSERT_EQ(halfBits(double(Half)), Pattern);
  }
#else
  GTEST_SKIP() << "this compiler has no _Float16";
#endif
}
