// What a kernel may cost, and in which order it is spent.
#include "Letters.h"
#include "measure/nvptx/Nvptx.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace clrewrite;
using namespace clrewrite::select;

namespace {

/// Each line is a kernel, "k0", "k1", ..., with letters as above.
class LinesMeter : public measure::Meter {
public:
  std::vector<measure::Measurement>
  measure(llvm::ArrayRef<measure::MeasureRequest> Requests) override {
    std::vector<measure::Measurement> Out;
    for (const measure::MeasureRequest &R : Requests) {
      llvm::SmallVector<llvm::StringRef> Lines;
      llvm::StringRef(R.What.Text).split(Lines, '\n');
      measure::Measurement M;
      for (size_t I = 0; I < Lines.size(); ++I) {
        LetterMeter One;
        Source Text{"", Lines[I].str(), {}};
        M.Kernels.push_back(One.measure({{Text, R.On, {}}})[0].Kernels.front());
        M.Kernels.back().Kernel = "k" + std::to_string(I);
      }
      Out.push_back(M);
    }
    return Out;
  }
};

llvm::Expected<rewrite::Findings> inLines(const Source &S) {
  llvm::Expected<rewrite::Findings> F = letters(S);
  F->Kernels.clear();
  for (rewrite::Candidate &C : F->Candidates) {
    size_t Line = llvm::StringRef(S.Text).take_front(C.Offset).count('\n');
    C.Kernels = {"k" + std::to_string(Line)};
  }
  for (size_t I = 0; I <= llvm::StringRef(S.Text).count('\n'); ++I)
    F->Kernels.push_back({"k" + std::to_string(I), unsigned(I + 1), {}});
  return F;
}

} // namespace

TEST(Select, EachKernelThatCanGainHasABudgetOfItsOwn) {
  LinesMeter M;
  SelectOptions O = options(Objective::Occupancy);
  O.Budget = 6;
  // The kernels in the middle have all their waves.
  Selection S = run("xxxx\nx\nx\nxxxx", O, inLines, M);
  llvm::StringRef Text = S.Result.Text;
  EXPECT_LT(Text.split('\n').first.count('x'), 2u);
  EXPECT_LT(Text.rsplit('\n').second.count('x'), 2u);
  for (const SearchNote &N : S.Log)
    for (const Outcome &Tried : N.Tried)
      EXPECT_TRUE(Tried.Line == 1 || Tried.Line == 4);
}

TEST(Select, AWeightyKernelGetsMoreOfTheBudget) {
  SelectOptions O = options(Objective::Occupancy);
  O.Budget = 4;
  auto tried = [&](unsigned Line) {
    LinesMeter M;
    unsigned Count = 0;
    // What is tried finds nothing to go on from.
    auto onlySlow = [](const Source &S) {
      llvm::Expected<rewrite::Findings> F = inLines(S);
      llvm::erase_if(F->Candidates, [](const rewrite::Candidate &C) {
        return C.Alternatives[0].Label != "slow";
      });
      return F;
    };
    std::string Slow = "xxxxsssssssss";
    for (const SearchNote &N :
         run(Slow + "\nx\nx\n" + Slow, O, onlySlow, M).Log)
      Count += N.Tried.front().Line == Line &&
               !llvm::StringRef(N.Reason).starts_with("not tried");
    return Count;
  };
  unsigned Even = tried(4);
  EXPECT_EQ(tried(1), Even);
  O.Weights = {{"k0", 1.5}, {"k3", 0.5}};
  EXPECT_GT(tried(1), Even);
  EXPECT_LT(tried(4), Even);
}

TEST(Select, WithoutALaunchNothingIsTriedForTime) {
  LetterMeter M;
  Selection S = run("xxxx", options(Objective::Time), letters, M);
  EXPECT_EQ(M.Calls, 1u);
  EXPECT_EQ(S.Outcomes[0].Reason, NotTimed);
}

TEST(Select, TheFirstAlternativesOfAllSitesComeBeforeTheSecondOfOne) {
  auto Twice = [](const Source &S) {
    llvm::Expected<rewrite::Findings> F = letters(S);
    for (rewrite::Candidate &C : F->Candidates) {
      C.Alternatives.insert(C.Alternatives.begin(), C.Alternatives[0]);
      C.Alternatives[0].Changes[0].Text = "x'";
      C.Alternatives[0].Label = "first";
    }
    return F;
  };
  LetterMeter M;
  SelectOptions O = options(Objective::Registers);
  O.Budget = 3;
  Selection S = run("xxx", O, Twice, M);
  for (const Outcome &Each : S.Outcomes)
    EXPECT_EQ(Each.Reason.find("not tried") == 0, Each.Alternative != "first");
}

TEST(Select, ALaterPhaseBuildsOnWhatOnlyHelped) {
  // One 'x' is of the first turn and one of the second; a wave needs both.
  LetterMeter M;
  auto LastIsLate = [](const Source &Text) {
    llvm::Expected<rewrite::Findings> F = firstLetters(2)(Text);
    for (rewrite::Candidate &C : F->Candidates)
      C.Phase = C.Offset == 1;
    return F;
  };
  Selection S = run("xxxxx", options(Objective::Occupancy), LastIsLate, M);
  EXPECT_EQ(S.Result.Text, "ooxxx");
}

TEST(Select, TheFirstPhaseIsTriedAgainOnWhatALaterOneFound) {
  // The first site is one only after the second, of a later turn, is taken.
  LetterMeter M;
  auto Opened = [](const Source &Text) {
    llvm::Expected<rewrite::Findings> F = letters(Text);
    for (rewrite::Candidate &C : F->Candidates)
      C.Phase = C.Offset == 1;
    if (Text.Text[1] == 'x')
      F->Candidates.front().Alternatives[0].Changes[0].Text = "X x";
    return F;
  };
  Selection S = run("xx", options(Objective::Registers), Opened, M);
  EXPECT_EQ(S.Result.Text, "oo");
}

TEST(Select, WhatOnlyAmdsCompilersSeeIsNotTriedElsewhere) {
  auto Amd = [](const Source &S) {
    llvm::Expected<rewrite::Findings> F = letters(S);
    for (rewrite::Candidate &C : F->Candidates)
      C.AmdOnly = true;
    return F;
  };
  LetterMeter M;
  SelectOptions O = options(Objective::Registers);
  O.Targets = {{"sm", "sm", &measure::nvptxFamily()}};
  Selection S = run("xx", O, Amd, M);
  EXPECT_FALSE(S.changed());
  EXPECT_EQ(M.Calls, 1u);
  EXPECT_EQ(
      S.Outcomes[0].Reason,
      "only compilers for AMD's GPUs from GCN on see it, and none of them "
      "decides");
  // Beside an AMD target it is tried there alone.
  O.Targets.insert(O.Targets.begin(), {"gpu", "gpu"});
  LetterMeter Both;
  S = run("x", O, Amd, Both);
  EXPECT_TRUE(S.changed());
  EXPECT_EQ(Both.Calls, 2u + 1 + 2); // before, the trial, after
}
