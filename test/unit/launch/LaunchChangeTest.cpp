// What a host does otherwise at a launch: new sizes of old ones, and sentences.
#include "launch/LaunchChange.h"
#include <gtest/gtest.h>

using namespace clrewrite::launch;
using namespace llvm;

static LaunchChange change(StringRef Text) {
  Expected<LaunchChange> C = parseLaunchChange(Text);
  EXPECT_TRUE(bool(C)) << toString(C.takeError());
  return C ? *C : LaunchChange();
}

/// The new sizes as "8x4:2x2", or why there are none.
static std::string applied(StringRef Change, NDRange Old) {
  Expected<NDRange> New = change(Change).of(Old);
  if (!New)
    return toString(New.takeError());
  std::string Out;
  for (const auto &List : {New->Global, New->Local}) {
    for (size_t I = 0; I < List.size(); ++I)
      Out += (I ? "x" : "") + std::to_string(List[I]);
    Out += ":";
  }
  return Out.substr(0, Out.size() - 1);
}

TEST(LaunchChange, DividesTheGlobalSize) {
  EXPECT_EQ(applied("1x4", {{64, 32}, {16, 2}}), "64x8:16x2");
  EXPECT_EQ(applied("2", {{64, 32}, {}}), "32x32:");
  EXPECT_EQ(applied("2x2x2", {{2, 2, 2}, {1, 1, 1}}), "1x1x1:1x1x1");
  EXPECT_EQ(applied("1", {{7}, {7}}), "7:7");
}

TEST(LaunchChange, SaysWhyALaunchDoesNotFit) {
  EXPECT_EQ(applied("1x4", {{64, 30}, {}}),
            "its global size in dimension 1, 30, is not a multiple of 4");
  EXPECT_EQ(applied("2", {{48}, {16}}), "its local size in dimension 0, 16, "
                                        "does not divide the new global size, "
                                        "24");
  EXPECT_EQ(applied("1x2", {{48}, {16}}),
            "it has 1 dimension, fewer than the new version needs");
  EXPECT_EQ(applied("1:16x16", {{48}, {16}}),
            "it has 1 dimension, fewer than the new version needs");
  EXPECT_EQ(applied("1x2", {{4, 4}, {}, {0, 3}}),
            "its global ids begin at 3 in dimension 1, and must begin at 0");
  EXPECT_EQ(applied("2x1", {{4, 4}, {}, {0, 3}}), "2x4:");
}

TEST(LaunchChange, RoundsUpWhatIsDivided) {
  EXPECT_EQ(applied("1x4:round-up", {{64, 30}, {16, 3}}), "64x9:16x3");
  EXPECT_EQ(applied("1x4:round-up", {{64, 30}, {}}), "64x8:");
  // Only the dimension that is divided has a guard.
  EXPECT_EQ(applied("1x4:7x3:round-up", {{64, 30}, {}}),
            "its local size in dimension 0, 7, does not divide the new global "
            "size, 64");
}

TEST(LaunchChange, SetsTheLocalSize) {
  EXPECT_EQ(applied("1:16x4", {{64, 32}, {8, 8}}), "64x32:16x4");
  EXPECT_EQ(applied("1:16", {{64, 32}, {}}), "64x32:16x1");
  EXPECT_EQ(applied("1:16x4x1", {{64, 32}, {}}), "64x32:16x4");
  EXPECT_EQ(applied("1x4:16x4", {{64, 32}, {8, 8}}), "64x8:16x4");
}

TEST(LaunchChange, IsASentence) {
  EXPECT_EQ(change("1x4").sentence("k"),
            "launch k with a quarter of its global size in dimension 1, which "
            "must be a multiple of 4");
  EXPECT_EQ(change("2x1x8:round-up").sentence("k"),
            "launch k with half of its global size in dimension 0, rounded up "
            "to whole work-groups, and with an eighth of its global size in "
            "dimension 2, rounded up to whole work-groups");
  EXPECT_EQ(change("3:8x8").sentence("k"),
            "launch k with 1/3 of its global size in dimension 0, which must "
            "be a multiple of 3, and with the local size 8x8");
}

TEST(LaunchChange, IsReadAsItIsWritten) {
  for (const char *Text :
       {"1", "1x4", "2:round-up", "1:32", "1x8:16x16", "1x2:4x4:round-up"}) {
    LaunchChange C = change(Text), Again;
    EXPECT_EQ(C.text(), Text);
    json::Path::Root Root;
    EXPECT_TRUE(fromJSON(toJSON(C), Again, Root));
    EXPECT_TRUE(C == Again) << Text;
  }
  EXPECT_TRUE(change("1").empty());
  for (const char *Wrong : {"", "0", "x", "1x", "2:", "1:0", "1x1x1x1", "2:3:4",
                            "-1", "2:up", "5000000000"})
    EXPECT_FALSE(bool(expectedToOptional(parseLaunchChange(Wrong)))) << Wrong;
  json::Path::Root Root;
  LaunchChange C;
  EXPECT_FALSE(fromJSON(
      json::Object{{"factors", json::Array{0}}, {"round_up", false}}, C, Root));
}

TEST(LaunchChange, Composes) {
  auto sum = [](StringRef A, StringRef B) {
    std::optional<LaunchChange> C = both(change(A), change(B));
    return C ? C->text() : "none";
  };
  EXPECT_EQ(sum("2", "1x4"), "2x4");
  EXPECT_EQ(sum("2", "4"), "8");
  EXPECT_EQ(sum("1x4:round-up", "1:16x4"), "1x4:16x4:round-up");
  EXPECT_EQ(sum("2:round-up", "1x4"), "2x4");
  EXPECT_EQ(sum("1:8", "1:8"), "1:8");
  EXPECT_EQ(sum("1:8", "1:16"), "none");
  EXPECT_EQ(sum("1", "1"), "1");
}

TEST(LaunchChange, GivesAVersionItsSizes) {
  json::Object Same, New;
  EXPECT_FALSE(bool(change("1").addTo(Same, {{8}, {4}})));
  EXPECT_TRUE(Same.empty());
  EXPECT_FALSE(bool(change("2").addTo(New, {{8}, {4}})));
  EXPECT_EQ(json::Value(std::move(New)),
            json::Value(json::Object{{"global", json::Array{4}},
                                     {"local", json::Array{4}},
                                     {"offset", nullptr}}));
}
