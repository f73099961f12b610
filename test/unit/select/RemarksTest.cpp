// Comments behind edits, on letters.
#include "Letters.h"

using namespace clrewrite;
using namespace clrewrite::select;

namespace {

/// Every 'x' may become an 'o', which another line follows.
llvm::Expected<rewrite::Findings> lines(const Source &S) {
  llvm::Expected<rewrite::Findings> F = letters(S);
  for (rewrite::Candidate &C : F->Candidates) {
    C.Alternatives[0].Remark = "said in words";
    C.Alternatives[0].Changes[0].Text = "o\ny\n";
  }
  return F;
}

std::string after(const std::string &Text, SelectOptions O,
                  const Finder &Find = lines) {
  LetterMeter M;
  Selection S = run(Text, O, Find, M);
  Edits All;
  for (const Outcome &Each : S.Outcomes)
    if (Each.Applied && Each.Changes)
      All.insert(All.end(), Each.Changes->begin(), Each.Changes->end());
  // What an editor applies is what is written.
  EXPECT_EQ(llvm::cantFail(applyEdits(llvm::StringRef(Text), All)),
            S.Result.Text);
  return S.Result.Text;
}

SelectOptions unmeasured() {
  SelectOptions O = options(Objective::Occupancy);
  O.NoMeasure = true;
  return O;
}

} // namespace

TEST(Remarks, SayWhatTheEditGains) {
  // Two registers fewer are a wave more on a target of NVIDIA's.
  EXPECT_EQ(after("xx\n", options(Objective::Occupancy)),
            "o\ny // clrewrite: 2 -> 3 warps on gpu\nx\n");
  EXPECT_EQ(after("x\n", options(Objective::Registers)),
            "o\ny // clrewrite: 2 -> 1 VGPRs on gpu\n\n");
}

TEST(Remarks, SayWhyInWordsWhereNothingWasMeasured) {
  EXPECT_EQ(after("x\n", unmeasured()), "o\ny // clrewrite: said in words\n\n");
  EXPECT_EQ(after("x\r\n", unmeasured()),
            "o\r\ny // clrewrite: said in words\r\n\r\n");
}

TEST(Remarks, EndTheirLine) {
  // Something stands behind the edit: a comment would swallow it.
  Finder Inline = [](const Source &S) {
    llvm::Expected<rewrite::Findings> F = lines(S);
    for (rewrite::Candidate &C : F->Candidates)
      C.Alternatives[0].Changes[0].Text = "o";
    return F;
  };
  EXPECT_EQ(after("x\\\n", unmeasured(), Inline), "o\\\n");
  EXPECT_EQ(after("x;\n", unmeasured(), Inline), "o;\n");
  EXPECT_EQ(after("x", unmeasured(), Inline), "o // clrewrite: said in words");
}

TEST(Remarks, StandAboveAStatementThatWasAnother) {
  Finder Statement = [](const Source &S) {
    llvm::Expected<rewrite::Findings> F = lines(S);
    for (rewrite::Candidate &C : F->Candidates)
      C.Alternatives[0].Changes[0].Text = "o {\n  y }";
    return F;
  };
  EXPECT_EQ(after("a\n\t  x;\n", options(Objective::Registers), Statement),
            "a\n\t  // by clrewrite: 2 -> 1 VGPRs on gpu\n\t  o {\n  y };\n");
  EXPECT_EQ(after("a\r\n x\r\n", unmeasured(), Statement),
            "a\r\n // by clrewrite: said in words\r\n o {\r\n  y }\r\n");
  // Within a line, and in one that goes on, a comment would swallow it.
  EXPECT_EQ(after("a x;\n", unmeasured(), Statement), "a o {\n  y };\n");
  EXPECT_EQ(after("a\\\nx;\n", unmeasured(), Statement), "a\\\no {\n  y };\n");
}

TEST(Remarks, ThatExplainStandBesideTheFigure) {
  Finder Explained = [](const Source &S) {
    llvm::Expected<rewrite::Findings> F = lines(S);
    for (rewrite::Candidate &C : F->Candidates)
      C.Alternatives[0].Explains = true;
    return F;
  };
  SelectOptions O = options(Objective::Registers);
  EXPECT_EQ(after("x\n", O, Explained),
            "o\ny // clrewrite: said in words: 2 -> 1 VGPRs on gpu\n\n");
  // On a line of its own it is broken where it is long.
  Finder Statement = [&](const Source &S) {
    llvm::Expected<rewrite::Findings> F = Explained(S);
    for (rewrite::Candidate &C : F->Candidates)
      C.Alternatives[0].Changes[0].Text = "o {\n  y }";
    return F;
  };
  EXPECT_EQ(after(" x;\n", O, Statement),
            " // by clrewrite: said in words: 2 -> 1 VGPRs on gpu\n"
            " o {\n  y };\n");
  std::string Deep(40, ' ');
  EXPECT_EQ(after(Deep + "x;\n", O, Statement),
            Deep + "// by clrewrite: said in words:\n" + Deep +
                "// 2 -> 1 VGPRs on gpu\n" + Deep + "o {\n  y };\n");
}

TEST(Remarks, FollowTheirLines) {
  // One round after the other, the last line first.
  Finder Reversed = [](const Source &S) {
    llvm::Expected<rewrite::Findings> F = lines(S);
    std::reverse(F->Candidates.begin(), F->Candidates.end());
    return F;
  };
  for (const Finder &Find : {Finder(lines), Reversed})
    EXPECT_EQ(after("1x\n2x\n", unmeasured(), Find),
              "1o\ny // clrewrite: said in words\n\n"
              "2o\ny // clrewrite: said in words\n\n");
}

TEST(Remarks, HoldNothingThatEndsAComment) {
  SelectOptions O = options(Objective::Registers);
  O.Targets = {{"a\\\n\"?\?/*/ b\\", "gpu"}};
  EXPECT_EQ(after("x\n", O), "o\ny // clrewrite: 2 -> 1 VGPRs on a b\n\n");
}

TEST(Remarks, StandBehindTheFirstLineOfAShelter) {
  Finder Sheltered = [](const Source &S) {
    llvm::Expected<rewrite::Findings> F = lines(S);
    for (rewrite::Candidate &C : F->Candidates)
      C.Alternatives[0].Changes[0].Text = "\n#ifdef M // clrewrite\no\n#endif";
    return F;
  };
  EXPECT_EQ(after(";x\n", unmeasured(), Sheltered),
            ";\n#ifdef M // clrewrite: said in words\no\n#endif\n");
  EXPECT_EQ(after(";x\r\n", unmeasured(), Sheltered),
            ";\r\n#ifdef M // clrewrite: said in words\r\no\r\n#endif\r\n");
  EXPECT_EQ(after(";x\n", options(Objective::Registers), Sheltered),
            ";\n#ifdef M // clrewrite: 2 -> 1 VGPRs on gpu\no\n#endif\n");
}
