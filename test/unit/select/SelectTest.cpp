// The search, on letters.
#include "Letters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace clrewrite;
using namespace clrewrite::select;

TEST(Select, KeepsNoMoreThanTheGainNeeds) {
  // The last wave comes with the third edit; the fourth gives none.
  Selection S = run("xxxx", options(Objective::Occupancy));
  EXPECT_EQ(llvm::StringRef(S.Result.Text).count('x'), 1u);
  EXPECT_TRUE(S.changed());
}

TEST(Select, RepeatsUntilNothingPays) {
  Selection S = run("xxxx", options(Objective::Registers));
  EXPECT_EQ(S.Result.Text, "oooo");
  ASSERT_EQ(S.Before.size(), 1u);
  EXPECT_EQ(S.Before[0].find("k")->Figures.Vgprs, 5u);
  EXPECT_EQ(S.After[0].find("k")->Figures.Vgprs, 1u);
}

TEST(Select, WhatTheOthersPayForIsNotTakenOut) {
  // An 's' is a register less for cycles that only an 'x' makes up for.
  class Trade : public LetterMeter {
    void change(const measure::MeasureRequest &R,
                measure::Measurement &M) override {
      llvm::StringRef Text = R.What.Text;
      measure::Usage &U = M.Kernels.front().Figures;
      U.Vgprs = unsigned(10 + Text.count('s'));
      U.EstCycles =
          100 + 20.0 * double(Text.count('!')) + 50.0 * double(Text.count('x'));
    }
  };
  Trade M;
  Selection S = run("xs", options(Objective::Registers), letters, M);
  EXPECT_EQ(S.Result.Text, "o!");
  EXPECT_EQ(S.After[0].find("k")->Figures.Vgprs, 10u);
}

TEST(Select, KeptEditsHavePlacesInTheGivenText) {
  Selection S = run("xxxx", options(Objective::Registers));
  Edits All;
  for (const Outcome &O : S.Outcomes)
    if (O.Applied) {
      ASSERT_TRUE(O.Changes.has_value());
      All.insert(All.end(), O.Changes->begin(), O.Changes->end());
    }
  EXPECT_EQ(llvm::cantFail(applyEdits(llvm::StringRef("xxxx"), All)), "oooo");
}

TEST(Select, WhatWasAppliedAfterAllIsNotDeclined) {
  // A letter is a site once the one before it is done.
  Finder InOrder = [](const Source &S) {
    llvm::Expected<rewrite::Findings> F = letters(S);
    for (const rewrite::Candidate &C :
         llvm::ArrayRef(F->Candidates)
             .drop_front(F->Candidates.empty() ? 0 : 1)) {
      rewrite::Declined D;
      D.Rewrite = C.Rewrite;
      D.Offset = C.Offset;
      F->Declines.push_back(D);
    }
    F->Candidates.resize(std::min<size_t>(1, F->Candidates.size()));
    return F;
  };
  LetterMeter M;
  Selection S = run("xxx", options(Objective::Registers), InOrder, M);
  EXPECT_EQ(S.Result.Text, "ooo");
  EXPECT_TRUE(S.Declines.empty());
  SelectOptions Once = options(Objective::Registers);
  unsigned Had = M.Calls;
  Once.Stop = [&] { return M.Calls > Had + 1; };
  EXPECT_FALSE(run("xxx", Once, InOrder, M).Declines.empty());
}

TEST(Select, FindsTwoEditsThatPayOnlyTogether) {
  // From 3, two steps are needed for the next wave and neither pays alone.
  Selection S = run("xxx", options(Objective::Occupancy));
  EXPECT_EQ(llvm::StringRef(S.Result.Text).count('x'), 1u);
  for (const Outcome &O : S.Outcomes)
    if (O.Applied)
      EXPECT_EQ(O.Reason, "gpu: occupancy rises from 2 to 3");
  // Each built on the other is the same text, which is tried once.
  std::set<std::string> Tried;
  for (const SearchNote &N : S.Log) {
    std::set<std::string> Edits;
    for (const auto *List : {&N.From, &N.Tried})
      for (const Outcome &O : *List)
        Edits.insert(std::to_string(O.Offset));
    EXPECT_TRUE(Tried.insert(llvm::join(Edits, ",")).second);
  }
}

TEST(Select, LaterPhasesBuildOnTheBestOfTheEarlier) {
  Source S{"/k.cl", "xxx", {}};
  LetterMeter M;
  auto LastIsLate = [](const Source &Text) {
    llvm::Expected<rewrite::Findings> F = letters(Text);
    for (rewrite::Candidate &C : F->Candidates)
      C.Phase = C.Offset == 2;
    return F;
  };
  auto First = LastIsLate(S);
  auto R =
      select::select(S, *First, LastIsLate, M, options(Objective::Registers));
  ASSERT_TRUE(bool(R));
  EXPECT_EQ(R->Result.Text, "ooo");
  for (const SearchNote &N : R->Log)
    EXPECT_EQ(N.From.size() == 2, N.Tried.front().Offset == 2);
}

TEST(Select, EditsThatNeverPayAreLeftOut) {
  // 5 that stay leave one wave, however many go. Two rounds and no more.
  LetterMeter M;
  Selection S =
      run("xxxxxxxxx", options(Objective::Occupancy), firstLetters(4), M);
  EXPECT_FALSE(S.changed());
  EXPECT_EQ(S.Log.back().Round, 2u);
  for (const Outcome &O : S.Outcomes)
    EXPECT_EQ(O.Reason.find("no target gains"), 0u);
}

TEST(Select, WhatNothingIsBuiltOnIsNotParsed) {
  LetterMeter M;
  unsigned Parsed = 0;
  auto Counting = [&](const Source &Text) {
    ++Parsed;
    return firstLetters(4)(Text);
  };
  SelectOptions O = options(Objective::Registers);
  O.JudgedBy.Goal = Objective::Estimate; // which nothing lowers
  Selection S = run("xxxxxxxxx", O, Counting, M);
  // Once at first, and the beam of the first round; the second is the last.
  EXPECT_EQ(S.Log.back().Round, 2u);
  EXPECT_EQ(Parsed, 4u);
}

TEST(Select, WhatHelpsIsTriedAllAtOnce) {
  // The next wave is six edits away.
  Selection S = run("xxxxxxxxx", options(Objective::Occupancy));
  EXPECT_LT(llvm::StringRef(S.Result.Text).count('x'), 2u);
  EXPECT_LE(S.Log.back().Round, 2u);
}

TEST(Select, StopsWhenItIsTold) {
  SelectOptions O = options(Objective::Registers);
  unsigned Asked = 0;
  O.Stop = [&] { return ++Asked > 1; };
  Selection S = run("xxxx", O);
  EXPECT_TRUE(S.changed());
  EXPECT_GT(S.NotTried, 0u);
}

TEST(Select, RefusesTheSlow) {
  Selection S = run("s", options(Objective::Registers));
  EXPECT_FALSE(S.changed());
  ASSERT_EQ(S.Outcomes.size(), 1u);
  EXPECT_NE(S.Outcomes[0].Reason.find("estimate rises"), std::string::npos);
}

TEST(Select, WithoutMeasuringEverythingLegalIsApplied) {
  SelectOptions O = options(Objective::Occupancy);
  O.NoMeasure = true;
  Selection S = run("xsx", O);
  EXPECT_EQ(S.Result.Text, "o!o");
  EXPECT_EQ(S.Outcomes.size(), 3u);
  EXPECT_TRUE(S.Before.empty());
}

TEST(Select, ASpentBudgetIsSaid) {
  SelectOptions O = options(Objective::Registers);
  O.Budget = 3;
  // Three alternatives lower nothing, so the search ends there.
  Selection S = run("ssssssx", O);
  EXPECT_FALSE(S.changed());
  EXPECT_GT(S.NotTried, 0u);
  EXPECT_EQ(S.Outcomes.back().Reason,
            "not tried: the budget of 3 alternatives a kernel is spent");
}

TEST(Select, WhereTheBudgetCutsASearchShortAnotherGoesOn) {
  SelectOptions O = options(Objective::Registers);
  O.Budget = 18;
  Selection S = run("s" + std::string(20, 'x'), O);
  EXPECT_EQ(S.Result.Text, "s" + std::string(20, 'o'));
  EXPECT_EQ(S.NotTried, 0u);
  for (const Outcome &Each : S.Outcomes)
    EXPECT_FALSE(llvm::StringRef(Each.Reason).starts_with("not tried"))
        << Each.Offset << Each.Reason;
  // So a second run has nothing left.
  EXPECT_FALSE(run(S.Result.Text, O).changed());
}

TEST(Select, AnEditThatDoesNotParseCostsOnlyItself) {
  Source S{"/k.cl", "x\ns", {}};
  LetterMeter M;
  SelectOptions O = options(Objective::Occupancy);
  O.NoMeasure = true;
  auto Picky = [](const Source &Text) -> llvm::Expected<rewrite::Findings> {
    if (llvm::StringRef(Text.Text).contains('!'))
      return llvm::createStringError("line 2: no");
    return letters(Text);
  };
  auto First = letters(S);
  auto R = select::select(S, *First, Picky, M, O);
  ASSERT_TRUE(bool(R));
  EXPECT_EQ(R->Result.Text, "o\ns");
  ASSERT_EQ(R->Outcomes.size(), 2u);
  EXPECT_TRUE(R->Outcomes[0].Applied);
  EXPECT_EQ(R->Outcomes[1].Reason,
            "its result does not parse; please report it: line 2: no");
}

TEST(Select, SlownessDoesNotAddUpOverRounds) {
  // Each 'x' gone costs nothing; each 's' gone costs 50 of 10 cycles. A limit
  // of 600 % lets one of them pass, not two.
  SelectOptions O = options(Objective::Registers);
  O.JudgedBy.MaxSlowdown = 6;
  Source S{"/k.cl", "ss", {}};
  class Falling : public LetterMeter {
    void change(const measure::MeasureRequest &R,
                measure::Measurement &M) override {
      M.Kernels[0].Figures.Vgprs =
          unsigned(llvm::StringRef(R.What.Text).count('s'));
    }
  } M;
  auto First = letters(S);
  auto R = select::select(S, *First, letters, M, O);
  ASSERT_TRUE(bool(R));
  EXPECT_EQ(llvm::StringRef(R->Result.Text).count('!'), 1u);
}

TEST(Select, LinesAreThoseOfTheGivenText) {
  Selection S = run("x\nx\nx", options(Objective::Registers));
  EXPECT_EQ(S.Result.Text, "o\no\no");
  std::vector<unsigned> Lines;
  for (const Outcome &O : S.Outcomes)
    if (O.Applied)
      Lines.push_back(O.Line);
  EXPECT_EQ(Lines, (std::vector<unsigned>{1, 2, 3}));
}

TEST(Select, AnUninitialisedReadStopsIt) {
  Source S{"/k.cl", "xxxx", {}};
  LetterMeter M;
  auto Undefined = [](const Source &Text) {
    auto F = letters(Text);
    F->Kernels[0].UninitialisedLines = {7};
    return F;
  };
  auto First = Undefined(S);
  auto R =
      select::select(S, *First, Undefined, M, options(Objective::Registers));
  ASSERT_TRUE(bool(R));
  EXPECT_FALSE(R->changed());
  EXPECT_NE(R->Outcomes[0].Reason.find("line 7"), std::string::npos);
}

namespace {
/// Of the VGPRs, one a letter, all in capitals are alive where blocks meet.
class EdgeMeter : public LetterMeter {
  void change(const measure::MeasureRequest &R,
              measure::Measurement &M) override {
    unsigned Alive = unsigned(llvm::count_if(R.What.Text, llvm::isUpper));
    M.Kernels[0].LiveAtEdges = Alive;
    M.Kernels[0].Figures.Vgprs = *M.Kernels[0].Figures.Vgprs + Alive;
  }
};

/// Limits of 1 to 9 registers, each a digit at the end.
llvm::Expected<rewrite::Findings> limits(const Source &S) {
  rewrite::Findings F;
  F.Kernels = {{"k", 1, {}}};
  rewrite::Candidate C;
  C.Rewrite = "limit";
  C.Function = "k";
  C.Kernels = {"k"};
  C.Line = 1;
  for (char Digit = '1'; Digit <= '9'; ++Digit) {
    rewrite::Alternative A;
    A.Label = std::string(1, Digit);
    A.VgprLimit = unsigned(Digit - '0');
    A.Changes = {{unsigned(S.Text.size()), 0, A.Label}};
    C.Alternatives.push_back(std::move(A));
  }
  F.Candidates.push_back(std::move(C));
  return F;
}
} // namespace

TEST(Select, LimitsBelowWhatIsAliveAtEdgesAreNotTried) {
  EdgeMeter M;
  SelectOptions O = options(Objective::Occupancy);
  Selection S = run("xxxxABC", O, limits, M); // 8 VGPRs
  std::string Tried;
  for (const SearchNote &N : S.Log)
    for (const Outcome &Each : N.Tried)
      Tried += Each.Alternative;
  EXPECT_EQ(Tried, "34567");
  for (const Outcome &Each : S.Outcomes)
    if (Each.Alternative < "3")
      EXPECT_EQ(Each.Left, WhyNot::BelowLive);
  // Where AGPRs lie beside them, there is room for twice the number.
  O.Targets = {llvm::cantFail(measure::parseTarget("gfx90a"))};
  S = run("xxxxABC", O, limits, M);
  EXPECT_TRUE(llvm::any_of(S.Log, [](const SearchNote &N) {
    return N.Tried.front().Alternative == "2";
  }));
}

TEST(Select, KeepsWithinItsLinesOverSeveralRounds) {
  // Each edit is longer than what it replaces, opens the next letter, and all
  // behind it moves.
  Finder InOrder = [](const Source &S) {
    llvm::Expected<rewrite::Findings> F = letters(S);
    for (rewrite::Candidate &C : F->Candidates)
      C.Alternatives[0].Changes[0].Text = "ooo\no";
    return F;
  };
  LetterMeter M;
  SelectOptions O = options(Objective::Registers);
  O.Within = bytesOf("xx\nxx\nxx\n", {{2, 2}});
  EXPECT_EQ(run("xx\nxx\nxx\n", O, InOrder, M).Result.Text,
            "xx\nooo\noooo\no\nxx\n");
  EXPECT_EQ(run("xx\r\nxx\r\nxx\r\n", O, InOrder, M).Result.Text.substr(0, 4),
            "xx\r\n");
  O.Within = Ranges();
  EXPECT_FALSE(run("xx\nxx\nxx\n", O, InOrder, M).changed());
}

/// letters, with the alternatives of class \p Class.
static Finder ofClass(rewrite::Safety Class) {
  return [Class](const Source &S) {
    llvm::Expected<rewrite::Findings> F = letters(S);
    for (rewrite::Candidate &C : F->Candidates)
      C.Alternatives[0].Class = Class;
    return F;
  };
}

TEST(Select, WhatIsNotExactNeedsAGrant) {
  LetterMeter M;
  SelectOptions O = options(Objective::Occupancy);
  Selection S = run("xx", O, ofClass(rewrite::Safety::Assumes), M);
  EXPECT_FALSE(S.changed());
  ASSERT_EQ(S.Outcomes.size(), 2u);
  EXPECT_EQ(S.Outcomes[0].Left, WhyNot::Withheld);
  EXPECT_EQ(S.Outcomes[0].Reason,
            "class assumes: applied with --unsafe-fixes or a grant only");
  O.Granted = {{"letter", "", rewrite::Safety::Approximate}, {"word"}};
  EXPECT_FALSE(run("xx", O, ofClass(rewrite::Safety::Assumes), M).changed());
  O.Granted = {{"letter", "to-o"}};
  EXPECT_TRUE(run("xx", O, ofClass(rewrite::Safety::Assumes), M).changed());
  // Who has nothing to gain is not told to grant.
  O.Granted = {};
  for (const Outcome &Out :
       run("x", O, ofClass(rewrite::Safety::Assumes), M).Outcomes)
    EXPECT_NE(Out.Left, WhyNot::Withheld);
}

TEST(Select, WhatIsDemotedNeedsToBeAskedFor) {
  for (bool NoMeasure : {false, true}) {
    SelectOptions O = options(Objective::Occupancy);
    O.NoMeasure = NoMeasure;
    O.Demoted = O.Granted = {{"letter"}};
    Selection S = run("xx", O);
    EXPECT_FALSE(S.changed());
    ASSERT_EQ(S.Outcomes.size(), 2u);
    EXPECT_EQ(S.Outcomes[0].Left, WhyNot::Withheld);
    EXPECT_EQ(S.Outcomes[0].Reason,
              "demoted: applied with --unsafe-fixes only");
    O.Unsafe = true;
    EXPECT_TRUE(run("xx", O).changed());
  }
}

TEST(Select, EditsThatTakeOneNameAreNotMadeAtOnce) {
  // The first 'x' becomes an 'o'; where there is one, the next takes another.
  auto find = [](bool SayNames) {
    return [=](const Source &S) {
      llvm::Expected<rewrite::Findings> F = letters(S);
      const char *Name = S.Text.find('o') == std::string::npos ? "o" : "q";
      for (rewrite::Candidate &C : F->Candidates) {
        C.Alternatives[0].Changes[0].Text = Name;
        if (SayNames)
          C.Alternatives[0].Names = {Name};
      }
      return F;
    };
  };
  LetterMeter M;
  std::string Text =
      run("xx", options(Objective::Registers), find(true), M).Result.Text;
  EXPECT_TRUE(Text == "oq" || Text == "qo") << Text;
  EXPECT_EQ(
      run("xx", options(Objective::Registers), find(false), M).Result.Text,
      "oo");
}
