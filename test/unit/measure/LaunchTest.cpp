// Launches as the user writes them, and the arguments made from them.
#include "measure/LaunchArguments.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace clrewrite;
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

std::string arguments(StringRef Text, json::Object Parameter) {
  json::Array Parameters;
  if (!Parameter.empty())
    Parameters.push_back(std::move(Parameter));
  auto A = launchArguments(*parseLaunch(Text), Parameters);
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

TEST(LaunchArguments, WhatIsMissingIsSaid) {
  EXPECT_EQ(arguments("f:1", parameter("n", "int", "private")),
            "argument 0 'n' needs a value in --launch (type int)");
  EXPECT_EQ(arguments("f:1", parameter("t", "int*", "local")),
            "argument 0 't' needs its bytes in --launch (local memory)");
  EXPECT_EQ(arguments("f:1,n=x", parameter("n", "int", "private")),
            "argument 0 'n' 'x' is no value of type int");
  EXPECT_EQ(arguments("f:1,m=1", {}), "kernel f has no parameter 'm'");
}
