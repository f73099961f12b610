// Launches as the user writes them, and the arguments made from them.
#include "measure/LaunchArguments.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::launch;
using namespace clrewrite::measure;
using namespace llvm;

static std::string problem(StringRef Text) {
  auto L = parseLaunch(Text);
  return L ? "" : toString(L.takeError());
}

TEST(Launch, AllParts) {
  auto L = parseLaunch("box_sum:1024x512:64x4,width=1024,in=4M");
  ASSERT_TRUE(bool(L));
  EXPECT_EQ(L->Kernel, "box_sum");
  EXPECT_EQ(L->Global, (std::vector<uint64_t>{1024, 512}));
  EXPECT_EQ(L->Local, (std::vector<uint64_t>{64, 4}));
  EXPECT_EQ(L->items(), 1024u * 512);
  EXPECT_EQ(L->Arguments["in"], "4M");
  EXPECT_TRUE(parseLaunch("f:7")->Local.empty());
}

TEST(Launch, WhatIsWrongIsSaid) {
  EXPECT_NE(problem("f").find("global size are missing"), std::string::npos);
  EXPECT_NE(problem("f:0").find("not 1 to 3 numbers"), std::string::npos);
  EXPECT_NE(problem("f:1x2x3x4").find("not 1 to 3"), std::string::npos);
  EXPECT_NE(problem("f:64x4:8").find("other dimensions"), std::string::npos);
  EXPECT_NE(problem("f:65:64").find("does not divide"), std::string::npos);
  EXPECT_NE(problem("f:64,n").find("'n' is not ARGUMENT=VALUE"),
            std::string::npos);
}

TEST(Launch, FromAComment) {
  auto L = parseLaunchComment("f", " global=64x4 in=4M\n * local=8x4, n=7 ");
  ASSERT_TRUE(bool(L));
  EXPECT_EQ(L->Kernel, "f");
  EXPECT_EQ(L->Global, (std::vector<uint64_t>{64, 4}));
  EXPECT_EQ(L->Local, (std::vector<uint64_t>{8, 4}));
  EXPECT_EQ(L->Arguments,
            (std::map<std::string, std::string>{{"in", "4M"}, {"n", "7"}}));
  auto problem = [](StringRef Text) {
    auto L = parseLaunchComment("f", Text);
    return L ? "" : toString(L.takeError());
  };
  EXPECT_EQ(problem("n=7"), "global=SIZE is missing");
  EXPECT_EQ(problem("global=8 n"), "'n' is not NAME=VALUE");
  EXPECT_EQ(problem("global=8 n=1 n=2"), "'n' is given twice");
  EXPECT_EQ(problem("global=8 local=3"),
            "the local size does not divide the global one");
}

TEST(Launch, Bytes) {
  EXPECT_EQ(*parseBytes("64K"), 65536u);
  EXPECT_EQ(*parseBytes("3g"), 3ull << 30);
  EXPECT_EQ(bytesText(3ull << 30), "3G");
  EXPECT_EQ(bytesText(1536), "1536");
  EXPECT_EQ(bytesText(3 << 19), "1536K");
  for (StringRef Bad : {"", "K", "0", "-1", "99999999999G"}) {
    auto N = parseBytes(Bad);
    EXPECT_FALSE(bool(N)) << Bad.str();
    consumeError(N.takeError());
  }
}

namespace {

json::Object parameter(StringRef Name, StringRef Type, StringRef Address,
                       bool Const = false) {
  json::Array Qualifiers;
  if (Const)
    Qualifiers.push_back("const");
  return json::Object{{"name", Name},
                      {"type", Type},
                      {"address", Address},
                      {"qualifiers", std::move(Qualifiers)}};
}

std::string arguments(StringRef Text, json::Object Parameter,
                      StringRef KnownType = "") {
  json::Array Parameters;
  if (!Parameter.empty())
    Parameters.push_back(std::move(Parameter));
  Launch L = *parseLaunch(Text);
  if (!KnownType.empty())
    L.Types[0] = KnownType.str();
  auto A = launchArguments(L, Parameters);
  return A ? formatv("{0}", json::Value(std::move(*A))).str()
           : toString(A.takeError());
}

} // namespace

TEST(LaunchArguments, BuffersAreSizedAndFilledByTheirType) {
  EXPECT_EQ(arguments("f:16", parameter("in", "float16*", "global", true)),
            R"([{"access":"r","buffer":{"bytes":66560,"fill":"floats:-1:1",)"
            R"("type":"float16"}}])");
  EXPECT_EQ(arguments("f:1,0=8K", parameter("out", "uchar*", "global")),
            R"([{"access":"rw","buffer":{"bytes":8192,"fill":"ints:0:100",)"
            R"("type":"uchar"}}])");
  EXPECT_EQ(arguments("f:1,t=64", parameter("t", "node*", "global")),
            R"([{"access":"rw","buffer":{"bytes":64,"fill":"zeros"}}])");
  EXPECT_EQ(arguments("f:1,t=64", parameter("t", "int*", "local")),
            R"([{"local":64}])");
}

TEST(LaunchArguments, ScalarsVectorsAndStructs) {
  EXPECT_EQ(arguments("f:1,n=-3", parameter("n", "int", "private")),
            R"([{"scalar":{"type":"int","value":-3}}])");
  EXPECT_EQ(arguments("f:1,v=1/2.5", parameter("v", "float2", "private")),
            R"([{"scalar":{"type":"float2","value":[1,2.5]}}])");
  EXPECT_EQ(arguments("f:1,s=int:1/256", parameter("s", "size", "private")),
            R"([{"bytes":"AQAAAAABAAA="}])");
}

TEST(LaunchArguments, TypedefsMeanWhatTheFrontEndSays) {
  EXPECT_EQ(arguments("f:1,k=1.5", parameter("k", "real", "private"), "float"),
            R"([{"scalar":{"type":"float","value":1.5}}])");
  EXPECT_EQ(arguments("f:1,a=64", parameter("a", "real*", "global"), "float"),
            R"([{"access":"rw","buffer":{"bytes":64,"fill":"floats:-1:1",)"
            R"("type":"float"}}])");
}

TEST(LaunchArguments, WhatIsMissingIsSaid) {
  EXPECT_EQ(arguments("f:1", parameter("n", "int", "private")),
            "argument 0 'n' needs a value in --launch (type int)");
  EXPECT_EQ(arguments("f:1", parameter("t", "int*", "local")),
            "argument 0 't' needs its bytes in --launch (local memory)");
  EXPECT_EQ(arguments("f:1,n=x", parameter("n", "int", "private")),
            "argument 0 'n' 'x' is no value of type int");
  EXPECT_EQ(arguments("f:1,m=1", {}), "kernel f has no parameter 'm'");
}

static json::Object imageParameter(StringRef Type, StringRef Access) {
  return json::Object{
      {"name", "i"}, {"type", Type}, {"address", "global"}, {"access", Access}};
}

TEST(LaunchArguments, ImagesAreAsLargeAsTheRange) {
  EXPECT_EQ(arguments("f:64x8", imageParameter("image2d_t", "read_only")),
            R"([{"access":"r","image":{"channel_order":"RGBA",)"
            R"("channel_type":"FLOAT","fill":"floats:0:1","height":8,)"
            R"("type":"2d","width":64}}])");
  EXPECT_EQ(arguments("f:64,i=5x3x2:R:UNORM_INT8",
                      imageParameter("image2d_array_t", "write_only")),
            R"([{"access":"w","image":{"channel_order":"R",)"
            R"("channel_type":"UNORM_INT8","fill":"random","height":3,)"
            R"("layers":2,"type":"2d_array","width":5}}])");
  EXPECT_EQ(arguments("f:64,i=SIGNED_INT8",
                      imageParameter("__read_write image1d_t", "read_write")),
            R"([{"access":"rw","image":{"channel_order":"RGBA",)"
            R"("channel_type":"SIGNED_INT8","fill":"ints:0:100",)"
            R"("type":"1d","width":64}}])");
  // What the front end knows decides the type.
  Launch L = *parseLaunch("f:64");
  L.Channels[0] = "ui";
  auto A =
      launchArguments(L, json::Array{imageParameter("image1d_t", "read_only")});
  ASSERT_TRUE(bool(A));
  EXPECT_NE(formatv("{0}", json::Value(std::move(*A)))
                .str()
                .find(R"("channel_type":"UNSIGNED_INT32")"),
            std::string::npos);
}

TEST(LaunchArguments, SamplersAreWords) {
  auto Sampler = [](StringRef Text) {
    return arguments(Text, parameter("s", "sampler_t", "private"));
  };
  EXPECT_EQ(Sampler("f:1"),
            R"([{"sampler":{"address":"clamp_to_edge","filter":"nearest",)"
            R"("normalized":false}}])");
  EXPECT_EQ(Sampler("f:1,s=repeat+linear+normalized"),
            R"([{"sampler":{"address":"repeat","filter":"linear",)"
            R"("normalized":true}}])");
  EXPECT_EQ(Sampler("f:1,s=repeat"),
            "argument 0 's' repeat needs normalized coordinates: "
            "repeat+normalized");
  EXPECT_EQ(Sampler("f:1,s=cubic"),
            "argument 0 's' 'cubic' is no word for a sampler: none, "
            "clamp_to_edge, clamp, repeat or mirrored_repeat, nearest or "
            "linear, normalized or unnormalized, joined by +");
}

TEST(LaunchArguments, WhatIsWrongWithAnImageIsSaid) {
  auto Image = [](StringRef Text, StringRef Type = "image2d_t") {
    return arguments(Text, imageParameter(Type, "read_only"));
  };
  EXPECT_EQ(Image("f:1,i=64"),
            "argument 0 'i' '64' is not widthxheight, e.g. 640x480");
  EXPECT_EQ(Image("f:1,i=64x0"),
            "argument 0 'i' '64x0' is not widthxheight, e.g. 640x480");
  EXPECT_EQ(
      Image("f:1,i=64x64:RGBX")
          .find("argument 0 'i' 'RGBX' is no size, channel order (R, A, "),
      0u);
  EXPECT_EQ(Image("f:1", "image2d_depth_t"),
            "argument 0 'i' can't be given: it is an image2d_depth_t");
}
