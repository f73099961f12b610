// Where suppressions are put, and when that ends.
#include "pipeline/AddSuppressions.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::pipeline;

namespace {

/// \p Text with suppressions of the first of each word.
std::string
suppressed(std::string Text,
           std::vector<std::pair<std::string, std::string>> RewriteAndPlace) {
  std::set<UnwantedSite> Sites;
  for (const auto &[Rewrite, Place] : RewriteAndPlace)
    Sites.insert({Rewrite, unsigned(Text.find(Place))});
  Edits List = suppressionsFor(Text, Sites);
  for (const Edit &E : llvm::reverse(List))
    Text.insert(E.Offset, E.Text);
  return Text;
}

} // namespace

TEST(AddSuppressions, ALineBefore) {
  EXPECT_EQ(suppressed("a;\n \tbb;\nc;\n", {{"x", "bb"}, {"x", "c"}}),
            "a;\n \t// NOCLREWRITENEXTLINE(x)\n \tbb;\n"
            "// NOCLREWRITENEXTLINE(x)\nc;\n");
  EXPECT_EQ(suppressed("a;\r\nb;", {{"x", "a"}, {"x", "b"}}),
            "// NOCLREWRITENEXTLINE(x)\r\na;\r\n"
            "// NOCLREWRITENEXTLINE(x)\r\nb;");
}

TEST(AddSuppressions, OneCommentALine) {
  EXPECT_EQ(suppressed("a; b;\n", {{"y", "b"}, {"x", "b"}, {"x", "a"}}),
            "// NOCLREWRITENEXTLINE(x,y)\na; b;\n");
  EXPECT_EQ(suppressed("// NOCLREWRITENEXTLINE(x): why\na;\n", {{"y", "a;"}}),
            "// NOCLREWRITENEXTLINE(x,y): why\na;\n");
  EXPECT_EQ(suppressed("a; // NOCLREWRITE(x)\n", {{"y", "a;"}}),
            "a; // NOCLREWRITE(x,y)\n");
}

TEST(AddSuppressions, WhereALineWouldBeNone) {
  EXPECT_EQ(suppressed("/* a\n */ b; c;\n", {{"x", "b"}, {"y", "c"}}),
            "/* a\n */ /* NOCLREWRITE(x) */ b; /* NOCLREWRITE(y) */ c;\n");
}

namespace {

/// Applies an edit for each capital letter whose line is not suppressed, but
/// 'B' only where there is no 'A' to apply.
struct Capitals {
  unsigned Searches = 0;
  std::string Hash = "same";

  static rewrite::Findings find(const Source &S) {
    rewrite::Findings F;
    for (char Each : std::string("AB"))
      if (size_t At = S.Text.find(std::string(1, Each) + ";");
          At != std::string::npos) {
        rewrite::Candidate C;
        C.Rewrite = Each == 'A' ? "of-a" : "of-b";
        C.Offset = unsigned(At);
        F.Candidates.push_back(C);
      }
    return F;
  }
  select::Selection choose(const Source &S, const rewrite::Findings &F) {
    select::Selection Out;
    ++Searches;
    measure::KernelUsage K;
    K.Kernel = "k";
    K.CodeHash = Searches > 1 ? Hash : "same";
    K.Figures.Vgprs = 1;
    Out.Before = {{}};
    Out.Before[0].Kernels = {K};
    for (const rewrite::Candidate &C : F.Candidates)
      if (S.Text.find("(" + C.Rewrite) == std::string::npos && !Out.changed()) {
        select::Outcome O;
        O.Rewrite = C.Rewrite;
        O.Offset = C.Offset;
        O.Applied = true;
        Out.Outcomes.push_back(O);
      }
    return Out;
  }
  llvm::Expected<Suppressed> run(const std::string &Text) {
    Source S{"f.cl", Text, {}};
    rewrite::Findings F = find(S);
    return addSuppressions(
        S, F, choose(S, F), std::nullopt, find,
        [&](const Source &S, const rewrite::Findings &F,
            const std::optional<Ranges> &) { return choose(S, F); });
  }
};

} // namespace

TEST(AddSuppressions, UntilNothingPays) {
  Capitals C;
  auto Done = C.run("A;\nB;\n");
  ASSERT_TRUE(bool(Done));
  EXPECT_EQ(Done->Text.Text, "// NOCLREWRITENEXTLINE(of-a)\nA;\n"
                             "// NOCLREWRITENEXTLINE(of-b)\nB;\n");
  EXPECT_EQ(Done->Added, 2u);
  EXPECT_FALSE(Done->Left.changed());
  EXPECT_EQ(C.Searches, 3u);
}

TEST(AddSuppressions, NotWhereTheCodeWouldChange) {
  Capitals C;
  C.Hash = "other";
  auto Done = C.run("A;\n");
  ASSERT_FALSE(bool(Done));
  EXPECT_EQ(llvm::toString(Done.takeError()),
            "suppressions would change the code of kernel k, which perhaps "
            "uses __LINE__; write them by hand");
}
