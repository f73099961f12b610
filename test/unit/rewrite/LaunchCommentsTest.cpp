// Launch comments: which kernel each belongs to.
#include "FindingsIn.h"

using namespace clrewrite;
using namespace clrewrite::rewrite;

/// The launches of each kernel, "name:line(text)...".
static std::string launches(const Findings &F) {
  std::string Out;
  for (const KernelInfo &K : F.Kernels) {
    Out += K.Name + ":";
    for (const LaunchComment &C : K.Launches)
      Out += std::to_string(C.Line) + "(" + C.Text + ")";
    Out += " ";
  }
  return Out;
}

TEST(LaunchComments, StandBeforeTheirKernels) {
  Findings F = findingsIn("// clrewrite: launch global=64\n"
                          "/* clrewrite: launch global=32\n"
                          " *   n=3 */\n"
                          "\n"
                          "__attribute__((reqd_work_group_size(8, 1, 1)))\n"
                          "// what it does\n"
                          "kernel void a(global int *p, int n) {}\n"
                          "kernel void b(global int *p) {}\n"
                          "/// clrewrite: launch global=8 */\n"
                          "kernel /* yes */ void c(global int *p) {}\n");
  EXPECT_EQ(launches(F),
            "a:1( global=64)2( global=32\n *   n=3) b: c:9( global=8 */) ");
  EXPECT_TRUE(F.Warnings.empty());
  EXPECT_EQ(F.Kernels[0].Args[1].Name, "n");
  EXPECT_FALSE(F.Kernels[0].Args[1].Pointer);
  EXPECT_TRUE(F.Kernels[0].Args[0].Pointer);
}

TEST(LaunchComments, ReachKernelsThatMacrosDeclare) {
  Findings F =
      findingsIn("#define KERNEL __kernel\n"
                 "#define DEFINE(T) kernel void k_##T(global T *p) {} \\\n"
                 "  kernel void l_##T(global T *p) {}\n"
                 "// clrewrite: launch global=1\n"
                 "KERNEL void a() {}\n"
                 "// clrewrite: launch global=2\n"
                 "DEFINE(int)\n");
  EXPECT_EQ(launches(F),
            "a:4( global=1) k_int:6( global=2) l_int:6( global=2) ");
}

TEST(LaunchComments, ElsewhereTheyAreWarnedOf) {
  Findings F = findingsIn("// clrewrite: launch global=1\n"
                          "#define N 1\n"
                          "kernel void a() {\n"
                          "  // clrewrite: launch global=2\n"
                          "}\n"
                          "// clrewrite: lunch global=3\n"
                          "kernel void b() {}\n"
                          "// clrewrite: launch global=4\n");
  EXPECT_EQ(launches(F), "a: b: ");
  ASSERT_EQ(F.Warnings.size(), 4u);
  EXPECT_EQ(F.Warnings[0].Line, 1u);
  EXPECT_NE(F.Warnings[0].Message.find("directly before a kernel"),
            std::string::npos);
  EXPECT_EQ(F.Warnings[2].Message, "this comment says 'clrewrite: lunch', "
                                   "which means nothing (known: launch)");
}

TEST(LaunchComments, RemarksBehindCodeAreNone) {
  Findings F =
      findingsIn("kernel void a() {\n"
                 "  if (!get_local_size(0)) return; // clrewrite: 8 -> 9 "
                 "waves on gfx600\n"
                 "}\n"
                 "  /* and */ // clrewrite: 8 -> 9 waves on gfx600\n");
  ASSERT_EQ(F.Warnings.size(), 1u);
  EXPECT_EQ(F.Warnings[0].Line, 4u);
}

TEST(LaunchComments, WhatThePreprocessorSkipsIsNoComment) {
  Findings F = findingsIn("#if 0\n"
                          "// clrewrite: launch global=1\n"
                          "kernel void old() {}\n"
                          "#endif\n"
                          "kernel void a() {}\n");
  EXPECT_EQ(launches(F), "a: ");
  EXPECT_TRUE(F.Warnings.empty());
}
