// A plan is read as it was written, and refused where it is not one.
#include "plan/Plan.h"
#include <gtest/gtest.h>

using namespace clrewrite::plan;

namespace {

const char Hash[] = "0123456789abcdef0123456789abcdef";

Plan somePlan() {
  Kernel Plain{"blur", "blur"};
  Kernel Changed{"blur", "blur_4", {4}, {8, 8, 1}};
  Changed.When.Arguments = {{2, std::string("\0\1\xff", 3)}, {0, "a"}};
  Changed.When.Apart = {{1, 0}, {1, 3}};
  Changed.When.Multiple = {4, 2};
  Changed.When.Local = Sizes();
  Kernel Given{"blur", "blur_2"};
  Given.When.Local = Sizes{16, 16};
  return {{{Hash,
            "-DN=4",
            "A GPU",
            "580.1",
            "kernel \"\xc3\xa4\"\n",
            "-w",
            {Changed, Given, Plain}},
           {Hash, "", "B", "", "", "", {}}}};
}

std::string documentWith(const std::string &Kernel) {
  return std::string("{\"version\":1,\"programs\":[{\"hash\":\"") + Hash +
         "\",\"options\":\"\",\"device\":\"\",\"driver\":\"\",\"text\":\"\","
         "\"build\":\"\",\"kernels\":[" +
         Kernel + "]}]}";
}

std::string problemOf(const std::string &Text) {
  std::string Why;
  EXPECT_FALSE(readPlan(Text, Why)) << Text;
  return Why;
}

TEST(Plan, IsReadAsItWasWritten) {
  std::string Text = writePlan(somePlan(), "0.1"), Why;
  std::optional<Plan> P = readPlan(Text, Why);
  ASSERT_TRUE(P) << Why;
  EXPECT_EQ(Text, writePlan(*P, "0.1"));
  const Program &First = P->Programs.at(0);
  EXPECT_EQ(First.Text, "kernel \"\xc3\xa4\"\n");
  const Kernel &K = First.Kernels.at(0);
  EXPECT_EQ(K.As, "blur_4");
  EXPECT_EQ(K.Divide, Sizes{4});
  EXPECT_EQ(K.Local, (Sizes{8, 8, 1}));
  EXPECT_EQ(K.When.Arguments.at(0).Bytes, std::string("\0\1\xff", 3));
  EXPECT_EQ(K.When.Apart, (std::vector<ArgumentPair>{{1, 0}, {1, 3}}));
  EXPECT_EQ(K.When.Multiple, (Sizes{4, 2}));
  EXPECT_EQ(K.When.Local, Sizes());
  EXPECT_EQ(First.Kernels.at(1).When.Local, (Sizes{16, 16}));
  EXPECT_EQ(First.Kernels.at(2).When.Local, std::nullopt);
}

TEST(Plan, SaysWhatIsWrong) {
  EXPECT_EQ(problemOf("{"), "the plan: is not JSON");
  EXPECT_EQ(problemOf("[]"), "the plan: must be an object");
  EXPECT_EQ(problemOf("{\"version\":2}"),
            "the plan: is not of version 1, which this clrewrite reads");
  EXPECT_EQ(problemOf("{\"version\":1}"), "programs: must be a list");
  EXPECT_EQ(problemOf("{\"version\":1,\"programs\":[{}]}"),
            "programs[0].hash: must be a text");
  std::string At = "programs[0].kernels[0]";
  EXPECT_EQ(problemOf(documentWith("{}")), At + ".name: must be a text");
  EXPECT_EQ(problemOf(documentWith("{\"name\":\"k\",\"if\":1}")),
            At + ": has the unknown member 'if'");
  EXPECT_EQ(problemOf(documentWith(
                "{\"name\":\"k\",\"when\":{\"arguments\":[{\"index\":0}]}}")),
            At + ".when.arguments[0].hex: must be a text");
  EXPECT_EQ(problemOf(documentWith("{\"name\":\"k\",\"when\":{\"arguments\":[{"
                                   "\"index\":-1,\"hex\":\"00\"}]}}")),
            At + ".when.arguments[0].index: must be an integer from 0 to 4095");
  auto pair = [](const std::string &Text) {
    return documentWith("{\"name\":\"k\",\"when\":{\"apart\":[" + Text + "]}}");
  };
  for (const char *Bad : {"0", "[]", "[0]", "[0,1,2]", "{}"})
    EXPECT_EQ(problemOf(pair(Bad)),
              At + ".when.apart[0]: must be a list of two arguments");
  for (const char *Bad : {"[0,-1]", "[4096,0]", "[\"a\",1]"})
    EXPECT_EQ(problemOf(pair(Bad)),
              At + ".when.apart[0]: must be an integer from 0 to 4095");
  for (const char *Bad : {"[]", "[1,2,3,4]", "3", "null"})
    EXPECT_EQ(problemOf(documentWith(
                  std::string("{\"name\":\"k\",\"launch\":{\"divide\":") + Bad +
                  "}}")),
              At + ".launch.divide: must be a list of one to three numbers");
  for (const char *Bad : {"0", "-4", "1.5", "4294967297", "\"4\""})
    EXPECT_EQ(problemOf(documentWith(
                  std::string("{\"name\":\"k\",\"launch\":{\"divide\":[") +
                  Bad + "]}}")),
              At + ".launch.divide: must be an integer from 1 to 4294967296");
}

TEST(Plan, IsBounded) {
  const char TooMuch[] =
      "the plan: has more values, or deeper ones, than any plan";
  EXPECT_EQ(problemOf(std::string(1 << 20, '[')), TooMuch);
  std::string Wide = "[0";
  for (unsigned I = 0; I < (1u << 21); ++I)
    Wide += ",0";
  EXPECT_EQ(problemOf(Wide + "]"), TooMuch);
  std::string Members = "{\"0\":0";
  for (unsigned I = 1; I < 100000; ++I)
    Members += ",\"" + std::to_string(I) + "\":0";
  EXPECT_EQ(problemOf(Members + "}"), "the plan: has the unknown member '0'");
  EXPECT_EQ(problemOf(std::string((64 << 20) + 1, ' ')),
            "the plan: is larger than 64 MiB");
}

TEST(Plan, KnowsWhatJsonHolds) {
  EXPECT_TRUE(isUtf8(""));
  EXPECT_TRUE(isUtf8(std::string_view("a\0\"\\\n\xc3\xa4", 7)));
  EXPECT_FALSE(isUtf8("\xe4"));
  EXPECT_FALSE(isUtf8("\xc3"));
}

} // namespace
