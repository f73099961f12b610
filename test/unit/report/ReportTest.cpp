// The writers, on a report made by hand.
#include "report/Report.h"
#include <gtest/gtest.h>

using namespace clrewrite;

namespace {

Report sample() {
  KernelUsage Before, After;
  Before.Kernel = After.Kernel = "k";
  Before.Figures.Vgprs = 37;
  After.Figures.Vgprs = 24;
  Before.Figures.Occupancy = 6;
  After.Figures.Occupancy = 10;
  Before.Figures.OccupancyMax = After.Figures.OccupancyMax = 10;
  After.Figures.Limiter = "none";
  FileReport F;
  F.Path = "k.cl";
  F.Kernels = {{"k", 3, {}}};
  F.Result.Before = {{{Before}, ""}};
  F.Result.After = {{{After}, ""}};
  Outcome O;
  O.Rewrite = "r";
  O.Alternative = "way";
  O.Kernels = {"k"};
  O.Line = 4;
  O.Applied = true;
  O.Reason = "gpu: occupancy rises from 6 to 10";
  F.Targets = {"gpu"};
  F.Result.Outcomes = {O};
  F.Result.Declines = {{"r", "k", {"k"}, 9, 90, "it must not"}};
  FileReport Failed;
  Failed.Path = "bad.cl";
  Failed.Problem = "does not parse";
  Report R;
  R.Files = {F, Failed};
  return R;
}

} // namespace

TEST(Report, TextNamesFileLineAndDelta) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeText(sample(), OS, false, false);
  EXPECT_EQ(Text,
            "k.cl:3: kernel k\n"
            "  gpu  VGPRs 37 -> 24, occupancy 6 -> 10 of 10 warps/SM\n"
            "k.cl:4: pays: r [way] (exact): gpu: occupancy rises from 6 to "
            "10\n"
            "k.cl: not written; --fix writes it, --diff shows it\n"
            "k.cl:9: declined r: it must not\n"
            "2 files, 1 failed, 1 kernels, 1 edits that pay, 1 sites "
            "declined\n");
}

TEST(Report, JsonSaysNullForUnknown) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeJson(sample(), OS);
  auto V = llvm::json::parse(Text);
  ASSERT_TRUE(bool(V));
  auto *Files = V->getAsObject()->getArray("files");
  auto *Target = (*Files)[0]
                     .getAsObject()
                     ->getArray("kernels")
                     ->front()
                     .getAsObject()
                     ->getArray("targets")
                     ->front()
                     .getAsObject();
  EXPECT_EQ(Target->getObject("before")->getInteger("vgprs"), 37);
  EXPECT_EQ(*Target->getObject("before")->get("sgprs"), nullptr);
  EXPECT_EQ((*Files)[1].getAsObject()->getString("problem"), "does not parse");
}
