// Which kernel a change concerns.
#include "lsp/Incremental.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::lsp;

namespace {

const std::string Text = "// {\n"
                         "kernel void a(global int *p) {\n"
                         "  p[0] = 1; /* } */\n"
                         "}\n"
                         "int help(int x) { return x; }\n"
                         "kernel void b(global int *p) {\n"
                         "  if (p[1]) {\n"
                         "    p[0] = help(2);\n"
                         "  }\n"
                         "}\n";

View known() {
  View V;
  ViewFigures F;
  F.Target = "gfx906";
  F.Now.Vgprs = 5;
  F.Live = {{7, 3}};
  V.Kernels = {{"a", 2, {F}}, {"b", 6, {F}}};
  return V;
}

std::string replaced(const std::string &What, const std::string &By) {
  std::string Out = Text;
  return Out.replace(Out.find(What), What.size(), By);
}

std::string changedIn(const std::string &What, const std::string &By) {
  return onlyChanged(known(), Text, replaced(What, By)).value_or("none");
}

} // namespace

TEST(Incremental, AChangeInABodyConcernsItsKernel) {
  EXPECT_EQ(changedIn("p[0] = help(2)", "p[0] = help(3)"), "b");
  EXPECT_EQ(changedIn("    p[0] = help(2);\n",
                      "    p[0] = help(2);\n    p[1] = 4;\n"),
            "b");
}

TEST(Incremental, OtherChangesMayConcernAll) {
  EXPECT_EQ(changedIn("return x", "return x + 1"), "none"); // a helper
  EXPECT_EQ(changedIn("kernel void b", "kernel void c"), "none");
  EXPECT_EQ(changedIn("global int *p) {\n  if", "global uint *p) {\n  if"),
            "none");
  EXPECT_EQ(onlyChanged(known(), Text, Text), std::nullopt);
  EXPECT_EQ(onlyChanged(known(), Text, Text + "\n"), std::nullopt);
}

TEST(Incremental, WhatChangesHowTheRestReadsConcernsAll) {
  for (const char *By : {"p[0] = help(2); /*", "p[0] = 1; } {", "#define X",
                         "p[0] = help(2); \\", "p[0] = 'x'", "p[0] = 2; // y"})
    EXPECT_EQ(changedIn("p[0] = help(2);", By), "none") << By;
  // A line with a comment is left to the whole file.
  EXPECT_EQ(changedIn("p[0] = 1;", "p[0] = 2;"), "none");
  std::string Directive = Text;
  Directive.insert(Directive.find("    p[0] = help"), "#if 1\n");
  EXPECT_EQ(onlyChanged(known(), Directive, Directive + "x"), std::nullopt);
}

TEST(Incremental, AfterAnErrorAllIsMeasured) {
  View V = known();
  V.Notes.push_back({ViewNote::Error, 1, 1, "", "no", 0, ""});
  EXPECT_EQ(onlyChanged(V, Text, replaced("help(2)", "help(3)")), std::nullopt);
}

TEST(Incremental, TheOthersMoveWithTheirLines) {
  std::string After = Text;
  After.insert(After.find("  p[0] = 1;"), "  p[2] = 1;\n");
  View Fresh;
  Fresh.Kernels = {{"a", 2, {}}};
  Fresh.Kernels[0].Targets.resize(1);
  Fresh.Kernels[0].Targets[0].Now.Vgprs = 9;
  Fresh.Notes.push_back({ViewNote::Warning, 3, 0, "", "new", 0, ""});
  View V = merged(known(), Fresh, "a", Text, After);
  ASSERT_EQ(V.Kernels.size(), 2u);
  EXPECT_EQ(V.Kernels[0].Targets[0].Now.Vgprs, 9u);
  EXPECT_EQ(V.Kernels[1].Line, 7u);
  EXPECT_EQ(V.Kernels[1].Targets[0].Live.begin()->first, 8u);
  EXPECT_EQ(V.Notes.size(), 1u);
}

TEST(Incremental, WhatDoesNotParseIsTakenWhole) {
  View Fresh;
  Fresh.Notes.push_back({ViewNote::Error, 3, 0, "", "bad", 0, ""});
  View V = merged(known(), Fresh, "a", Text, Text);
  EXPECT_TRUE(V.Kernels.empty());
}
