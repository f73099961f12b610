// What suppressions leave of a text's findings.
#include "pipeline/Suppressing.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::pipeline;

namespace {

/// A site of \p Rewrite at the first \p Place of \p Text, with an edit each of
/// \p Changes.
rewrite::Candidate site(const std::string &Text, const std::string &Place,
                        std::vector<Edit> Changes, std::string Rewrite = "x") {
  rewrite::Candidate C;
  C.Rewrite = std::move(Rewrite);
  C.Offset = unsigned(Text.find(Place));
  for (Edit &E : Changes)
    C.Alternatives.push_back(
        {"way" + std::to_string(E.Offset), rewrite::Safety::Exact, "", {E}});
  return C;
}

/// Replaces the first \p Old of \p Text.
Edit replacing(const std::string &Text, const std::string &Old,
               std::string New) {
  return {unsigned(Text.find(Old)), unsigned(Old.size()), std::move(New)};
}

struct Sifted {
  Suppressing By;
  rewrite::Findings F;

  explicit Sifted(const std::string &Text,
                  std::vector<rewrite::Candidate> Sites) {
    F.Candidates = std::move(Sites);
    sift(Text);
  }
  void sift(const std::string &Text) {
    By.sift(F, Text, frontend::suppressionsIn(Text),
            [](unsigned L) { return L + 100; });
  }
  /// What is left, and the reasons for the rest.
  std::string told() const {
    std::string Out;
    for (const rewrite::Candidate &C : F.Candidates)
      for (const rewrite::Alternative &A : C.Alternatives)
        Out += C.Rewrite + " " + A.Label + "; ";
    for (const rewrite::Declined &D : F.Declines)
      Out += D.Rewrite + ": " + D.Reason + "; ";
    return Out;
  }
  std::string warned(const std::string &Text,
                     std::vector<llvm::StringRef> Tried = {"reroll", "x",
                                                           "y"}) const {
    std::string Out;
    for (const rewrite::Warning &W : By.warnings(frontend::suppressionsIn(Text),
                                                 {"reroll", "x", "y"}, Tried))
      Out += std::to_string(W.Line) + ": " + W.Message + "\n";
    return Out;
  }
};

} // namespace

TEST(Suppressing, ASiteInTheLine) {
  std::string Text = "a;\nb; // NOCLREWRITE(x)\nc;\n";
  // What its edits touch does not matter.
  Edit A = replacing(Text, "a", "1");
  Sifted S(Text, {site(Text, "b", {A}), site(Text, "b", {A}, "y"),
                  site(Text, "c", {A})});
  EXPECT_EQ(S.told(), "y way0; x way0; "
                      "x: suppressed by the comment in line 102; ");
  EXPECT_EQ(S.warned(Text), "");
}

TEST(Suppressing, AlternativesThatTouchTheLine) {
  std::string Text = "a;\nb; // NOCLREWRITE\nc;\n";
  Edit A = replacing(Text, "a", "1"), B = replacing(Text, "b", "2");
  EXPECT_EQ(Sifted(Text, {site(Text, "a", {A, B})}).told(), "x way0; ");
  Sifted S(Text, {site(Text, "a", {B})});
  EXPECT_EQ(S.told(), "x: suppressed by the comment in line 102; ");
  EXPECT_EQ(S.warned(Text), "");
  // An insertion before the line is none into it; what joins lines is.
  Edit Before{3, 0, "1;\n"}, Joins{20, 2, ""};
  ASSERT_EQ(Text.substr(20, 2), "\nc");
  EXPECT_EQ(Sifted(Text, {site(Text, "c", {Before, Joins})}).told(),
            "x way3; ");
}

TEST(Suppressing, SeparableEditsAreLeftOutAlone) {
  std::string Text = "a;\nb; // NOCLREWRITE\nc;\n";
  rewrite::Candidate C = site(Text, "a", {replacing(Text, "a", "1")});
  C.Alternatives[0].Changes.push_back(replacing(Text, "b", "2"));
  EXPECT_EQ(Sifted(Text, {C}).F.Candidates.size(), 0u);
  C.Separable = true;
  Sifted S(Text, {C});
  ASSERT_EQ(S.F.Candidates.size(), 1u);
  EXPECT_EQ(S.F.Candidates[0].Alternatives[0].Changes,
            Edits{replacing(Text, "a", "1")});
  EXPECT_EQ(S.warned(Text), "");
}

TEST(Suppressing, SharedInsertionsStayOutOfWhatIsOffOnly) {
  std::string Text = "a; // NOCLREWRITE(x)\nb;\n";
  rewrite::Candidate C = site(Text, "b", {replacing(Text, "b", "1")});
  C.Alternatives[0].Changes.push_back({1, 0, " #define", true});
  EXPECT_EQ(Sifted(Text, {C}).F.Candidates.size(), 1u);
  std::string Off = "/* clrewrite-off */ a;\n/* clrewrite-on */ b;\n";
  C = site(Off, "b;", {replacing(Off, "b;", "1")});
  C.Alternatives[0].Changes.push_back({0, 0, "#define\n", true});
  EXPECT_EQ(Sifted(Off, {C}).F.Candidates.size(), 1u);
  C.Alternatives[0].Changes.back().Offset = 20;
  EXPECT_EQ(Sifted(Off, {C}).told(),
            "x: suppressed by the comment in line 101; ");
}

TEST(Suppressing, CommentsStayWithTheirLines) {
  std::string Text = "a; b;\nc; // NOCLREWRITE(y)\nd;\n";
  std::string Why = "x: suppressed, since it would part the comment in line "
                    "102; ";
  auto told = [&](const Edit &E) {
    return Sifted(Text, {site(Text, "a", {E})}).told();
  };
  EXPECT_EQ(told(replacing(Text, "c", "1")), "x way6; ");
  EXPECT_EQ(told(replacing(Text, "c", "1;\n1")), Why);
  EXPECT_EQ(told(replacing(Text, "b;\nc", "1")), Why);
  EXPECT_EQ(told(replacing(Text, " // NOCLREWRITE(y)", "")), Why);
  Text = "a;\n  c; // NOCLREWRITE(y)\n";
  EXPECT_EQ(told({5, 0, "1;\n  "}), "x way5; "); // they go down together
  EXPECT_EQ(told({6, 0, "1;\n  "}), Why);
  Text = "a;\n// NOCLREWRITENEXTLINE(y)\nc;\n";
  EXPECT_EQ(told(replacing(Text, "c", "1")), "x way29; ");
  EXPECT_EQ(told(replacing(Text, "c", "1;\n1")), Why);
  EXPECT_EQ(told({3, 0, "1;\n"}), "x way3; ");
  Text = "a;\n// NOCLREWRITEBEGIN(y)\nc;\n// NOCLREWRITEEND(y)\n";
  EXPECT_EQ(told(replacing(Text, "c", "1;\n1")), "x way26; ");
  EXPECT_EQ(told(replacing(Text, "a;\n// NOCLREWRITEBEGIN(y)\nc", "")), Why);
}

TEST(Suppressing, LinesBeforeALineGoBeforeItsCommentToo) {
  auto offset = [](const std::string &Text, const Edit &E) {
    rewrite::Findings F = Sifted(Text, {site(Text, "a", {E})}).F;
    return F.Candidates.empty()
               ? -1
               : int(F.Candidates[0].Alternatives[0].Changes[0].Offset);
  };
  std::string Text = "a;\n  // NOCLREWRITENEXTLINE(y)\n  c;\n";
  unsigned C = unsigned(Text.find("c;"));
  EXPECT_EQ(offset(Text, {C, 0, "1;\n  "}), 5);
  EXPECT_EQ(offset(Text, {C, 0, "1 + "}), int(C)); // within the line
  EXPECT_EQ(offset(Text, {C + 1, 0, "\n"}), -1);
  // The comment is not alone in its line, or it ends a directive.
  Text = "a; // NOCLREWRITENEXTLINE(y)\n  c;\n";
  EXPECT_EQ(offset(Text, {unsigned(Text.find("c;")), 0, "1;\n"}), -1);
  Text = "a;\n#define A b \\\n  // NOCLREWRITENEXTLINE(y)\n  c;\n";
  EXPECT_EQ(offset(Text, {unsigned(Text.find("c;")), 0, "1;\n"}), -1);
}

TEST(Suppressing, WhatIsNotNeeded) {
  std::string Text = "a; // NOCLREWRITE(x, reroll)\n"
                     "b; // NOCLREWRITE(y)\n"
                     "c; // NOCLREWRITE\n";
  Sifted S(Text, {site(Text, "a", {replacing(Text, "a", "1")})});
  EXPECT_EQ(S.warned(Text),
            "1: NOCLREWRITE(x,reroll) is not needed: reroll has no site there; "
            "remove the name\n"
            "2: NOCLREWRITE(y) is not needed: y has no site there; remove it\n"
            "3: NOCLREWRITE is not needed: no rewrite has a site there; remove "
            "it\n");
  // Nothing is said of what was not looked for.
  EXPECT_EQ(S.warned(Text, {"x"}), "");
}

TEST(Suppressing, UseInLaterTextsAndOtherBuildsCounts) {
  std::string Text = "a;\nb; // NOCLREWRITE(x)\n";
  Sifted S(Text, {});
  EXPECT_NE(S.warned(Text), "");
  std::string Later = "1;\n1;\nb; // NOCLREWRITE(x)\n";
  S.F.Candidates = {site(Later, "b", {replacing(Later, "b", "1")})};
  S.sift(Later);
  EXPECT_EQ(S.warned(Text), "");
}

TEST(Suppressing, WhatIsPreprocessedAwayMayBeNeededElsewhere) {
  std::string Text = "#if 0\nb; // NOCLREWRITE\n#endif\n";
  Sifted S("", {});
  S.F.Skipped = {{0, 29}};
  S.sift(Text);
  EXPECT_EQ(S.warned(Text), "");
  S.F.Skipped.clear();
  S.sift(Text);
  EXPECT_NE(S.warned(Text), "");
}

TEST(Suppressing, NamesThatDoNotExist) {
  std::string Text = "a; // NOCLREWRITE(rerol, x)\n";
  Sifted S(Text, {site(Text, "a", {replacing(Text, "a", "1")}),
                  site(Text, "a", {replacing(Text, "a", "1")}, "reroll")});
  EXPECT_EQ(S.warned(Text),
            "1: there is no rewrite 'rerol'; the nearest is 'reroll'\n");
  EXPECT_EQ(S.F.Candidates.size(), 1u);
}

TEST(Suppressing, WhatHoldsFromTextsAround) {
  std::string Text = "a;\n// clrewrite-on\nb;\n";
  auto sifted = [&](std::vector<Build> Builds, const std::string &In = "a",
                    const std::string &Rewrite = "x") {
    rewrite::Findings F;
    F.Candidates = {site(Text, In, {replacing(Text, In, "1")}, Rewrite)};
    Suppressing By;
    frontend::Suppressions Of = suppressionsIn(Text, Builds);
    By.sift(F, Text, Of, [](unsigned L) { return L; });
    std::string Out = F.Declines.empty() ? "kept" : F.Declines.front().Reason;
    for (const rewrite::Warning &W : By.warnings(Of, {"x", "y"}, {"x", "y"}))
      Out += "; " + W.Message;
    return Out;
  };
  auto around = [](std::string Before, std::string After = "") {
    Build B;
    B.Before = std::move(Before);
    B.After = std::move(After);
    return B;
  };
  std::string Held = "suppressed by a comment outside of this text";
  EXPECT_EQ(sifted({around("// clrewrite-off\n#line 1 \"f\"\n")}), Held);
  EXPECT_EQ(sifted({around("// clrewrite-off\n")}, "b"), "kept");
  // One build that says so is enough.
  EXPECT_EQ(sifted({Build(), around("c;"), around("// clrewrite-off\n")}),
            Held);
  EXPECT_EQ(
      sifted({around("// clrewrite-off\n// clrewrite-on\n")}).substr(0, 4),
      "kept");
  // The names count; a #line directive is no line of its own.
  Text = "a;\nb;\n";
  std::string Next = "// NOCLREWRITENEXTLINE(x)\n#line 1 \"f\"\n";
  EXPECT_EQ(sifted({around(Next)}), Held);
  EXPECT_EQ(sifted({around(Next)}, "b"), "kept");
  EXPECT_EQ(sifted({around(Next)}, "a", "y"), "kept");
  EXPECT_EQ(sifted({around("// NOCLREWRITEBEGIN(x)\n", "c;")}, "b"), Held);
  EXPECT_EQ(sifted({around("", " // NOCLREWRITE\n")}, "b"), "kept");
  Text = "a;\nb;";
  EXPECT_EQ(sifted({around("", " // NOCLREWRITE\n")}, "b"), Held);
  EXPECT_EQ(sifted({around("", " // NOCLREWRITE\n")}), "kept");
  // What is put in at the start is within.
  Text = "a;\n// clrewrite-on\nb;\n";
  Edit Top{0, 0, "#define A\n", /*Shared=*/true};
  rewrite::Findings F;
  F.Candidates = {site(Text, "b", {Top})};
  Suppressing().sift(F, Text,
                     suppressionsIn(Text, {around("// clrewrite-off\n")}),
                     [](unsigned L) { return L; });
  EXPECT_TRUE(F.Candidates.empty());
}

TEST(Suppressing, WarningsOfTextsInAProgram) {
  auto warned = [](const std::string &Text, std::string Before,
                   std::string After) {
    Build B;
    B.Before = std::move(Before);
    B.After = std::move(After);
    frontend::Suppressions Of = suppressionsIn(Text, B);
    rewrite::Findings F;
    Suppressing By;
    By.sift(F, Text, Of, [](unsigned L) { return L; });
    std::string Out;
    for (const rewrite::Warning &W : By.warnings(Of, {"x"}, {"x"}))
      Out += std::to_string(W.Line) + ": " + W.Message + "\n";
    return Out;
  };
  EXPECT_EQ(warned("// clrewrite-off\na;\n", "", "b;\n"), "");
  EXPECT_EQ(warned("a;\n// clrewrite-on\n", "// clrewrite-off\n", ""), "");
  EXPECT_EQ(warned("// NOCLREWRITEBEGIN(x)\n", "", "// NOCLREWRITEEND(x)\n"),
            "");
  EXPECT_EQ(warned("a;\n// NOCLREWRITENEXTLINE\n", "", "b;\n"), "");
  // As ever: what can have no other end, and what is closed here.
  EXPECT_EQ(warned("a;\n// NOCLREWRITEEND(x)\n", "b;\n", ""),
            "2: NOCLREWRITEEND(x) has no NOCLREWRITEBEGIN(x) before it: add "
            "one, or remove it\n");
  EXPECT_EQ(warned("a;\nb; // NOCLREWRITE\nc;\n", "d;\n", ""),
            "2: NOCLREWRITE is not needed: no rewrite has a site there; "
            "remove it\n");
}
