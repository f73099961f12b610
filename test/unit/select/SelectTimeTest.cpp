// The search by the clock of a device, on letters.
#include "Letters.h"
#include "measure/device/DeviceTargets.h"
#include "select/Evaluator.h"
#include <thread>

using namespace clrewrite;
using namespace clrewrite::select;

namespace {

/// A device on which each 'x' costs 100 ns and each "o" 10, and that reports
/// no registers.
class ClockMeter : public LetterMeter {
public:
  unsigned Timed = 0;
  std::vector<std::string> Launches; ///< how those of each request change
  std::vector<std::string> Texts;    ///< of the new versions
  std::vector<measure::Timing>
  time(llvm::ArrayRef<measure::TimeRequest> Requests) override {
    std::vector<measure::Timing> Out;
    for (const measure::TimeRequest &R : Requests) {
      ++Timed;
      Launches.push_back(R.OfBefore.text() + " -> " + R.OfAfter.text());
      Texts.push_back(R.After.Text);
      double B = cost(R.Before), A = cost(R.After), Ratio = B / A;
      Out.push_back(
          {measure::PairedTime{B, A, Ratio, Ratio - Noise, Ratio + Noise}, ""});
    }
    return Out;
  }

protected:
  double Noise = 0; ///< what a ratio may be off by
  void change(const measure::MeasureRequest &,
              measure::Measurement &M) override {
    M.Kernels.front().Figures = measure::Usage();
  }
  virtual double cost(const Source &S) const {
    llvm::StringRef Text = S.Text;
    return 1 + 100.0 * double(Text.count('x')) +
           10.0 * double(Text.count('o')) + 200.0 * double(Text.count('y'));
  }
};

/// Beside the device a GPU that is not there, which sees a 'y' alone.
class GuidedMeter : public ClockMeter {
public:
  void change(const measure::MeasureRequest &R,
              measure::Measurement &M) override {
    ClockMeter::change(R, M);
    if (!R.On.isDevice())
      M.Kernels.front().Figures.EstCycles =
          10 + 10.0 * double(llvm::StringRef(R.What.Text).count('y'));
  }
};

/// On the device, where kernel "k" is launched with so many work-items.
SelectOptions timed(const std::vector<uint64_t> &Global) {
  SelectOptions O = options(Objective::Time);
  O.Targets = {{"dev", "", &measure::deviceFamily()}};
  O.Launches = {launch::Launch{{Global, {}}, "k", {}, {}}};
  return O;
}

/// Every 'x' may become an 'o', and then every 'y' a 'z'.
llvm::Expected<rewrite::Findings> lettersAndY(const Source &S) {
  llvm::Expected<rewrite::Findings> F = letters(S);
  for (unsigned I = 0; I < S.Text.size(); ++I)
    if (S.Text[I] == 'y') {
      rewrite::Candidate C = candidateAt(I, "y");
      C.Alternatives.resize(1);
      C.Alternatives[0].Label = "to-z";
      C.Alternatives[0].Changes = {{I, 1, "z"}};
      F->Candidates.push_back(C);
    }
  return F;
}

} // namespace

TEST(Select, AutoGoesByTimeWhereALaunchIsKnown) {
  SelectOptions O = options(Objective::Auto);
  O.Targets = {{"dev", "", &measure::deviceFamily()}};
  Source S{"/k.cl", "xx", {}};
  ClockMeter M;
  auto First = letters(S);
  auto Without = select::select(S, *First, letters, M, O);
  ASSERT_TRUE(bool(Without));
  EXPECT_FALSE(Without->changed());
  EXPECT_EQ(M.Timed, 0u);
  O.Launches = {launch::Launch{{{64}, {}}, "k", {}, {}}};
  auto With = select::select(S, *First, letters, M, O);
  ASSERT_TRUE(bool(With));
  EXPECT_EQ(With->Result.Text, "oo");
  ASSERT_EQ(With->Times.size(), 1u);
  EXPECT_NEAR(With->Times[0]["k"].Time->Ratio, 201.0 / 21, 1e-9);
  for (const Outcome &Each : With->Outcomes)
    for (const Delta &D : Each.Deltas)
      EXPECT_TRUE(D.Time);
}

TEST(Select, TheClockIsLookedAtBetweenTimings) {
  SelectOptions O = timed({64});
  ClockMeter M;
  O.Stop = [&] { return M.Timed >= 4; };
  Selection S = run("xxxxxxxx", O, letters, M);
  EXPECT_TRUE(S.changed());
  // Two trials of two timings each, and what the report shows.
  EXPECT_EQ(M.Timed, 5u);
  EXPECT_EQ(S.NotTried, 7u); // six, and the two that pay together
}

TEST(Select, WhatTheEstimateLikesIsTimedFirst) {
  SelectOptions O = options(Objective::Time);
  O.Targets = {{"dev", "", &measure::deviceFamily()}, {"gpu", "gpu"}};
  O.Launches = {launch::Launch{{{64}, {}}, "k", {}, {}}};
  for (bool Guided : {true, false}) {
    GuidedMeter M;
    O.Stop = [&] { return M.Timed >= 1; };
    if (!Guided)
      O.Targets.pop_back();
    EXPECT_EQ(run("xxxxxxy", O, lettersAndY, M).Result.Text,
              Guided ? "xxxxxxz" : "oxxxxxy");
  }
  // Nor need it be a target; it judges nothing then.
  O.Guide = measure::Target{"gpu", "gpu"};
  GuidedMeter M;
  O.Stop = [&] { return M.Timed >= 1; };
  Selection S = run("xxxxxxy", O, lettersAndY, M);
  EXPECT_EQ(S.Result.Text, "xxxxxxz");
  EXPECT_EQ(S.Before.size(), 1u);
  EXPECT_EQ(S.After.size(), 1u);
}

/// Every letter of \p From may become that of \p To, by a rewrite each.
static Finder eachInto(llvm::StringRef From, llvm::StringRef To) {
  return [=](const Source &S) {
    llvm::Expected<rewrite::Findings> F = letters(S);
    F->Candidates.clear();
    for (unsigned I = 0; I < S.Text.size(); ++I) {
      size_t Which = From.find(S.Text[I]);
      if (Which == llvm::StringRef::npos)
        continue;
      rewrite::Candidate C;
      C.Rewrite = From.substr(Which, 1).str();
      C.Function = "k";
      C.Kernels = {"k"};
      C.Line = 1;
      C.Offset = I;
      C.Alternatives.resize(1);
      C.Alternatives[0].Label = "to-" + To.substr(Which, 1).str();
      C.Alternatives[0].Changes = {{I, 1, To.substr(Which, 1).str()}};
      F->Candidates.push_back(C);
    }
    return F;
  };
}

TEST(Select, ARewriteWhoseTrialsDoNotPayGivesWay) {
  SelectOptions O = timed({64});
  ClockMeter M;
  O.Stop = [&] { return M.Timed >= 2; };
  EXPECT_EQ(run("aaaaaaaay", O, eachInto("ay", "bz"), M).Result.Text,
            "aaaaaaaaz");
}

namespace {

/// A 'z' halves the time, and then a 'b' halves it again; a 'd' doubles it.
class TogetherMeter : public ClockMeter {
  double cost(const Source &S) const override {
    llvm::StringRef Text = S.Text;
    bool Fast = Text.contains('z');
    return 1000.0 / (Fast ? 2 : 1) / (Fast && Text.contains('b') ? 2 : 1) *
           double(1u << Text.count('d'));
  }
};

} // namespace

TEST(Select, WhatWasSlowerAloneIsTriedLastBesideOthers) {
  SelectOptions O = timed({64});
  TogetherMeter M;
  Selection S = run("cccccay", O, eachInto("cay", "dbz"), M);
  EXPECT_EQ(S.Result.Text, "cccccbz");
  auto both = [](llvm::StringRef Text) {
    return Text.contains('z') && Text.find_first_of("bd") != Text.npos;
  };
  auto First = llvm::find_if(M.Texts, both);
  ASSERT_NE(First, M.Texts.end());
  EXPECT_EQ(*First, "cccccbz");
}

namespace {

/// An 'o' in the place of an 'x' saves 3 %, and a clock tells 5 %.
class NoisyMeter : public ClockMeter {
public:
  NoisyMeter() { Noise = 0.05; }

private:
  double cost(const Source &S) const override {
    return 100 + 3.0 * double(llvm::StringRef(S.Text).count('x'));
  }
};

} // namespace

TEST(Select, WhatIsFasterBeyondNoiseOnlyTogetherIsFound) {
  SelectOptions O = timed({64});
  NoisyMeter M;
  EXPECT_EQ(run("x", O, letters, M).Result.Text, "x");
  // What each saves is seen in the median when it is taken out.
  EXPECT_EQ(run("xxx", O, letters, M).Result.Text, "ooo");
}

namespace {

/// The kernel takes half the time with a 'z', a tenth less with an 'o', and
/// half of that by the option "-fast" where there is no 'o'.
class OptionMeter : public ClockMeter {
  void change(const measure::MeasureRequest &R,
              measure::Measurement &M) override {
    ClockMeter::change(R, M);
    M.Kernels.front().CodeHash += R.What.DeviceOptions;
  }
  double cost(const Source &S) const override {
    llvm::StringRef Text = S.Text;
    bool Other = Text.contains('o');
    return 1000.0 * (Text.contains('z') ? 0.5 : 1) * (Other ? 0.9 : 1) *
           (S.DeviceOptions == "-fast" && !Other ? 0.5 : 1);
  }
};

} // namespace

TEST(Select, ABuildOptionMayDoMoreForExactEditsAlone) {
  SelectOptions O = timed({64, 64});
  O.Granted = {cantFail(parseEditName("letter"))};
  auto launchedOtherwise = [](const Source &S) {
    llvm::Expected<rewrite::Findings> F = lettersAndY(S);
    for (rewrite::Candidate &C : F->Candidates)
      if (C.Rewrite == "letter") {
        C.Alternatives[0].Class = rewrite::Safety::Contract;
        C.Alternatives[0].Launch = cantFail(launch::parseLaunchChange("1x4"));
      }
    return F;
  };
  for (const char *Option : {"", "-slow", "-fast"}) {
    O.BuildOptions.clear();
    if (*Option)
      O.BuildOptions.push_back({Option});
    OptionMeter M;
    const bool Fast = llvm::StringRef(Option) == "-fast";
    Selection S = run("xy", O, launchedOtherwise, M);
    EXPECT_EQ(S.Result.Text, Fast ? "xz" : "oz") << Option;
    for (const Outcome &Each : S.Outcomes)
      if (Each.Rewrite == "letter")
        EXPECT_EQ(llvm::StringRef(Each.Reason).contains("with a build option"),
                  Fast)
            << Each.Reason;
  }
}

/// Both letters of "xy" may become others, if the host launches the kernel
/// otherwise.
static llvm::Expected<rewrite::Findings> byContract(const Source &S) {
  llvm::Expected<rewrite::Findings> F = lettersAndY(S);
  for (rewrite::Candidate &C : F->Candidates) {
    rewrite::Alternative &A = C.Alternatives[0];
    A.Class = rewrite::Safety::Contract;
    A.Launch = cantFail(
        launch::parseLaunchChange(A.Label == "to-o" ? "1x4" : "1:8x8"));
  }
  return F;
}

TEST(Select, WhatTheHostLaunchesOtherwiseIsTimedSo) {
  SelectOptions O = timed({64, 64});
  ClockMeter Asked;
  Selection Without = run("xy", O, byContract, Asked);
  EXPECT_FALSE(Without.changed());
  ASSERT_EQ(Without.Outcomes.size(), 2u);
  EXPECT_EQ(Without.Outcomes[0].Left, WhyNot::Withheld);

  O.Granted = {cantFail(parseEditName("letter")), cantFail(parseEditName("y"))};
  ClockMeter M;
  Selection S = run("xy", O, byContract, M);
  EXPECT_EQ(S.Result.Text, "oz");
  for (const Outcome &Each : S.Outcomes)
    EXPECT_EQ(Each.Launch->text(), Each.Rewrite == "y" ? "1:8x8" : "1x4");
  std::set<std::string> Seen(M.Launches.begin(), M.Launches.end());
  EXPECT_TRUE(Seen.count("1 -> 1x4"));
  EXPECT_TRUE(Seen.count("1 -> 1:8x8"));
  EXPECT_TRUE(Seen.count("1x4 -> 1x4:8x8")) << "as prune asks";
  EXPECT_EQ(M.Launches.back(), "1 -> 1x4:8x8");
}

namespace {

/// The driver makes the same binary of an 'x' and of an 'o', though the clock
/// says by chance that the 'o' is faster.
class FoldingMeter : public ClockMeter {
public:
  void change(const measure::MeasureRequest &R,
              measure::Measurement &M) override {
    ClockMeter::change(R, M);
    if (R.On.isDevice())
      std::replace(M.Kernels.front().CodeHash.begin(),
                   M.Kernels.front().CodeHash.end(), 'o', 'x');
  }
  double cost(const Source &S) const override {
    llvm::StringRef Text = S.Text;
    return 1000.0 * (Text.contains('z') ? 0.5 : 1) *
           (1 - 0.1 * double(Text.count('o')));
  }
  bool timedAn(char C) const {
    return llvm::any_of(Texts,
                        [C](llvm::StringRef Text) { return Text.contains(C); });
  }
};

} // namespace

TEST(Select, WhatTheDriverFoldsIntoTheSameCodeIsNotTimed) {
  SelectOptions O = timed({64});
  for (bool Offline : {false, true}) {
    if (Offline) // its compiler folds nothing, and does not decide
      O.Targets.push_back(cantFail(measure::parseTarget("gfx906")));
    FoldingMeter M;
    Selection S = run("xxy", O, lettersAndY, M);
    EXPECT_EQ(S.Result.Text, "xxz");
    EXPECT_FALSE(M.timedAn('o'));
    unsigned Folded = 0;
    for (const Outcome &Each : S.Outcomes)
      Folded += llvm::StringRef(Each.Reason) ==
                "the device's driver makes the same code of it";
    EXPECT_GE(Folded, 2u);
  }
}

TEST(Select, TheSameCodeLaunchedOtherwiseIsTimed) {
  SelectOptions O = timed({64, 64});
  O.Granted = {cantFail(parseEditName("letter"))};
  FoldingMeter M;
  Selection S = run("x", O, byContract, M);
  EXPECT_EQ(S.Result.Text, "o");
  EXPECT_TRUE(S.changed());
}

TEST(Select, FiguresJudgeNoOtherLaunch) {
  SelectOptions O = options(Objective::Registers);
  O.Unsafe = true;
  LetterMeter M;
  Selection S = run("xy", O, byContract, M);
  EXPECT_FALSE(S.changed());
  EXPECT_TRUE(S.Outcomes.empty());
}

TEST(Select, TwoEditsThatAskForDifferentGroupsDoNotMeet) {
  SelectOptions O = timed({64, 64});
  O.Unsafe = true;
  ClockMeter M;
  auto Unlike = [](const Source &S) {
    llvm::Expected<rewrite::Findings> F = byContract(S);
    for (rewrite::Candidate &C : F->Candidates)
      if (C.Rewrite == "letter")
        C.Alternatives[0].Launch->Local = {4, 4};
    return F;
  };
  Selection S = run("xy", O, Unlike, M);
  EXPECT_EQ(S.Result.Text, "xz"); // which gains more
}

/// The kernels "x" and "y" of a text, each with the sites of its letter.
static llvm::Expected<rewrite::Findings> twoKernels(const Source &S) {
  llvm::Expected<rewrite::Findings> F = lettersAndY(S);
  F->Kernels = {{"x", 1, {}}, {"y", 1, {}}};
  for (rewrite::Candidate &C : F->Candidates)
    C.Kernels = {C.Rewrite == "y" ? "y" : "x"};
  return F;
}

namespace {

/// The figures of the text are those of "x" and of "y".
void addSecondKernel(measure::Measurement &M) {
  M.Kernels.push_back(M.Kernels.front());
  M.Kernels[0].Kernel = "x";
  M.Kernels[1].Kernel = "y";
}

/// It has figures of both kernels, and a timing takes 20 milliseconds.
class SlowMeter : public ClockMeter {
public:
  void change(const measure::MeasureRequest &R,
              measure::Measurement &M) override {
    ClockMeter::change(R, M);
    addSecondKernel(M);
  }
  std::vector<measure::Timing>
  time(llvm::ArrayRef<measure::TimeRequest> Requests) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return ClockMeter::time(Requests);
  }
};

SelectOptions timedKernels() {
  SelectOptions O = options(Objective::Time);
  O.Targets = {{"dev", "", &measure::deviceFamily()}};
  O.Launches = {launch::Launch{{{64}, {}}, "x", {}, {}},
                launch::Launch{{{64}, {}}, "y", {}, {}}};
  return O;
}

} // namespace

TEST(Select, KernelsOfMoreWeightAreSearchedFirst) {
  SelectOptions O = timedKernels();
  for (bool Weighed : {false, true}) {
    SlowMeter M;
    O.Stop = [&] { return M.Timed >= 1; };
    if (Weighed)
      O.Weights = {{"x", 0.1}, {"y", 1.9}};
    EXPECT_EQ(run("xxy", O, twoKernels, M).Result.Text,
              Weighed ? "xxz" : "oxy");
  }
}

namespace {

/// A device's hash is of both kernels.
class FoldingKernels : public FoldingMeter {
public:
  void change(const measure::MeasureRequest &R,
              measure::Measurement &M) override {
    FoldingMeter::change(R, M);
    addSecondKernel(M);
  }
};

} // namespace

TEST(Select, WhatIsFoldedIsFoldedBesideAnEditOfAnotherKernel) {
  SelectOptions O = timedKernels();
  O.Weights = {{"x", 0.1}, {"y", 1.9}};
  FoldingKernels M;
  EXPECT_EQ(run("xxy", O, twoKernels, M).Result.Text, "xxz");
  EXPECT_FALSE(M.timedAn('o'));
}

TEST(Select, KernelsShareTheTime) {
  SelectOptions O = timedKernels();
  // The sites of the first kernel alone would take more than a second.
  O.Latest = std::chrono::steady_clock::now() + std::chrono::milliseconds(400);
  SlowMeter M;
  std::string Text =
      run(std::string(30, 'x') + "yyyy", O, twoKernels, M).Result.Text;
  EXPECT_TRUE(llvm::StringRef(Text).contains('o')) << Text;
  EXPECT_TRUE(llvm::StringRef(Text).contains('z')) << Text;
}

TEST(Evaluator, TimeIsKeptForAsMuchAsThereIsToDo) {
  using namespace std::chrono_literals;
  SelectOptions O;
  ClockMeter M;
  const Evaluator::Kept For{0.25, 10};
  EXPECT_EQ(Evaluator(M, O).endWith(For), Evaluator::Clock::time_point::max());
  O.Latest = Evaluator::Clock::now() + 100s;
  Evaluator E(M, O);
  auto kept = [&] { return O.Latest - E.endWith(For); };
  // A share, as long as nobody knows what trials take.
  EXPECT_NEAR(std::chrono::duration<double>(kept()).count(), 25, 0.1);
  E.took(4s, 8);
  EXPECT_EQ(kept(), 10s);
  E.took(4s, 2); // 0.8 s each
  EXPECT_EQ(kept(), 16s);
  E.took(1000s, 1);
  EXPECT_NEAR(std::chrono::duration<double>(kept()).count(), 25, 0.1);
}
