// Findings survive the way through JSON.
#include "rewrite/Candidate.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

TEST(Candidate, FindingsThroughJson) {
  Findings F;
  F.Kernels = {{"k", 3, {4, 5}}};
  F.Kernels[0].Args = {{"n", true, "int", 4}};
  F.Kernels[0].Launches = {{2, "global=64"}};
  F.Candidates = {{"r",
                   "f",
                   {"k"},
                   7,
                   70,
                   {{"way", Safety::Assumes, "that", {{1, 2, "x\ny"}}},
                    {"near", Safety::Approximate, "", {}, 16}}}};
  F.Candidates[0].Alternatives[0].Remark = "keeps \xe9 apart";
  F.Candidates[0].Alternatives[0].Sheltered = true;
  F.Candidates[0].Alternatives[0].Explains = true;
  F.Declines = {{"r", "g", {}, 8, 80, "because"}};
  F.Warnings = {{9, "k", "look"}};
  Findings Back;
  llvm::json::Path::Root Root;
  ASSERT_TRUE(fromJSON(toJSON(F), Back, Root));
  EXPECT_EQ(toJSON(Back), toJSON(F));
  EXPECT_EQ(Back.Candidates[0].Alternatives[0].Class, Safety::Assumes);
  EXPECT_EQ(Back.Candidates[0].Alternatives[0].Changes,
            (Edits{{1, 2, "x\ny"}}));
  EXPECT_EQ(Back.Candidates[0].Alternatives[0].Ulps, std::nullopt);
  EXPECT_EQ(Back.Candidates[0].Alternatives[0].Remark, "keeps \xe9 apart");
  EXPECT_TRUE(Back.Candidates[0].Alternatives[0].Sheltered);
  EXPECT_TRUE(Back.Candidates[0].Alternatives[0].Explains);
  EXPECT_EQ(Back.Candidates[0].Alternatives[1].Ulps, 16u);
  EXPECT_FALSE(Back.Candidates[0].Alternatives[1].Sheltered);
}
