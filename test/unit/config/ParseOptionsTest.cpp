// Reading command lines into options.
#include "config/ParseOptions.h"
#include <gtest/gtest.h>

using namespace clrewrite::config;

namespace {

/// The options of a command line without a command, which is right.
Options parsed(std::vector<std::string> Given) {
  Options O;
  Misuse Wrong = parseOptions("clrewrite", "", Given, O);
  EXPECT_FALSE(Wrong.any()) << Wrong.Words << Wrong.Value;
  return O;
}

Misuse wrong(std::vector<std::string> Given, const char *Command = "") {
  Options O;
  return parseOptions("/bin/clrewrite", Command, Given, O);
}

TEST(ParseOptions, EachKindOfValue) {
  Options O = parsed({"--fix", "--width=0x20", "--max-memory", "700",
                      "--max-slowdown=2.5", "--output", "out", "--format=csv",
                      "--objective=time", "--jobs=3", "a.cl", "-"});
  EXPECT_TRUE(O.Fix);
  EXPECT_EQ(O.Width, 32);
  EXPECT_EQ(O.MaxMemory, 700u);
  EXPECT_EQ(O.Set.MaxSlowdown, 2.5);
  EXPECT_EQ(O.Output, "out");
  EXPECT_EQ(O.Form, Format::Csv);
  EXPECT_EQ(O.Set.Goal, clrewrite::select::Objective::Time);
  EXPECT_EQ(O.Set.Jobs, 3u);
  EXPECT_EQ(O.Files, (Words{"a.cl", "-"}));
}

TEST(ParseOptions, WhatIsNotGivenIsNone) {
  Options O = parsed({});
  EXPECT_FALSE(O.Set.Targets || O.Set.Budget || O.Set.Advise);
  EXPECT_EQ(O.MaxMemory, 4096u);
}

TEST(ParseOptions, FlagsMayHaveValues) {
  EXPECT_TRUE(parsed({"-fix"}).Fix);
  EXPECT_TRUE(parsed({"--fix=1"}).Fix);
  EXPECT_FALSE(parsed({"--fix", "--fix=false"}).Fix);
  Options Both = parsed({"-v0"});
  EXPECT_TRUE(Both.Verbose && Both.Null);
}

TEST(ParseOptions, ListsGrow) {
  Options O = parsed({"--target=gfx600,gfx906", "--target", "sm_90",
                      "--options=-D A,B", "--report=json"});
  EXPECT_EQ(*O.Set.Targets, (Words{"gfx600", "gfx906", "sm_90"}));
  EXPECT_EQ(*O.Set.Options, Words{"-D A,B"}) << "one text";
  EXPECT_EQ(O.Form, Format::Json);
}

TEST(ParseOptions, AValueMayBeLeftOut) {
  EXPECT_EQ(*parsed({"--advise", "a.cl"}).Set.Advise, Words{"all"});
  EXPECT_EQ(*parsed({"--advise=off"}).Set.Advise, Words{"off"});
}

TEST(ParseOptions, WhatFollowsDashesIsNoOption) {
  Options O = parsed({"a.cl", "--", "--fix", "-D", "N=1"});
  EXPECT_FALSE(O.Fix);
  EXPECT_EQ(O.AfterDashes, (Words{"--fix", "-D", "N=1"}));
  Options Own;
  EXPECT_FALSE(parseOptions("clrewrite", "replay", {"--", "-f"}, Own).any());
  EXPECT_EQ(Own.Files, Words{"-f"}) << "it has no use for others";
}

TEST(ParseOptions, WordsThatAreWrong) {
  EXPECT_EQ(wrong({"--fixx"}).Words,
            "clrewrite: Unknown command line argument '--fixx'.  Try: "
            "'/bin/clrewrite --help'\nclrewrite: Did you mean '--fix'?\n");
  EXPECT_EQ(wrong({"--jobs=x"}).Words, "clrewrite: for the --jobs option: 'x' "
                                       "value invalid for uint argument!\n");
  EXPECT_EQ(wrong({"--jobs"}).Words,
            "clrewrite: for the --jobs option: requires a value!\n");
  EXPECT_EQ(wrong({"-o", "--"}, "capture").Words,
            "clrewrite: for the -o option: requires a value!\n");
  EXPECT_EQ(wrong({"a.cl"}, "verify").Words,
            "clrewrite: error: verify takes 2 names, and 1 is given; try "
            "clrewrite verify --help\n");
  EXPECT_EQ(wrong({"a", "b"}, "replay").Words,
            "clrewrite: error: replay takes 1 name, and 2 are given; try "
            "clrewrite replay --help\n");
}

TEST(ParseOptions, ValuesThatAreWrong) {
  EXPECT_EQ(wrong({"--target=gfx9O6"})
                .Value.find("unknown target 'gfx9O6'; did you mean 'gfx906'?"),
            0u);
  EXPECT_EQ(wrong({"--budget=soon"}).Value.find("--budget: a budget is"), 0u);
  EXPECT_EQ(wrong({"--grant=reroll", "--grant=rerol"})
                .Value.find("unknown rewrite 'rerol'"),
            0u);
}

TEST(ParseOptions, TwoParsesKnowNothingOfEachOther) {
  EXPECT_TRUE(parsed({"--fix", "--target=gfx600"}).Fix);
  Options O = parsed({"--target=gfx906"});
  EXPECT_FALSE(O.Fix);
  EXPECT_EQ(*O.Set.Targets, Words{"gfx906"});
}

} // namespace
