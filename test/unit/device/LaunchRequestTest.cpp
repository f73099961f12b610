// The job `run`: what is read, and the messages for what is wrong.
#include "LaunchRequest.h"
#include <gtest/gtest.h>

using namespace clrewrite::device;

static Result<LaunchRequest> parse(const std::string &Text) {
  Json Object = Json::parse(Text, nullptr, false);
  EXPECT_FALSE(Object.is_discarded()) << Text;
  std::string Wrong;
  Request Job(Object, "", Wrong);
  return parseLaunch(Job);
}

/// A job with \p Args and the members \p Rest.
static std::string job(const std::string &Args, const std::string &Rest = "") {
  return R"({"versions":[{"source":"s","kernel":"k"}],"global":[8],"args":[)" +
         Args + "]" + Rest + "}";
}

TEST(LaunchRequest, ReadsEveryKindOfArgument) {
  auto L = parse(job(R"({"buffer":{"bytes":16,"fill":"ints:0:9"},"access":"r"},
    {"buffer":null},{"local":64},{"scalar":{"type":"int","value":-1}},
    {"scalar":{"type":"float2","value":[1,"inf"]}},{"bytes":"AQI="})",
                     R"(,"guard":"start","local":[4],"offset":null)"));
  ASSERT_TRUE(L) << L.problem().Message;
  auto &A = L->Arguments;
  ASSERT_EQ(A.size(), 6u);
  EXPECT_EQ(A[0].What, Argument::Buffer);
  EXPECT_EQ(A[0].Contents.Type.Size, 4u);
  EXPECT_EQ(A[0].Access, "r");
  EXPECT_EQ(A[1].What, Argument::NullBuffer);
  EXPECT_EQ(A[2].Bytes, 64u);
  EXPECT_EQ(A[3].Constant, (std::vector<uint8_t>{255, 255, 255, 255}));
  EXPECT_EQ(A[4].Constant.size(), 8u);
  EXPECT_EQ(A[5].Constant, (std::vector<uint8_t>{1, 2}));
  EXPECT_EQ(L->TheGuard, Guard::Start);
  EXPECT_EQ(L->Versions[0].Sizes.Local, std::vector<size_t>{4});
}

TEST(LaunchRequest, AVersionMayHaveSizesOfItsOwn) {
  auto L = parse(R"({"versions":[{"source":"s","kernel":"k"},
    {"source":"t","kernel":"k","global":[4],"offset":[2]}],
    "global":[8],"local":[4],"args":[]})");
  ASSERT_TRUE(L) << L.problem().Message;
  EXPECT_EQ(L->Versions[0].Sizes.Global, std::vector<size_t>{8});
  EXPECT_EQ(L->Versions[1].Sizes.Global, std::vector<size_t>{4});
  EXPECT_TRUE(L->Versions[1].Sizes.Local.empty());
  EXPECT_EQ(L->Versions[1].Sizes.Offset, std::vector<size_t>{2});
  auto Bad = parse(R"({"versions":[{"source":"s","kernel":"k","global":[4],
    "local":[2,2]}],"global":[8],"args":[]})");
  ASSERT_FALSE(Bad);
  EXPECT_EQ(Bad.problem().Message,
            "versions[0].local: must have as many dimensions as global");
}

TEST(LaunchRequest, NamesWhatIsWrong) {
  for (auto [Text, Message] : std::vector<std::pair<std::string, std::string>>{
           {job(R"({"pipe":{}})"), "args[0]: expected buffer, image, sampler, "
                                   "alias, local, scalar or bytes"},
           {job(R"({"buffer":{}})"), "args[0].buffer.bytes: expected a whole "
                                     "number from 0 to 70368744177664"},
           {job(R"({"buffer":{"bytes":0}})"),
            "args[0].buffer.bytes: a buffer must have at least one byte"},
           {job(R"({"buffer":{"bytes":4,"type":"quad"}})"),
            "args[0].buffer.type: no such type"},
           {job(R"({"scalar":{"type":"int","value":"x"}})"),
            "args[0]: scalar value \"x\" does not suit its type"},
           {job("1"), "args[0]: expected an object"},
           {job(R"({"buffer":{"bytes":4}},{"alias":0,"offset":4})"),
            "args[1].offset: the buffer has 4 bytes"},
           {job(R"({"local":4},{"alias":0})"),
            "args[1].alias: expected the index of a buffer"},
           {job("", R"(,"local":[1,1])"),
            "local: must have as many dimensions as global"},
           {job("", R"(,"time":true,"repeat":0)"),
            "repeat: must be at least 1 where time is asked for"},
           {R"({"versions":[],"global":[1],"args":[]})",
            "versions: expected a list of 1 to 32"},
           {R"({"versions":[{"kernel":"k"}],"global":[1],"args":[]})",
            "versions[0].source: expected a string"},
           {R"({"versions":[{}],"args":[]})",
            "global: expected a list of one to three whole numbers"},
       }) {
    auto L = parse(Text);
    ASSERT_FALSE(L) << Text;
    EXPECT_EQ(L.problem().Message, Message);
  }
}
