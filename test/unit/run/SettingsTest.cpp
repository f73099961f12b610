// What a configuration amounts to for a file.
#include "run/Settings.h"
#include "frontend/BuildOptions.h"
#include "rewrite/Rewrite.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::config;
using namespace clrewrite::run;

namespace {

Config read(llvm::StringRef Text) {
  llvm::Expected<Config> C = readConfig("/p/.clrewrite.yaml", Text);
  if (C)
    return overlay(defaultConfig(), *C);
  ADD_FAILURE() << llvm::toString(C.takeError());
  return Config();
}

std::vector<pipeline::Build> builds(const Config &C) {
  return cantFail(buildsOf(C));
}

TEST(Resolve, OptionSetsByPattern) {
  Config C = read("options: -I inc\n"
                  "option-sets:\n"
                  "  - {name: all, options: -DALL}\n"
                  "  - {name: half, files: 'half_*.cl', options: -DT=half}\n");
  // The folder comes from the file itself; overlay keeps what is under it.
  C.Folder = "/p";
  std::vector<pipeline::Build> Half =
      builds(resolvedFor(C, "/p/src/half_k.cl"));
  ASSERT_EQ(Half.size(), 2u);
  EXPECT_EQ(Half[0].Name, "all");
  EXPECT_EQ(Half[1].Name, "half");
  EXPECT_EQ(Half[1].DeviceOptions, "-I /p/inc -DT=half");
  EXPECT_EQ(Half[1].Options,
            (std::vector<std::string>{"-I", "/p/inc", "-DT=half"}));
  EXPECT_EQ(builds(resolvedFor(C, "/p/src/k.cl")).size(), 1u);
}

TEST(Resolve, WithoutASetThereIsAPlainBuild) {
  Config C = read("option-sets: [{name: a, files: x.cl, options: -DA}]\n");
  C.Folder = "/p";
  std::vector<pipeline::Build> Plain = builds(resolvedFor(C, "/p/y.cl"));
  ASSERT_EQ(Plain.size(), 1u);
  EXPECT_EQ(Plain[0].Name, "");
  EXPECT_TRUE(Plain[0].Options.empty());
}

TEST(Resolve, ExcludesAndLaunchesByPattern) {
  Config C = read("target: device\nexclude: [vendor/, 'gen_*.cl']\n"
                  "launch: [{launch: 'f:64', files: a.cl}, 'g:32']\n");
  C.Folder = "/p";
  EXPECT_TRUE(excludes(C, "/p/vendor/a.cl"));
  EXPECT_TRUE(excludes(C, "/p/src/../gen_x.cl"));
  EXPECT_FALSE(excludes(C, "/p/a.cl"));
  pipeline::PipelineOptions A, B;
  ASSERT_FALSE(bool(applyTo(A, resolvedFor(C, "/p/a.cl"))));
  ASSERT_FALSE(bool(applyTo(B, resolvedFor(C, "/p/b.cl"))));
  EXPECT_EQ(A.Search.Launches.size(), 2u);
  ASSERT_EQ(B.Search.Launches.size(), 1u);
  EXPECT_EQ(B.Search.Launches[0].Kernel, "g");
  Config Twice = read("launch: ['f:64', 'f:32']\n");
  pipeline::PipelineOptions P;
  EXPECT_EQ(llvm::toString(applyTo(P, Twice)),
            "kernel f has two launches; give one");
}

bool tries(const char *Text, llvm::StringRef Name, bool NoMeasure = false) {
  pipeline::PipelineOptions P;
  P.Search.NoMeasure = NoMeasure;
  cantFail(applyTo(P, read(Text)));
  return llvm::any_of(
      P.Rewrites, [&](const rewrite::Rewrite *R) { return R->Name == Name; });
}

TEST(Resolve, WhichRewritesAreTried) {
  EXPECT_TRUE(tries("", "reroll"));
  EXPECT_FALSE(tries("without: reroll", "reroll"));
  EXPECT_TRUE(tries("without: reroll", "reload"));
  EXPECT_FALSE(tries("only: reroll", "reload"));
  EXPECT_FALSE(tries("only: []", "reload"));
  // What only binds the compiler is tried unmeasured where it is named.
  EXPECT_FALSE(tries("", "schedule-cut", /*NoMeasure=*/true));
  EXPECT_TRUE(tries("only: schedule-cut", "schedule-cut", /*NoMeasure=*/true));
}

TEST(Resolve, SettingsReachTheSearch) {
  pipeline::PipelineOptions P;
  cantFail(applyTo(P, read("target: gfx600\nobjective: estimate\n"
                           "max-slowdown: 5\nbudget: 7\ngrant: native-math\n"
                           "demote: reroll\ncompile-timeout: 9\njobs: 2\n"
                           "verify-seconds: 4\ntolerance: 3ulp\n"
                           "advise: [fast-math, image-buffer]\n")));
  ASSERT_EQ(P.Search.Targets.size(), 1u);
  EXPECT_EQ(P.Search.JudgedBy.Goal, select::Objective::Estimate);
  EXPECT_DOUBLE_EQ(P.Search.JudgedBy.MaxSlowdown, 0.05);
  EXPECT_EQ(P.Search.Budget, 7u);
  EXPECT_EQ(P.Search.Granted.size(), 1u);
  EXPECT_EQ(P.Search.Demoted.size(), 1u);
  EXPECT_EQ(P.Advise.size(), 2u);
  EXPECT_EQ(P.Limits.Seconds, 9u);
  EXPECT_EQ(P.Limits.Parallel, 2u);
  EXPECT_EQ(P.Verify.How.Seconds, 4);
  EXPECT_TRUE(P.Verify.How.Allowed.Declared.Ulps);
}

TEST(Resolve, WhichBuildOptionsAreTried) {
  auto Count = [](const char *Text) {
    pipeline::PipelineOptions P;
    cantFail(applyTo(P, read(Text)));
    return P.Search.BuildOptions.size();
  };
  EXPECT_EQ(Count(""), 11u);
  EXPECT_EQ(Count("try-options: off"), 0u);
  EXPECT_EQ(Count("only: reroll"), 0u);
  EXPECT_EQ(Count("only: reroll\ntry-options: registers"), 11u);
  EXPECT_EQ(Count("try-options: [registers, -cl-mad-enable]\ntolerance: 4"),
            12u);
  pipeline::PipelineOptions P;
  EXPECT_EQ(llvm::toString(applyTo(P, read("try-options: -cl-mad-enable"))),
            "to try -cl-mad-enable needs a tolerance, which its results are "
            "held to (--tolerance)");
}

TEST(Resolve, TimeNeedsADevice) {
  pipeline::PipelineOptions P, Q;
  EXPECT_EQ(llvm::toString(applyTo(P, read("objective: time"))),
            "the objective time needs a device among the targets "
            "(--target=device)");
  EXPECT_FALSE(bool(applyTo(Q, read("objective: time\ntarget: device"))));
}

TEST(Resolve, QuotedOptionsSplitToThemselves) {
  for (const char *Word : {"-DA", "-DA=x y", "-DA=\"q\"", "-DA='q'", "a\\b",
                           "x 'y' \"z\" \\", "tab\there"})
    EXPECT_EQ(frontend::splitBuildOptions("-w " + quotedOption(Word)),
              (std::vector<std::string>{"-w", Word}))
        << Word;
}

} // namespace
