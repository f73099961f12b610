// Reading, joining and printing configurations.
#include "config/Config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::config;
using llvm::StringRef;

namespace {

Config read(StringRef Text) {
  llvm::Expected<Config> C = readConfig("/p/.clrewrite.yaml", Text);
  if (C)
    return std::move(*C);
  ADD_FAILURE() << llvm::toString(C.takeError());
  return Config();
}

std::string problemOf(StringRef Text) {
  llvm::Expected<Config> C = readConfig("f.yaml", Text);
  return C ? "" : llvm::toString(C.takeError());
}

std::string written(const Config &C) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeConfig(C, OS);
  return Text;
}

constexpr const char *Every = R"(# Each key.
target: [gfx600, sm_90]
objective: registers
max-slowdown: 2.5
budget: 30s
only: [reroll, reload]
without: [serialise-vload]
advise: [column-access, off]
grant: [narrow-index, "split-vector/halves:assumes"]
demote: [reroll]
options: [-cl-fast-relaxed-math]
option-sets:
  - name: small
    files: ["*.cl", src/**/*.opencl]
    options: [-D N=4, "-D \"A=x y\""]
  - name: plain
launch:
  - sum4:1024x1024:64x4,in=4M
  - launch: "f:64"
    files: f.cl
exclude: [third_party/]
verify: off
verify-seconds: 3
tolerance: 4ulp
compile-timeout: 20
jobs: 2
)";

TEST(ReadConfig, EveryKey) {
  Config C = read(Every);
  EXPECT_EQ(C.Path, "/p/.clrewrite.yaml");
  EXPECT_EQ(C.Folder, "/p");
  EXPECT_EQ(C.Targets, (Words{"gfx600", "sm_90"}));
  EXPECT_EQ(C.Goal, select::Objective::Registers);
  EXPECT_EQ(C.MaxSlowdown, 2.5);
  EXPECT_EQ(C.Budget, "30s");
  EXPECT_EQ(C.Only, (Words{"reroll", "reload"}));
  EXPECT_EQ(C.Without, Words{"serialise-vload"});
  ASSERT_EQ(C.Granted->size(), 2u);
  EXPECT_EQ((*C.Granted)[1].Alternative, "halves");
  EXPECT_EQ((*C.Granted)[1].Class, rewrite::Safety::Assumes);
  EXPECT_EQ(C.Demoted->front().Rewrite, "reroll");
  EXPECT_EQ(C.Options, Words{"-cl-fast-relaxed-math"});
  ASSERT_EQ(C.Sets->size(), 2u);
  EXPECT_EQ(C.Sets->front().Name, "small");
  EXPECT_EQ(C.Sets->front().Files, (Words{"*.cl", "src/**/*.opencl"}));
  EXPECT_EQ(C.Sets->front().Options, (Words{"-D N=4", "-D \"A=x y\""}));
  EXPECT_TRUE(C.Sets->back().Options.empty());
  ASSERT_EQ(C.Launches->size(), 2u);
  EXPECT_EQ(C.Launches->front().Text, "sum4:1024x1024:64x4,in=4M");
  EXPECT_EQ(C.Launches->back().Files, Words{"f.cl"});
  EXPECT_EQ(C.Exclude, Words{"third_party/"});
  EXPECT_EQ(C.Verify, "off");
  EXPECT_EQ(C.VerifySeconds, 3);
  EXPECT_EQ(C.Tolerance, "4ulp");
  EXPECT_EQ(C.CompileTimeout, 20u);
  EXPECT_EQ(C.Jobs, 2u);
}

TEST(ReadConfig, WhatIsWrittenReadsTheSame) {
  std::string Once = written(read(Every));
  EXPECT_EQ(written(read(Once)), Once);
  EXPECT_NE(Once.find("option-sets"), std::string::npos);
  EXPECT_EQ(written(Config()), "");
  EXPECT_EQ(written(read("only: []\noption-sets: []\nlaunch: []\n")),
            "only: []\noption-sets: []\nlaunch: []\n");
}

TEST(ReadConfig, CarriageReturnsAndAByteOrderMarkDoNotMatter) {
  std::string Text = "\xef\xbb\xbf";
  for (char C : StringRef(Every))
    Text += C == '\n' ? "\r\n" : std::string(1, C);
  EXPECT_EQ(written(read(Text)), written(read(Every)));
}

TEST(ReadConfig, NothingAndCommentsSayNothing) {
  for (StringRef Text :
       {"", "\n", "# only\n", "---\n", "\r\n\r\n", "# target: gfx906\n", "{}"})
    EXPECT_EQ(written(read(Text)), "") << Text.str();
}

TEST(ReadConfig, AListMayBeOneText) {
  Config C = read("target: gfx600, gfx906\ngrant: native-math,narrow-index\n"
                  "options: >\n  -D A=1\n  -D B=2\nlaunch: f:64\n");
  EXPECT_EQ(C.Targets, (Words{"gfx600", "gfx906"}));
  EXPECT_EQ(C.Granted->size(), 2u);
  EXPECT_EQ(C.Launches->size(), 1u);
  EXPECT_EQ(C.Options->front(), "-D A=1 -D B=2\n");
}

TEST(ReadConfig, RelativePathsOfOptionsCountFromTheFolder) {
  Config C = read("options: [-I include, -Iinc, -I /abs, -isystem ../sys, "
                  "-include no-such.h, '-I \"my dir\"']\n");
  EXPECT_EQ(*C.Options,
            (Words{"-I /p/include", "-I/p/inc", "-I /abs", "-isystem /sys",
                   "-include no-such.h", "-I \"/p/my dir\""}));
}

TEST(ReadConfig, UnknownKeysSuggestTheNearest) {
  EXPECT_EQ(problemOf("jobs: 1\nobjectiv: time\n"),
            "f.yaml:2:1: error: unknown key 'objectiv'; did you mean "
            "'objective'?");
  EXPECT_EQ(problemOf("targets: gfx906\n"),
            "f.yaml:1:1: error: unknown key 'targets'; did you mean 'target'?");
  EXPECT_EQ(problemOf("option-sets:\n  - name: a\n    file: x\n"),
            "f.yaml:3:5: error: unknown key 'file'; did you mean 'files'?");
  EXPECT_EQ(problemOf("launch:\n  - luanch: f:64\n"),
            "f.yaml:2:5: error: unknown key 'luanch'; did you mean 'launch'?");
  EXPECT_NE(problemOf("xyzzy-plugh: 1\n").find("(known: target, objective, "),
            std::string::npos);
}

TEST(ReadConfig, WrongValuesAreSaidWhereTheyStand) {
  std::pair<const char *, const char *> Cases[] = {
      {"target: [gfx906, gfx9o6]", "1:18: error: unknown target 'gfx9o6'; did "
                                   "you mean 'gfx906'?"},
      {"target: []", "1:9: error: no target"},
      {"objective: speed", "1:12: error: unknown objective 'speed'"},
      {"objective: tme", "1:12: error: unknown objective 'tme'; did you mean "
                         "'time'?"},
      {"max-slowdown: -1", "1:15: error: '-1' is not a number of 0 or more"},
      {"max-slowdown: 5%", "1:15: error: '5%' is not a number"},
      {"max-slowdown: nan", "1:15: error: 'nan' is not a number"},
      {"budget: soon", "1:9: error: a budget is a number of alternatives"},
      {"only: [rerol]", "1:8: error: unknown rewrite 'rerol'; did you mean "
                        "'reroll'?"},
      {"without: nothing-like-it", "1:10: error: unknown rewrite"},
      {"grant:\n  - narow-index", "2:5: error: unknown rewrite 'narow-index'; "
                                  "did you mean 'narrow-index'?"},
      {"grant: reload:safe", "1:8: error: 'reload:safe' is not REWRITE"},
      {"options: -Q", "1:10: error: unknown build option '-Q'"},
      {"options: [-D]", "1:11: error: build option -D needs a value"},
      {"option-sets:\n  - options: -DA", "2:5: error: the option set has no "
                                         "name"},
      {"option-sets: small", "1:14: error: option-sets is a list"},
      {"option-sets: [{name: a}, {name: a}]", "error: two option sets are "
                                              "called 'a'"},
      {"launch: f", "1:9: error: launch 'f': the kernel and its global size"},
      {"launch: [{files: a}]", "1:10: error: the launch is missing"},
      {"exclude: ['a[']", "1:11: error: the pattern 'a[' lacks a ]"},
      {"exclude: [*.cl]", "1:11: error: a text that begins with * must stand "
                          "in quotes"},
      {"verify: [1]", "1:9: error: a text is expected"},
      {"exclude: {a: b}", "1:10: error: a text is expected"},
      {"verify-seconds: 0", "1:17: error: '0' is not a number above 0"},
      {"tolerance: much", "1:12: error: "},
      {"compile-timeout: 0", "1:18: error: '0' is not a whole number of 1"},
      {"proof-seconds: 61",
       "1:16: error: more than 60 seconds are for --proof-seconds alone"},
      {"compile-timeout: 601",
       "1:18: error: more than 600 seconds are for --compile-timeout alone"},
      {"budget: 0", "1:9: error: no limit (0) is for --budget alone"},
      {"budget: 2001s", "1:9: error: more than 2000 are for --budget alone"},
      {"jobs: 257", "1:7: error: more than 256 are for --jobs alone"},
      {"jobs: many", "1:7: error: 'many' is not a whole number"},
      {"jobs: 1\njobs: 2", "2:1: error: the key 'jobs' is given twice"},
      {"jobs: 2\ntarget:\n# - gfx906\n",
       "2:1: error: the key 'target' has no value; leave it out, or give it "
       "one"},
      {"options: -D A=\"x", "1:10: error: a quote is not closed: \"x"},
      {"- a\n- b", "1:1: error: the configuration is written as KEY: VALUE"},
      {"jobs: 1\n---\njobs: 2", "error: a second document"},
      {"target: [gfx906", "error: not YAML here: "},
      {"jobs: \"1", "error: not YAML here: "},
      {"verify: b: c", "error: not YAML here: "},
      {"@x: 1", "1:1: error: not YAML here: "},
      {"\xff\xfe", "1:1: error: not UTF-8 (byte 0)"},
      {"jobs: 1\ntarget: \xe9", "2:1: error: not UTF-8 (byte 16)"},
  };
  for (const auto &[Text, Want] : Cases) {
    std::string Problem = problemOf(Text);
    EXPECT_TRUE(StringRef(Problem).starts_with("f.yaml:")) << Text;
    EXPECT_NE(Problem.find(Want), std::string::npos)
        << Text << "\n  " << Problem;
    EXPECT_EQ(StringRef(Problem).count("error: "), 1u) << Problem;
  }
}

TEST(Config, TheCommandLineWins) {
  Config File = read("target: gfx600\njobs: 3\nwithout: reroll\noptions: -DA\n"
                     "option-sets: [{name: a, options: -DB}]\n");
  Config Line;
  Line.Targets = {"gfx906"};
  Config Both = overlay(File, Line);
  EXPECT_EQ(Both.Targets, Words{"gfx906"});
  EXPECT_EQ(Both.Jobs, 3u);
  EXPECT_EQ(Both.Sets->size(), 1u);
  // Build options replace the sets too, and --only what is left out.
  Line.Options = {"-DC"};
  Line.Only = {"reroll"};
  Both = overlay(File, Line);
  EXPECT_EQ(Both.Options, Words{"-DC"});
  EXPECT_FALSE(Both.Sets);
  EXPECT_FALSE(Both.Without);
}

TEST(FindConfig, TheNearestUpwards) {
  llvm::SmallString<128> Root;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("config", Root));
  std::string Top = (Root + "/.clrewrite.yaml").str();
  std::string Inner = (Root + "/a/.clrewrite.yaml").str();
  ASSERT_FALSE(llvm::sys::fs::create_directories(Root + "/a/b"));
  auto Put = [](const std::string &Path) {
    std::error_code Code;
    llvm::raw_fd_ostream(Path, Code) << "jobs: 1\n";
  };
  EXPECT_EQ(configFor((Root + "/a/b/f.cl").str()), "");
  Put(Top);
  EXPECT_EQ(configFor((Root + "/a/b/f.cl").str()), Top);
  Put(Inner);
  EXPECT_EQ(configFor((Root + "/a/b/f.cl").str()), Inner);
  EXPECT_EQ(configFor((Root + "/a/b/../../f.cl").str()), Top);
  EXPECT_EQ(configFor((Root + "/none/f.cl").str()), Top);
  llvm::sys::fs::remove_directories(Root);
}

} // namespace
