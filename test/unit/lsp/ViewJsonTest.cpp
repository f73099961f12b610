// Views survive the way from one process to the other.
#include "lsp/View.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::lsp;

TEST(ViewJson, ThereAndBack) {
  View V;
  V.Notes.push_back({ViewNote::Warning, 3, 5, "reroll", "text", 1, "kernel k"});
  ViewFigures F;
  F.Target = "gfx906";
  F.Now.Vgprs = 9;
  F.Live = {{2, 4}};
  F.Curves = llvm::json::Object{{"max", 10}};
  V.Kernels.push_back({"k", 1, {F}});
  ViewSite S;
  S.Rewrite = "reroll";
  S.Line = 3;
  S.Offset = 17;
  S.Pays = true;
  S.Fates = {"pays: a"};
  S.Title = "do it";
  S.Changes = {{17, 2, "xy"}};
  V.Sites.push_back(S);
  V.Fixed = "kernel";
  llvm::json::Value Sent = toJSON(V);
  View Got;
  llvm::json::Path::Root Root;
  ASSERT_TRUE(fromJSON(Sent, Got, Root));
  EXPECT_EQ(toJSON(Got), Sent);
  EXPECT_EQ(Got.Sites[0].Changes[0].Text, "xy");
  EXPECT_EQ(Got.Kernels[0].Targets[0].Live[2], 4u);
  EXPECT_EQ(Got.Notes[0].Severity, ViewNote::Warning);
}

TEST(ViewJson, NonsenseIsRefused) {
  View Got;
  llvm::json::Path::Root Root;
  EXPECT_FALSE(fromJSON(llvm::json::Object{{"notes", 1}}, Got, Root));
  EXPECT_FALSE(fromJSON(nullptr, Got, Root));
}
