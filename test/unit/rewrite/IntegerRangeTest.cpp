// Bounds of integers, and the types that operators compute in.
#include "rewrite/affine/IntegerRange.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;
using namespace clang;

static bool is(Range R, int64_t Lo, int64_t Hi) {
  return R.Lo == Lo && R.Hi == Hi;
}

TEST(IntegerRange, TypesOfOperands) {
  EXPECT_EQ(commonType({8, true}, {16, false}), (IntType{32, true}));
  EXPECT_EQ(commonType({32, true}, {32, false}), (IntType{32, false}));
  EXPECT_EQ(commonType({32, false}, {64, true}), (IntType{64, true}));
  EXPECT_EQ(commonType({64, true}, {64, false}), (IntType{64, false}));
}

TEST(IntegerRange, BoundsOfTypes) {
  EXPECT_TRUE(is(Range::of({8, true}), -128, 127));
  EXPECT_TRUE(is(Range::of({32, false}), 0, 4294967295));
  EXPECT_TRUE(is(Range::of({64, false}), 0, INT64_MAX));
}

TEST(IntegerRange, Arithmetic) {
  EXPECT_TRUE(is(combined(BO_Add, {0, 63}, {1, 1}), 1, 64));
  EXPECT_TRUE(is(combined(BO_Sub, {0, 63}, {0, 5}), -5, 63));
  EXPECT_TRUE(is(combined(BO_Mul, {-2, 3}, {4, 5}), -10, 15));
  EXPECT_TRUE(is(combined(BO_Shl, {0, 3}, {2, 2}), 0, 12));
  EXPECT_TRUE(is(combined(BO_And, {INT64_MIN, INT64_MAX}, {0, 255}), 0, 255));
  EXPECT_TRUE(is(combined(BO_Or, {0, 4}, {0, 9}), 0, 15));
  EXPECT_TRUE(is(combined(BO_Rem, {0, 99}, {7, 7}), 0, 6));
  EXPECT_TRUE(is(combined(BO_Div, {0, 99}, {3, 3}), 0, 33));
  EXPECT_TRUE(is(combined(BO_Shr, {0, 99}, {1, 1}), 0, 49));
}

TEST(IntegerRange, NoBoundStaysNone) {
  Range Any{0, INT64_MAX};
  EXPECT_EQ(combined(BO_Add, Any, {1, 1}).Hi, INT64_MAX);
  EXPECT_EQ(combined(BO_Mul, Any, {4, 4}).Hi, INT64_MAX);
  EXPECT_EQ(combined(BO_Mul, Any, {-4, -4}).Lo, INT64_MIN);
  EXPECT_EQ(combined(BO_Shl, Any, {0, 63}).Hi, INT64_MAX);
  EXPECT_EQ(combined(BO_Shr, Any, {60, 60}).Hi, INT64_MAX);
  EXPECT_EQ(combined(BO_Div, Any, {16, 16}).Hi, INT64_MAX);
}
