// Spreads: what the runs of two versions say of how far they are apart.
#include "Spread.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace clrewrite::device;

namespace {

/// Runs of an original and of a new version, a list of elements each.
template <typename T> struct Runs {
  const char *Type;
  std::vector<std::vector<T>> Old, New;

  Spread::Summary summary() const {
    Spread S(*parseType(Type), Old[0].size() * sizeof(T));
    for (size_t I = 0; I < std::max(Old.size(), New.size()); ++I) {
      if (I < Old.size())
        S.add(reinterpret_cast<const uint8_t *>(Old[I].data()), false);
      if (I < New.size())
        S.add(reinterpret_cast<const uint8_t *>(New[I].data()), true);
    }
    return S.summary();
  }
};

TEST(Spread, RunsThatLeaveTheSameAreSteady) {
  const float Left[] = {1, 2};
  Spread S(*parseType("float"), sizeof Left);
  for (bool IsNew : {false, true, false})
    S.add(reinterpret_cast<const uint8_t *>(Left), IsNew);
  EXPECT_TRUE(S.isSteady());
  EXPECT_EQ(S.summary().Outside, 0u);
}

TEST(Spread, SaysHowManyElementsVaryAndByHowMuch) {
  Spread::Summary S = Runs<float>{
      "float",
      {{1, 4, 8}, {1, 5, 8}, {1, 4.5, 10}},
      {{1, 4, 9}}}.summary();
  EXPECT_EQ(S.Elements, 3u);
  EXPECT_EQ(S.Varying, 2u);
  EXPECT_EQ(S.Absolute, 2.0);
  EXPECT_EQ(S.Relative, 0.2);
  EXPECT_EQ(S.Outside, 0u);
  EXPECT_FALSE(S.Element);
}

TEST(Spread, MeasuresInTheWidthOfTheElement) {
  Spread::Summary S =
      Runs<int>{"int", {{10, 7}, {14, 7}}, {{16, 7}, {12, 7}}}.summary();
  EXPECT_EQ(S.Outside, 1u);
  EXPECT_EQ(S.Apart, 0u) << "12 lies within";
  EXPECT_EQ(S.Excess, 0.5);
  EXPECT_EQ(S.Element, 0u);
  EXPECT_EQ(S.OldValues, Json::array({"10", "14"}));
  EXPECT_EQ(S.NewValues, Json::array({"12", "16"}));
}

TEST(Spread, AnIntegerThatNeverVariedHasNoUnit) {
  Spread::Summary S =
      Runs<int>{"int", {{10, 7}, {14, 7}}, {{11, 8}, {12, 8}}}.summary();
  EXPECT_EQ(S.Apart, 1u);
  EXPECT_EQ(S.ApartExcess, INFINITY);
  EXPECT_EQ(S.Element, 1u) << "the one that is apart";
}

TEST(Spread, AFloatThatNeverVariedHasTheUnitOfOthers) {
  // Others vary by 1 % of their magnitude, the widest by 1.
  Spread::Summary S = Runs<float>{
      "float",
      {{100, 100, 50}, {101, 101, 50}},
      {{100, 100, 51},
       {101, 101, 51}}}.summary();
  EXPECT_EQ(S.Apart, 1u);
  EXPECT_NEAR(S.ApartExcess, 2 * 1.01, 1e-4);
}

TEST(Spread, TheUnitOfOthersIsNoMoreThanTheWidest) {
  // An element of 1e6 may not be off by 1e4 since small ones vary by 1 %.
  Spread::Summary S = Runs<float>{
      "float",
      {{100, 1e6}, {101, 1e6}},
      {{100, 1.001e6f}}}.summary();
  EXPECT_NEAR(S.ApartExcess, 1000, 1);
}

TEST(Spread, WhereNothingVariesTwoUnitsInTheLastPlaceAreTheUnit) {
  float Next = std::nextafterf(1, 2);
  Spread::Summary S =
      Runs<float>{"float", {{1}, {1}}, {{Next}, {Next}}}.summary();
  EXPECT_EQ(S.Varying, 0u);
  EXPECT_EQ(S.ApartExcess, 0.5);
}

TEST(Spread, SignedZerosAreToldApartAndNansAreNot) {
  float Nan = std::numeric_limits<float>::quiet_NaN();
  Spread::Summary S =
      Runs<float>{"float", {{0.f, Nan}, {0.f, -Nan}}, {{-0.f, -Nan}}}.summary();
  EXPECT_EQ(S.Outside, 1u);
  EXPECT_EQ(S.Element, 0u);
  S = Runs<float>{"float", {{1, 1}, {2, 1}}, {{1, Nan}}}.summary();
  EXPECT_EQ(S.Excess, INFINITY);
  EXPECT_EQ(S.NewValues, Json::array({"nan", "nan"}));
}

TEST(Spread, TheSameValuesInOtherPlacesArePermuted) {
  EXPECT_TRUE((Runs<int>{"int", {{1, 2, 3}, {3, 1, 2}}, {{2, 1, 3}}}
                   .summary()
                   .Permuted));
  EXPECT_FALSE((Runs<int>{"int", {{1, 2, 3}, {3, 1, 1}}, {{2, 1, 3}}}
                    .summary()
                    .Permuted));
  EXPECT_FALSE(
      (Runs<int>{"int", {{1, 2}, {1, 2}}, {{2, 1}}}.summary().Permuted))
      << "the original itself leaves each in its place";
}

TEST(Spread, BlocksThatVaryLateCount) {
  std::vector<int64_t> Long(3000, 5), Late = Long, Other = Long;
  Late[2999] = 6;
  Other[2999] = 9;
  Spread::Summary S =
      Runs<int64_t>{"long", {Long, Long, Late}, {Long, Other, Long}}.summary();
  EXPECT_EQ(S.Varying, 1u);
  EXPECT_EQ(S.NewVarying, 1u);
  EXPECT_EQ(S.Excess, 3.0);
  EXPECT_EQ(S.Element, 2999u);
}

TEST(Spread, BytesBeyondTheLastElementMakeAllOfThemBytes) {
  const uint8_t A[] = {1, 2, 3, 4, 5}, B[] = {1, 2, 3, 4, 6};
  Spread S(*parseType("float"), sizeof A);
  S.add(A, false);
  S.add(B, true);
  EXPECT_EQ(S.summary().Elements, 5u);
  EXPECT_EQ(S.summary().Element, 4u);
}

} // namespace
