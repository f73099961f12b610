// Edits that were applied together are taken out, one after the other, on
// letters.
#include "select/Prune.h"
#include "Letters.h"
#include "measure/device/DeviceTargets.h"
#include <cmath>

using namespace clrewrite;
using namespace clrewrite::select;

namespace {

/// A device on which a text takes as long as \p Cost says.
class CostMeter : public LetterMeter {
public:
  explicit CostMeter(std::function<double(llvm::StringRef)> Cost)
      : Cost(std::move(Cost)) {}

  std::vector<measure::Timing>
  time(llvm::ArrayRef<measure::TimeRequest> Requests) override {
    std::vector<measure::Timing> Out;
    for (const measure::TimeRequest &R : Requests) {
      double B = Cost(R.Before.Text), A = Cost(R.After.Text);
      Out.push_back({measure::PairedTime{B, A, B / A, B / A, B / A}, ""});
    }
    return Out;
  }

protected:
  void change(const measure::MeasureRequest &,
              measure::Measurement &M) override {
    M.Kernels.front().Figures = measure::Usage();
  }

private:
  std::function<double(llvm::StringRef)> Cost;
};

/// Its driver makes the same binary of an 'x' and an 'o'.
class FoldingMeter : public CostMeter {
public:
  using CostMeter::CostMeter;

private:
  void change(const measure::MeasureRequest &R,
              measure::Measurement &M) override {
    CostMeter::change(R, M);
    std::replace(M.Kernels.front().CodeHash.begin(),
                 M.Kernels.front().CodeHash.end(), 'o', 'x');
  }
};

/// What is left of four edits, each of which makes an 'o' of an 'x'.
template <typename Meter = CostMeter>
std::string pruned(std::function<double(llvm::StringRef)> Cost) {
  SelectOptions O = options(Objective::Time);
  O.Targets = {{"dev", "", &measure::deviceFamily()}};
  O.Launches = {launch::Launch{{{64}, {}}, "k", {}, {}}};
  Meter M(std::move(Cost));
  Evaluator Eval(M, O);
  Source S{"/k.cl", "xxxx", {}};
  Variant V(S, *letters(S));
  std::vector<Step> Steps;
  for (const rewrite::Candidate &C : V.Found.Candidates)
    Steps.push_back({V.outcomeOf(C, C.Alternatives[0]),
                     C.Alternatives[0].Changes,
                     std::nullopt,
                     {},
                     0,
                     {"k"}});
  llvm::Expected<Variant> All = V.with(std::move(Steps), letters);
  EXPECT_TRUE(bool(All));
  EXPECT_EQ(All->Text.Text, "oooo");
  All->Figures = Eval.figures(All->Text, {"k"});
  std::vector<Outcome> Rejected;
  prune(*All, Eval, Rejected);
  EXPECT_EQ(All->Steps.size() + Rejected.size(), 4u);
  return All->Text.Text;
}

} // namespace

TEST(Prune, WhatTheDriverFoldsGoes) {
  // By chance each looks faster.
  std::string Left = pruned<FoldingMeter>([](llvm::StringRef Text) {
    return 1000 * std::pow(0.9, double(Text.count('o')));
  });
  EXPECT_EQ(Left, "xxxx");
}

TEST(Prune, TheOneThatMakesTheGainStays) {
  EXPECT_EQ(pruned([](llvm::StringRef Text) {
              return Text[2] == 'o' ? 500.0 : 1000.0;
            }),
            "xxox");
}

TEST(Prune, WhatAllGainTogetherIsNotLostOneByOne) {
  // Each gains less than a percent, which is within the noise.
  std::string Left = pruned([](llvm::StringRef Text) {
    return 1000 * std::pow(0.993, double(Text.count('o')));
  });
  EXPECT_EQ(llvm::StringRef(Left).count('o'), 3u) << Left;
}

TEST(Prune, WhatEachGainsStays) {
  EXPECT_EQ(pruned([](llvm::StringRef Text) {
              return 1000 - 100 * double(Text.count('o'));
            }),
            "oooo");
}
