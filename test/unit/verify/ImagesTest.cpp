// Images and samplers of guessed launches.
#include "verify/Images.h"
#include "verify/Inputs.h"
#include <gtest/gtest.h>
#include <set>

using namespace clrewrite;
using namespace clrewrite::verify;
using namespace llvm;

static std::string text(const json::Value &V) {
  std::string Out;
  raw_string_ostream(Out) << V;
  return Out;
}

static KernelArgument image(const char *Type, const char *Channels,
                            bool Sampled) {
  KernelArgument A;
  A.What = KernelArgument::Image;
  A.ImageType = Type;
  A.Access = Sampled ? "r" : "w";
  A.Channels = Channels;
  A.Sampled = Sampled;
  return A;
}

TEST(Images, SizesFollowTheRange) {
  EXPECT_EQ(
      text(imageSizes(image("2d", "f", true), {64, 8}, ImageSizes::Exact)),
      R"({"height":8,"type":"2d","width":64})");
  EXPECT_EQ(
      text(imageSizes(image("2d_array", "f", true), {64}, ImageSizes::Larger)),
      R"({"height":13,"layers":9,"type":"2d_array","width":129})");
  EXPECT_EQ(text(imageSizes(image("1d", "f", true), {64, 8}, ImageSizes::Half)),
            R"({"type":"1d","width":33})");
  EXPECT_EQ(text(imageSizes(image("3d", "f", true), {4096, 4096, 4},
                            ImageSizes::Larger)),
            R"({"depth":4,"height":4096,"type":"3d","width":4096})")
      << "no larger than it must be";
}

TEST(Images, FormatsSuitTheCalls) {
  for (uint64_t I = 0; I < 12; ++I) {
    EXPECT_TRUE(
        imageFormat(image("2d", "i", true), I).Type.starts_with("SIGNED"));
    EXPECT_TRUE(
        imageFormat(image("2d", "ui", true), I).Type.starts_with("UNSIGNED"));
    EXPECT_FALSE(
        imageFormat(image("2d", "f", true), I).Type.contains("SIGNED"));
  }
  EXPECT_EQ(imageFormat(image("2d", "", true), 0).Type, "FLOAT");
}

/// The samplers of twelve rounds.
static std::set<std::string> samplers(const char *Channels, bool FloatCoords) {
  KernelArgument A;
  A.What = KernelArgument::Sampler;
  A.Channels = Channels;
  A.FloatCoords = FloatCoords;
  std::set<std::string> Out;
  for (uint64_t I = 0; I < 12; ++I)
    Out.insert(text(sampler(A, I)));
  return Out;
}

TEST(Images, SamplersAreThoseThatTheReadsAreDefinedFor) {
  EXPECT_EQ(samplers("f", true).size(), 12u);
  EXPECT_EQ(samplers("i", true).size(), 6u);
  EXPECT_EQ(samplers("", false).size(), 2u);
  for (const std::string &S : samplers("ui", true))
    EXPECT_EQ(S.find("linear"), std::string::npos) << S;
  for (const std::string &S : samplers("f", false)) {
    EXPECT_EQ(S.find("linear"), std::string::npos) << S;
    EXPECT_NE(S.find("\"normalized\":false"), std::string::npos) << S;
  }
}

TEST(Images, PixelsHaveCoordinates) {
  json::Object I{{"width", 4}, {"height", 3}, {"layers", 2}};
  EXPECT_EQ(pixelName(I, 0), "pixel (0, 0, 0)");
  EXPECT_EQ(pixelName(I, 12 + 4 + 3), "pixel (3, 1, 1)");
}

TEST(Images, OnlySampledOnesGetSmallerThanTheRange) {
  KernelShape K;
  K.Name = "k";
  K.Dimensions = 2;
  K.Arguments = {image("2d", "f", true), image("2d", "f", false)};
  Inputs In(K, {}, 1);
  auto Plan = In.plan(true);
  bool Smaller = false, Larger = false;
  std::set<std::string> Formats;
  for (unsigned Round = 0; Round < 24; ++Round) {
    const Recipe &R = Plan[Round % Plan.size()];
    TrialLaunch L = In.make(R, In.tightest(R), Round);
    auto member = [&](size_t Arg, StringRef Name) {
      return *L.Args[Arg].getAsObject()->getObject("image")->get(Name);
    };
    auto Range = int64_t(L.Global[0]);
    EXPECT_GE(*member(1, "width").getAsInteger(), Range);
    EXPECT_EQ(text(L.Args[1]).find(R"({"access":"w")"), 0u);
    Smaller |= *member(0, "width").getAsInteger() < Range;
    Larger |= *member(1, "width").getAsInteger() > Range;
    Formats.insert(member(0, "channel_type").getAsString()->str());
    if (Round == 0)
      EXPECT_EQ(member(0, "channel_type").getAsString(), "FLOAT");
  }
  EXPECT_TRUE(Smaller);
  EXPECT_TRUE(Larger);
  EXPECT_EQ(Formats.size(), 4u);
}
