// Edits of one alternative that do without each other.
#include "Letters.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace clrewrite;
using namespace clrewrite::select;

namespace {

/// A kernel needs 9 VGPRs; a fence '|' before a 'g' saves one, and one before a
/// 'b' costs one.
class FenceMeter : public LetterMeter {
  void change(const measure::MeasureRequest &R,
              measure::Measurement &M) override {
    llvm::StringRef Text = R.What.Text;
    measure::Usage &U = M.Kernels[0].Figures;
    U.Vgprs = 9 - unsigned(Text.count("|g")) + unsigned(Text.count("|b"));
    U.Occupancy = *U.Vgprs <= 5 ? 2 : 1;
  }
};

/// Fences may stand before every letter, all of them or one half.
llvm::Expected<rewrite::Findings> fences(const Source &S) {
  rewrite::Findings F;
  F.Kernels = {{"k", 1, {}}};
  if (llvm::StringRef(S.Text).contains('|'))
    return F;
  rewrite::Candidate C{"fence", "k", {"k"}, 1, 0, {}, 0};
  C.Separable = true;
  C.Alternatives.resize(2);
  C.Alternatives[0].Label = "all";
  C.Alternatives[1].Label = "half";
  for (rewrite::Alternative &A : C.Alternatives)
    A.Remark = "a fence";
  for (unsigned I = 0; I < S.Text.size(); ++I)
    for (unsigned Alternative = 0;
         Alternative < (2 * I < S.Text.size() ? 2 : 1); ++Alternative)
      C.Alternatives[Alternative].Changes.push_back({I, 0, "|"});
  F.Candidates.push_back(C);
  return F;
}

} // namespace

TEST(Select, OfSeparableEditsThoseThatTheGainNeedsAreFound) {
  for (bool Clocked : {false, true}) {
    FenceMeter M;
    SelectOptions O = options(Objective::Occupancy);
    if (Clocked)
      O.Latest = std::chrono::steady_clock::now() + std::chrono::hours(1);
    Selection S = run("gbbgb..gbgbb.g.b", O, fences, M);
    EXPECT_EQ(S.After[0].find("k")->Figures.Occupancy, 2u);
    EXPECT_EQ(llvm::StringRef(S.Result.Text).count("|g"), 4u);
    EXPECT_EQ(llvm::StringRef(S.Result.Text).count('|'), 4u);
    ASSERT_EQ(
        llvm::count_if(S.Outcomes, [](auto &Each) { return Each.Applied; }), 1);
    for (const Outcome &Each : S.Outcomes)
      if (Each.Applied)
        EXPECT_EQ(Each.Alternative, "4-of-16");
  }
}

TEST(Select, FewerPlacesComeBeforeFewerRegisters) {
  FenceMeter M;
  Selection S = run("gggggggg", options(Objective::Occupancy), fences, M);
  EXPECT_EQ(S.After[0].find("k")->Figures.Occupancy, 2u);
  EXPECT_EQ(llvm::StringRef(S.Result.Text).count('|'), 4u) << S.Result.Text;
}

TEST(Select, SinglePlacesAreNotTriedWhereNoEighthStandsBetter) {
  FenceMeter M;
  Selection S =
      run("gbb.b..bgbb.gb.b", options(Objective::Occupancy), fences, M);
  EXPECT_FALSE(S.changed());
  for (const SearchNote &N : S.Log)
    EXPECT_NE(N.Tried.front().Alternative, "1-of-16");
}

TEST(Select, AnAlternativeThatIsNamedIsNotRefined) {
  FenceMeter M;
  SelectOptions O = options(Objective::Occupancy);
  O.OnlyAlternative = "half";
  Selection S = run("gbbgb..gbgbb.g.b", O, fences, M);
  EXPECT_FALSE(S.changed());
  EXPECT_EQ(S.Log.size(), 1u);
}

namespace {

/// A kernel gains a wave with ten fences before a 'g', and no other way.
class ManyFencesMeter : public LetterMeter {
  void change(const measure::MeasureRequest &R,
              measure::Measurement &M) override {
    measure::Usage &U = M.Kernels[0].Figures;
    U.Vgprs = 20 - unsigned(llvm::StringRef(R.What.Text).count("|g"));
    U.Occupancy = *U.Vgprs <= 10 ? 2 : 1;
  }
};

} // namespace

TEST(Select, MoreFencesThanOneCanReadAreKeptWhereWavesAreAskedFor) {
  ManyFencesMeter M;
  Selection S = run("gggggggggggg", options(Objective::Auto), fences, M);
  EXPECT_FALSE(S.changed()) << S.Result.Text;
  EXPECT_TRUE(llvm::any_of(S.Outcomes, [](const Outcome &Each) {
    return llvm::StringRef(Each.Reason)
        .starts_with("it takes 12 fences, and nobody reads a kernel with "
                     "more than 8");
  }));
  S = run("gggggggggggg", options(Objective::Occupancy), fences, M);
  EXPECT_EQ(llvm::StringRef(S.Result.Text).count('|'), 10u) << S.Result.Text;
}
