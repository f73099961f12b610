// The writers, on a report made by hand.
#include "Sample.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::report;

TEST(Report, TextNamesFileLineAndDelta) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeText(sample(), OS, false, false);
  EXPECT_EQ(Text,
            "k.cl: 1 edit pays; --fix writes it, --diff shows it\n"
            "k.cl:3: kernel k\n"
            "  gpu  VGPRs 37 -> 24, occupancy 6 -> 10 of 10 warps/SM\n"
            "k.cl:4: pays: r [way] (exact): gpu: occupancy rises from 6 to "
            "10\n"
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
