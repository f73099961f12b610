// Buffer contents: the published generator, the ranges, and refusals.
#include "Fill.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <set>

using namespace clrewrite::device;

template <typename T>
static std::vector<T> fill(const char *How, const char *Type, size_t Count,
                           uint64_t Seed = 1) {
  auto F = parseFill(How, *parseType(Type));
  EXPECT_TRUE(F) << How;
  std::vector<T> Values(Count);
  fillBytes(*F, Seed, reinterpret_cast<uint8_t *>(Values.data()),
            Count * sizeof(T));
  return Values;
}

TEST(Fill, IsSplitmix64) {
  // The first outputs of the reference implementation for seed 0.
  EXPECT_EQ(randomWord(0, 0), 0xe220a8397b1dcdafu);
  EXPECT_EQ(randomWord(0, 1), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(randomWord(0, 2), 0x06c45d188009454fu);
}

TEST(Fill, RandomIsTheWordsBytes) {
  auto Words = fill<uint64_t>("random", "uchar", 2, 0);
  EXPECT_EQ(Words[0], 0xe220a8397b1dcdafu);
  auto Bytes = fill<uint8_t>("random", "uchar", 3, 0);
  EXPECT_EQ(Bytes, (std::vector<uint8_t>{0xaf, 0xcd, 0x1d}));
}

TEST(Fill, IntsStayInRangeAndReachBothEnds) {
  auto Values = fill<int>("ints:-3:4", "int", 1000);
  EXPECT_EQ(*std::min_element(Values.begin(), Values.end()), -3);
  EXPECT_EQ(*std::max_element(Values.begin(), Values.end()), 4);
  auto Shorts = fill<int16_t>("ints:7:7", "short", 3);
  EXPECT_EQ(Shorts, (std::vector<int16_t>{7, 7, 7}));
}

TEST(Fill, IntsAreTheWordsRemainders) {
  // Spans around powers of two, and so large that twice of one has 65 bits.
  for (uint64_t Span :
       {uint64_t(1), uint64_t(2), uint64_t(3), uint64_t(1000),
        (uint64_t(1) << 32) - 1, uint64_t(1) << 32, (uint64_t(1) << 32) + 1,
        (uint64_t(1) << 63) - 1, uint64_t(1) << 63, (uint64_t(1) << 63) + 1,
        ~uint64_t(0), uint64_t(0)}) {
    int64_t Low = Span > uint64_t(1) << 62 || !Span ? INT64_MIN : -7;
    std::string How = "ints:" + std::to_string(Low) + ":" +
                      std::to_string(int64_t(uint64_t(Low) + Span - 1));
    auto Values = fill<uint64_t>(How.c_str(), "long", 2000, 9);
    for (size_t I = 0; I < Values.size(); ++I) {
      uint64_t Word = randomWord(9, I);
      ASSERT_EQ(Values[I], uint64_t(Low) + (Span ? Word % Span : Word)) << How;
    }
  }
}

TEST(Fill, ElementsAreMadeOfTheirWordAlone) {
  auto Floats = fill<float>("floats:-2:0.5", "float", 100, 3);
  auto Doubles = fill<double>("floats:-2:0.5", "double", 100, 3);
  auto Bytes = fill<uint8_t>("ints:0:255", "uchar", 100, 3);
  auto Powers = fill<int16_t>("ints:-5:26", "short", 100, 3);
  auto Others = fill<int>("ints:-5:25", "int", 100, 3);
  auto Among = fill<int16_t>("among:7:8:9", "short", 100, 3);
  auto Specials = fill<uint32_t>("specials", "uint", 100, 3);
  uint32_t Known[] = {0,       1,        2,        ~0u,
                      ~0u - 1, 1u << 31, ~0u >> 1, (1u << 31) + 1};
  for (size_t I = 0; I < 100; ++I) {
    uint64_t Word = randomWord(3, I);
    double Real = -2 + 2.5 * (double(Word >> 11) * 0x1p-53);
    EXPECT_EQ(Doubles[I], Real);
    EXPECT_EQ(Floats[I], float(Real));
    EXPECT_EQ(Bytes[I], Word % 256);
    EXPECT_EQ(Powers[I], -5 + int(Word % 32));
    EXPECT_EQ(Others[I], -5 + int(Word % 31));
    EXPECT_EQ(Among[I], 7 + int(Word % 3));
    EXPECT_EQ(Specials[I], Word % 4 ? uint32_t(randomWord(Word, 0))
                                    : Known[(Word >> 2) % 8]);
  }
}

TEST(Fill, FloatsStayInRange) {
  for (float V : fill<float>("floats:-2:0.5", "float", 1000)) {
    EXPECT_GE(V, -2.0f);
    EXPECT_LE(V, 0.5f);
  }
  for (double V : fill<double>("floats:1:2", "double", 100))
    EXPECT_GE(V, 1.0);
}

TEST(Fill, SpecialsHoldWhatBreaksNaiveCode) {
  bool Nan = false, Infinity = false, Denormal = false, MinusZero = false;
  for (float V : fill<float>("specials", "float", 2000)) {
    Nan |= std::isnan(V);
    Infinity |= std::isinf(V);
    Denormal |= std::fpclassify(V) == FP_SUBNORMAL;
    MinusZero |= V == 0 && std::signbit(V);
  }
  EXPECT_TRUE(Nan && Infinity && Denormal && MinusZero);
}

TEST(Fill, OtherKinds) {
  EXPECT_EQ(fill<int>("iota", "int", 3), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(fill<float>("iota", "float", 2), (std::vector<float>{0, 1}));
  EXPECT_EQ(fill<int>("zeros", "int", 1)[0], 0);
  EXPECT_EQ(fill<uint32_t>("byte:171", "int", 1)[0], 0xababababu);
  EXPECT_EQ(fill<uint32_t>("base64:AQID", "int", 2),
            (std::vector<uint32_t>{0x030201, 0}));
}

TEST(Fill, RefusesWhatDoesNotSuit) {
  for (auto [How, Type] : {std::pair{"ints:0:1", "float"},
                           {"floats:0:1", "int"},
                           {"ints:2:1", "int"},
                           {"ints:1", "int"},
                           {"ints:a:b", "int"},
                           {"floats:0:inf", "float"},
                           {"byte:256", "int"},
                           {"base64:?", "int"},
                           {"", "int"},
                           {"among:", "int"},
                           {"among:1:x", "int"},
                           {"bits:", "float"},
                           {"bits:-1", "int"},
                           {"bits:1.5", "float"},
                           {"perlin", "int"}})
    EXPECT_FALSE(parseFill(How, *parseType(Type))) << How;
}

TEST(Fill, AmongTakesOnlyTheNumbersThatAreNamed) {
  std::set<int16_t> Shorts;
  for (int16_t V : fill<int16_t>("among:77:-1:0x10001", "short", 100))
    Shorts.insert(V);
  EXPECT_EQ(Shorts, (std::set<int16_t>{77, -1, 1})) << "cut off to its bits";
  std::set<float> Floats;
  for (float V : fill<float>("among:0.1:2.5e+0", "float", 100))
    Floats.insert(V);
  EXPECT_EQ(Floats, (std::set<float>{0.1f, 2.5f})) << "rounded to the type";
}

TEST(Fill, BitsAreThoseOfTheElement) {
  std::set<uint32_t> Nans;
  for (uint32_t V : fill<uint32_t>("bits:0x7fc00001:0xffc00002", "float", 100))
    Nans.insert(V);
  EXPECT_EQ(Nans, (std::set<uint32_t>{0x7fc00001, 0xffc00002}));
  EXPECT_EQ(fill<uint64_t>("bits:18446744073709551615", "ulong", 1),
            std::vector<uint64_t>{~uint64_t(0)});
}
