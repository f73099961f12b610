// Comparison: the witness, the counts and the distance in ulps.
#include "Compare.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace clrewrite::device;

template <typename T>
static std::optional<Difference> compare(std::vector<T> A, std::vector<T> B,
                                         const char *Type) {
  return compareBytes(reinterpret_cast<uint8_t *>(A.data()),
                      reinterpret_cast<uint8_t *>(B.data()),
                      A.size() * sizeof(T), *parseType(Type));
}

TEST(Compare, EqualBuffersHaveNoDifference) {
  EXPECT_FALSE(compare<int>({1, 2, 3}, {1, 2, 3}, "int"));
}

TEST(Compare, GivesTheFirstDifferingElement) {
  auto D = compare<int>({1, 2, 3, 4}, {1, 2, 0x10003, 5}, "int");
  ASSERT_TRUE(D);
  EXPECT_EQ(D->Offset, 10u);
  EXPECT_EQ(D->Element, 2u);
  EXPECT_EQ(D->Expected, "03000000");
  EXPECT_EQ(D->Actual, "03000100");
  EXPECT_EQ(D->Bytes, 2u);
  EXPECT_EQ(D->Elements, 2u);
  EXPECT_FALSE(D->MaxUlps);
}

TEST(Compare, MeasuresUlps) {
  float Next = std::nextafterf(1.0f, 2.0f);
  auto D = compare<float>({1.0f, -0.0f}, {Next, 0.0f}, "float");
  ASSERT_TRUE(D);
  EXPECT_EQ(D->MaxUlps, 1u);
  ASSERT_TRUE(D->MaxRelative);
  EXPECT_NEAR(*D->MaxRelative, 0x1p-23, 0x1p-40);
  EXPECT_EQ(D->Elements, 2u);
}

TEST(Compare, OneNanHasNoDistance) {
  float Nan = std::numeric_limits<float>::quiet_NaN();
  auto D = compare<float>({1.0f, 2.0f}, {Nan, 3.0f}, "float");
  ASSERT_TRUE(D);
  EXPECT_FALSE(D->MaxUlps);
  EXPECT_FALSE(D->MaxRelative);
}

TEST(Compare, RelativeDistances) {
  auto relative = [](auto X, decltype(X) Y, const char *Type) {
    auto D = compare<decltype(X)>({X, X}, {X, Y}, Type);
    return D ? D->MaxRelative.value_or(-1) : 0;
  };
  EXPECT_EQ(relative(2.0f, 1.0f, "float"), 0.5);
  EXPECT_EQ(relative(-2.0, 2.0, "double"), 2);
  EXPECT_EQ(relative(0.0f, -1e-40f, "float"), 1);
  EXPECT_EQ(relative(1e308, -1e308, "double"), 2);
  EXPECT_EQ(relative(1.0, double(INFINITY), "double"), -1);
  EXPECT_EQ(relative(uint16_t(0x4000), uint16_t(0x3c00), "half"), 0.5);
  EXPECT_EQ(relative(uint16_t(1), uint16_t(2), "half"), 0.5);
  EXPECT_EQ(relative(1, 2, "int"), -1);
}

TEST(Compare, CountsTheBytesAfterTheLastElement) {
  uint8_t A[5] = {0, 0, 0, 0, 1}, B[5] = {0, 0, 0, 0, 2};
  auto D = compareBytes(A, B, 5, *parseType("float"));
  ASSERT_TRUE(D);
  EXPECT_EQ(D->Offset, 4u);
  EXPECT_EQ(D->Expected, "01");
  EXPECT_FALSE(D->MaxUlps) << "a part of an element has no distance";
}

TEST(Compare, HashSeesEveryByte) {
  std::vector<uint8_t> Data(37, 9);
  std::string Before = hashBytes(Data.data(), Data.size());
  EXPECT_EQ(Before.size(), 16u);
  for (uint8_t &Byte : Data) {
    Byte ^= 1;
    EXPECT_NE(hashBytes(Data.data(), Data.size()), Before);
    Byte ^= 1;
  }
  EXPECT_NE(hashBytes(Data.data(), 36), Before);
}

TEST(Compare, AnyNanEqualsAnyWhereAsked) {
  float Nan = std::numeric_limits<float>::quiet_NaN();
  float A[] = {Nan, 1}, B[] = {-Nan, 1}, C[] = {-Nan, 2};
  auto compareNan = [](float *X, float *Y, bool AnyNan) {
    return compareBytes(reinterpret_cast<uint8_t *>(X),
                        reinterpret_cast<uint8_t *>(Y), 8, *parseType("float"),
                        AnyNan);
  };
  EXPECT_TRUE(compareNan(A, B, false));
  EXPECT_FALSE(compareNan(A, B, true));
  auto D = compareNan(A, C, true);
  ASSERT_TRUE(D);
  EXPECT_EQ(D->Element, 1u);
  EXPECT_EQ(D->Elements, 1u);
}

TEST(Compare, APixelIsAnElement) {
  float A[8] = {0, 1, 2, 3, 4, 5, 6, 7}, B[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  B[5] = std::nextafter(5.0f, 6.0f);
  B[7] = std::nextafter(std::nextafter(7.0f, 8.0f), 8.0f);
  auto D = compareBytes(reinterpret_cast<uint8_t *>(A),
                        reinterpret_cast<uint8_t *>(B), sizeof A,
                        *parseType("float"), false, 16);
  ASSERT_TRUE(D);
  EXPECT_EQ(D->Element, 1u);
  EXPECT_EQ(D->Elements, 1u) << "two channels, but one pixel";
  EXPECT_EQ(D->Expected.size(), 32u);
  EXPECT_EQ(D->MaxUlps, 2u);
}
