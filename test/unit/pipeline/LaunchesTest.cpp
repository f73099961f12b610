// Launches of a file: comments against the command line, and what is wrong.
#include "pipeline/Launches.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::pipeline;
using namespace llvm;

static rewrite::KernelInfo
kernel(std::vector<rewrite::LaunchComment> Launches) {
  rewrite::KernelInfo K;
  K.Name = "f";
  K.Args = {{"in", true, "float4", 16},
            {"n", false, "int", 4},
            {"size", false, "", 8}};
  K.Launches = std::move(Launches);
  return K;
}

static std::string problem(const char *Text) {
  auto L = launchesOf("k.cl", {kernel({{3, Text}})}, {});
  return L ? "" : toString(L.takeError());
}

TEST(Launches, TheFirstCommentIsTimedAndAllVerify) {
  auto L = launchesOf("k.cl",
                      {kernel({{1, "global=64 local=8 n=5 size=int:1/2 in=1K"},
                               {2, "global=32x2 1=7"}})},
                      {});
  ASSERT_TRUE(bool(L));
  ASSERT_EQ(L->Timed.size(), 1u);
  EXPECT_EQ(L->Timed[0].Global, (std::vector<uint64_t>{64}));
  const auto &Shapes = L->Verified["f"];
  ASSERT_EQ(Shapes.size(), 2u);
  EXPECT_EQ(Shapes[0].Local, (std::vector<uint64_t>{8}));
  EXPECT_EQ(Shapes[0].Values.size(), 2u);
  EXPECT_EQ(Shapes[0].Bytes[0].second, 1024u);
  EXPECT_EQ(Shapes[1].Values[0].first, "n") << "by its number";
}

TEST(Launches, TheCommandLineWins) {
  launch::Launch Given;
  Given.Kernel = "f";
  Given.Global = {16};
  auto L = launchesOf("k.cl", {kernel({{1, "global=64"}})}, {Given});
  ASSERT_TRUE(bool(L));
  ASSERT_EQ(L->Timed.size(), 1u);
  EXPECT_EQ(L->Timed[0].Global, Given.Global);
  ASSERT_EQ(L->Verified["f"].size(), 1u);
  EXPECT_EQ(L->Verified["f"][0].Global, (std::vector<uint64_t>{16}));
}

TEST(Launches, WhatIsWrongIsSaidWithItsPlace) {
  EXPECT_EQ(problem("global=64 m=3"),
            "k.cl:3: error: launch comment of kernel f: the kernel has no "
            "parameter 'm' (known: in, n, size); write it like this: // "
            "clrewrite: launch global=1024x1024 local=16x16 n=1024 in=4M");
  EXPECT_NE(problem("local=8").find("global=SIZE is missing"),
            std::string::npos);
  EXPECT_NE(problem("global=8 n=x").find("parameter 'n': 'x' is no value"),
            std::string::npos);
  EXPECT_NE(problem("global=8 in=x").find("'x' is not a number of bytes"),
            std::string::npos);
  EXPECT_NE(problem("global=8 size=int:1").find("has 4 bytes, the parameter 8"),
            std::string::npos);
}

static unsigned Reads = 0;

static RecordedLaunch recorded(const char *Scalar, double Ns, bool Data) {
  RecordedLaunch L;
  L.Kernel = "f";
  L.Global = {64};
  L.TotalNs = Ns;
  json::Object Buffer{{"buffer", json::Object{{"bytes", 64}}}};
  L.Recorded =
      json::Array{json::Object(Buffer), json::Object{{"bytes", Scalar}},
                  json::Object{{"bytes", "AAAAAAAAAAA="}}};
  L.Data = [Args = *L.Recorded, Data]() -> Expected<json::Array> {
    ++Reads;
    if (!Data)
      return createStringError("nobody asked");
    json::Array Out = Args;
    (*Out[0].getAsObject()->getObject("buffer"))["fill"] = "base64:AA==";
    return Out;
  };
  return L;
}

TEST(Launches, OneWithDataStandsForThoseThatDifferInScalars) {
  RecordedLaunch First = recorded("AAAAAA==", 10, true),
                 Later = recorded("AQAAAA==", 90, false);
  FileLaunches L = launchesOf({First, Later}, {kernel({})});
  ASSERT_EQ(L.Timed.size(), 1u);
  const json::Array &Args = *L.Timed[0].Recorded;
  EXPECT_EQ(Args[1].getAsObject()->getString("bytes"), "AAAAAA==")
      << "data go with their own scalars";
  const json::Object &Buffer = *Args[0].getAsObject()->getObject("buffer");
  EXPECT_EQ(Buffer.getString("fill"), "base64:AA==");
  EXPECT_EQ(Buffer.getString("type"), "float4");
  EXPECT_EQ(L.Timed[0].MadeUp, "");
}

TEST(Launches, MadeUpContentsHaveAReason) {
  RecordedLaunch First = recorded("AAAAAA==", 10, true),
                 Large = recorded("AQAAAA==", 90, false);
  Large.Global = {4096};
  FileLaunches L = launchesOf({First, Large}, {kernel({})});
  ASSERT_EQ(L.Timed.size(), 1u);
  EXPECT_EQ(L.Timed[0].Global, Large.Global)
      << "another size is another launch";
  EXPECT_EQ(L.Timed[0].MadeUp, "nobody asked");
}

TEST(Launches, DataOfWhatIsNotUsedIsNotRead) {
  std::vector<RecordedLaunch> All;
  for (unsigned Items = 1; Items <= 9; ++Items) {
    All.push_back(recorded("AAAAAA==", Items, true));
    All.back().Global = {Items};
  }
  Reads = 0;
  FileLaunches L = launchesOf(All, {kernel({})});
  EXPECT_EQ(L.Timed[0].Global, (std::vector<uint64_t>{9}));
  EXPECT_EQ(L.Verified["f"].size(), 6u); // with their data, and with others
  EXPECT_EQ(Reads, 3u);
}
