// Which of a run's programs a plan has, and for what builds.
#include "pipeline/Planning.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::pipeline;

namespace {

/// One program, built twice with the same options and once with others, of a
/// file that one edit changes.
struct Edited {
  capture::Capture C;
  CapturedUnits Found;
  report::Report R;

  Edited() {
    C.Processes.emplace_back();
    C.Devices.resize(2);
    C.Devices[0].Name = "A";
    C.Devices[1].Name = "B";
    C.Devices[0].Driver = C.Devices[1].Driver = "1";
    C.Programs.resize(1);
    C.Programs[0].Hash = "h";
    for (const char *Options : {"-DX", "-DX", "-DY", "-DZ"}) {
      capture::CapturedBuild B;
      B.Program = 0;
      B.Options = Options;
      B.Results = {{0, "success"}, {1, "error"}};
      C.Builds.push_back(B);
      for (const char *Kernel : {"touched", "other"})
        C.Kernels.push_back({Kernel, 0, C.Builds.size() - 1});
    }
    C.Builds[2].Results[1].Status = "success";
    C.Builds[3].Results[0].Status = "error";
    Found.Programs = {"h"};
    Unit U;
    Build B;
    B.Program = 1;
    B.Before = "// before\n";
    U.Builds.push_back(B);
    Found.Units.push_back(U);
    report::FileReport F;
    F.Given = "old";
    F.Result.Result.Text = "new";
    select::Outcome O;
    O.Applied = true;
    O.Kernels = {"touched", "never made"};
    F.Result.Outcomes = {O};
    R.Files.push_back(F);
  }

  plan::Plan plan() { return planOf(C, Found, R, Notes); }
  std::vector<std::string> Notes;
};

TEST(Planning, HasTheSizesThatAnEditNeeds) {
  Edited G;
  select::Outcome &O = G.R.Files[0].Result.Outcomes[0];
  O.Class = rewrite::Safety::Contract;
  O.Launch = launch::LaunchChange{{1, 4}, {32, 4}, true};
  // The file is built in two ways, each of which has the edit once.
  G.Found.Units[0].Builds.push_back(G.Found.Units[0].Builds[0]);
  plan::Plan P = G.plan();
  ASSERT_EQ(P.Programs.size(), 3u);
  EXPECT_EQ(P.Programs[0].Kernels[0].Divide, (plan::Sizes{1, 4}));
  EXPECT_EQ(P.Programs[0].Kernels[0].Local, (plan::Sizes{32, 4}));
  EXPECT_TRUE(G.Notes.empty());
}

TEST(Planning, WantsTheBuffersApartThatAnEditAssumesTo) {
  Edited G;
  select::Outcome &O = G.R.Files[0].Result.Outcomes[0];
  O.Class = rewrite::Safety::Assumes;
  O.Apart = {{1, 0}};
  select::Outcome Other = O, NotKept = O;
  Other.Apart = {{1, 0}, {2, 1}};
  NotKept.Apart = {{3, 0}};
  NotKept.Applied = false;
  G.R.Files[0].Result.Outcomes.push_back(Other);
  G.R.Files[0].Result.Outcomes.push_back(NotKept);
  plan::Plan P = G.plan();
  ASSERT_EQ(P.Programs.size(), 3u);
  EXPECT_EQ(P.Programs[0].Kernels[0].When.Apart,
            (std::vector<plan::ArgumentPair>{{1, 0}, {2, 1}}));
}

TEST(Planning, HasEachBuildAndDeviceOnce) {
  Edited G;
  plan::Plan P = G.plan();
  ASSERT_EQ(P.Programs.size(), 3u);
  std::vector<std::string> Seen;
  for (const plan::Program &Each : P.Programs) {
    Seen.push_back(Each.Options + " " + Each.Device);
    EXPECT_EQ(Each.Hash, "h");
    EXPECT_EQ(Each.Text, "// before\nnew");
    EXPECT_EQ(Each.Build, Each.Options);
    EXPECT_EQ(Each.Driver, "1");
    ASSERT_EQ(Each.Kernels.size(), 1u);
    EXPECT_EQ(Each.Kernels[0].Name, "touched");
    EXPECT_EQ(Each.Kernels[0].As, "touched");
  }
  EXPECT_EQ(Seen, (std::vector<std::string>{"-DX A", "-DY A", "-DY B"}));
  EXPECT_TRUE(G.Notes.empty());
}

TEST(Planning, LeavesOutWhatAsksTheHost) {
  Edited G;
  G.R.Files[0].Result.Outcomes[0].Class = rewrite::Safety::Contract;
  EXPECT_TRUE(G.plan().Programs.empty());
  EXPECT_EQ(G.Notes, std::vector<std::string>{
                         "program h is not in the plan: an edit asks for a "
                         "change of the host program"});
}

TEST(Planning, LeavesOutWhatSharesVariables) {
  Edited G;
  rewrite::KernelInfo K;
  K.Name = "touched";
  K.KeepsState = true;
  G.R.Files[0].Kernels = {K};
  EXPECT_TRUE(G.plan().Programs.empty());
  EXPECT_EQ(G.Notes,
            std::vector<std::string>{
                "kernel touched is not in the plan: it uses a variable "
                "of the program's that outlives a launch"});
}

TEST(Planning, LeavesOutWhatJsonCannotHold) {
  Edited G;
  G.R.Files[0].Result.Result.Text = "// \xe4\n";
  EXPECT_TRUE(G.plan().Programs.empty());
  EXPECT_EQ(G.Notes,
            std::vector<std::string>{
                "program h is not in the plan: its text is not UTF-8"});
}

select::BuildChoice choice(const char *Device, bool Kept) {
  select::BuildChoice C{{"-limit"}, Device, Device};
  C.Kept = Kept;
  C.Deltas.push_back({"other", Device, {}, {}});
  C.Deltas.back().Time = measure::PairedTime{2, 1, 2, 2, 2};
  return C;
}

TEST(Planning, ABuildOptionIsForOneDeviceAndTheKernelsThatWereTimed) {
  Edited G;
  G.R.Files[0].Result.Outcomes.clear();
  G.R.Files[0].Result.Result.Text = "old";
  G.R.Files[0].BuildChoices = {choice("A", true), choice("A", false),
                               choice("B", false)};
  plan::Plan P = G.plan();
  ASSERT_EQ(P.Programs.size(), 2u);
  for (const plan::Program &Each : P.Programs) {
    EXPECT_EQ(Each.Device, "A");
    EXPECT_EQ(Each.Build, Each.Options + " -limit");
    EXPECT_EQ(Each.Text, "// before\nold");
    ASSERT_EQ(Each.Kernels.size(), 1u);
    EXPECT_EQ(Each.Kernels[0].Name, "other");
  }
  EXPECT_TRUE(G.Notes.empty());
}

TEST(Planning, ABuildOptionStandsBesideEdits) {
  Edited G;
  G.R.Files[0].BuildChoices = {choice("B", true)};
  plan::Plan P = G.plan();
  ASSERT_EQ(P.Programs.size(), 3u);
  EXPECT_EQ(P.Programs[0].Build, "-DX");
  EXPECT_EQ(P.Programs[0].Kernels.size(), 1u);
  EXPECT_EQ(P.Programs[2].Device, "B");
  EXPECT_EQ(P.Programs[2].Build, "-DY -limit");
  EXPECT_EQ(P.Programs[2].Text, "// before\nnew");
  EXPECT_EQ(P.Programs[2].Kernels.size(), 2u);
}

TEST(Planning, BuildsThatDoNotAgreeOnAnOptionHaveNone) {
  Edited G;
  G.Found.Units[0].Builds.push_back(G.Found.Units[0].Builds[0]);
  G.R.Files[0].BuildChoices = {choice("A", true), choice("A", false)};
  G.R.Files[0].BuildChoices[1].Build = 1;
  plan::Plan P = G.plan();
  ASSERT_EQ(P.Programs.size(), 3u);
  EXPECT_EQ(P.Programs[0].Build, "-DX");
  EXPECT_EQ(G.Notes, std::vector<std::string>{
                         "program h is built on A with the host's options "
                         "alone: its texts or builds do not agree on one "
                         "more"});
  G.R.Files[0].Result.Outcomes.clear();
  G.R.Files[0].Result.Result.Text = "old";
  EXPECT_TRUE(G.plan().Programs.empty());
}

} // namespace
