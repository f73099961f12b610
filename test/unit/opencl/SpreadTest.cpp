// Verdicts on the spreads that the device program tells.
#include "opencl/Spread.h"
#include <gtest/gtest.h>

using namespace clrewrite::opencl;
using namespace llvm;

namespace {

/// An answer whose only buffer has \p Members.
DeviceAnswer spreadOf(json::Object Members, int64_t Runs = 16) {
  json::Object B{{"arg", 1},
                 {"elements", 1000},
                 {"varying", 100},
                 {"max_absolute", 3e-7},
                 {"max_relative", 2e-7},
                 {"permuted", false},
                 {"new_varying", 100},
                 {"outside", 0},
                 {"apart", 0},
                 {"excess", 0},
                 {"apart_excess", 0},
                 {"element", nullptr}};
  for (auto &[Name, Value] : Members)
    B[Name] = Value;
  DeviceAnswer A;
  A.Body["spread"] =
      json::Object{{"runs", Runs}, {"buffers", json::Array{std::move(B)}}};
  return A;
}

SpreadVerdict::Kind judged(json::Object Members) {
  return judgeSpread(spreadOf(std::move(Members))).Is;
}

TEST(SpreadVerdict, SaysWhatTheOriginalDoes) {
  SpreadVerdict V = judgeSpread(spreadOf(json::Object()));
  EXPECT_EQ(V.Is, SpreadVerdict::Agrees);
  EXPECT_EQ(V.Runs, 16u);
  EXPECT_EQ(V.spread(), "100 of 1000 elements vary by up to 3e-07 (2e-07 of "
                        "the larger value)");
}

TEST(SpreadVerdict, EightUnitsAreWithinAndMoreAreNot) {
  EXPECT_EQ(judged(json::Object{{"outside", 30}, {"excess", 8.0}}),
            SpreadVerdict::Agrees);
  EXPECT_EQ(judged(json::Object{{"outside", 1}, {"excess", 8.1}}),
            SpreadVerdict::Beyond);
  EXPECT_EQ(judged(json::Object{{"outside", 1}, {"excess", nullptr}}),
            SpreadVerdict::Beyond);
}

TEST(SpreadVerdict, WhatIsFarAwayInAllRunsIsDifferent) {
  EXPECT_EQ(judged(json::Object{{"outside", 1},
                                {"excess", 9.0},
                                {"apart", 1},
                                {"apart_excess", 8.5}}),
            SpreadVerdict::Differs);
  EXPECT_EQ(judged(json::Object{{"outside", 1},
                                {"excess", nullptr},
                                {"apart", 1},
                                {"apart_excess", nullptr}}),
            SpreadVerdict::Differs)
      << "an integer that never varied";
}

TEST(SpreadVerdict, ASmallErrorOfManyElementsIsBeyond) {
  auto of = [](int64_t Apart) {
    return judged(json::Object{{"outside", 60},
                               {"excess", 2.0},
                               {"apart", Apart},
                               {"apart_excess", 1.0}});
  };
  EXPECT_EQ(of(5), SpreadVerdict::Agrees);
  EXPECT_EQ(of(6), SpreadVerdict::Beyond);
}

TEST(SpreadVerdict, WhereNothingVariedNothingIsWithin) {
  EXPECT_EQ(
      judged(json::Object{{"varying", 0}, {"outside", 1}, {"excess", 1.0}}),
      SpreadVerdict::Beyond);
  EXPECT_EQ(judged(json::Object{{"varying", 0},
                                {"outside", 1},
                                {"excess", 1e5},
                                {"apart", 1},
                                {"apart_excess", 1e5}}),
            SpreadVerdict::Differs);
}

TEST(SpreadVerdict, SlotsThatACounterHandsOutAreDeclined) {
  SpreadVerdict V = judgeSpread(spreadOf(json::Object{{"permuted", true}}));
  EXPECT_EQ(V.Is, SpreadVerdict::Permuted);
  EXPECT_NE(V.What.find("atomic counter"), std::string::npos);
}

TEST(SpreadVerdict, ElementsAreToldWithTheirValues) {
  SpreadVerdict V = judgeSpread(spreadOf(json::Object{
      {"outside", 1},
      {"excess", 90.0},
      {"apart", 1},
      {"apart_excess", 88.0},
      {"element", json::Object{{"index", 7},
                               {"old", json::Array{"1.25", "1.5"}},
                               {"new", json::Array{"2.5", "2.5"}}}}}));
  EXPECT_EQ(V.What, "argument 1, element 7: 2.5 in 16 runs, where 16 runs of "
                    "the original leave 1.25 to 1.5");
  EXPECT_EQ(V.Element, 7u);
}

TEST(SpreadVerdict, AnOlderDeviceProgramIsTold) {
  SpreadVerdict V = judgeSpread({});
  EXPECT_EQ(V.Is, SpreadVerdict::Failed);
  EXPECT_NE(V.What.find("older"), std::string::npos);
}

TEST(SpreadVerdict, WhatDoesNotAgreeIsRunOftener) {
  std::vector<int64_t> Asked;
  bool Agrees = false;
  auto call = [&](json::Object Job) {
    Asked.push_back(Job.getInteger("spread").value_or(0));
    return spreadOf(json::Object{{"outside", Agrees ? 0 : 1}, {"excess", 9.0}},
                    Asked.back());
  };
  EXPECT_EQ(compareSpread(json::Object(), call).Is, SpreadVerdict::Beyond);
  EXPECT_EQ(Asked, (std::vector<int64_t>{16, 64}));
  Agrees = true;
  EXPECT_EQ(compareSpread(json::Object(), call).Is, SpreadVerdict::Agrees);
  EXPECT_EQ(Asked.size(), 3u);
}

} // namespace
