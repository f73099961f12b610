// Parsing, and what is learnt from Clang's diagnostics.
#include "frontend/Parse.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::frontend;

static Diagnosis parsed(const std::string &Text, bool &Used,
                        std::vector<std::string> Options = {}) {
  Used = false;
  Source S{"k.cl", Text, std::move(Options)};
  return parse(S, {"amdgcn-amd-amdhsa", "gfx906"}, false,
               [&](clang::ASTContext &, const Diagnosis &) { Used = true; });
}

TEST(Parse, HandsOutTheAstOfAGoodSourceOnly) {
  bool Used;
  EXPECT_EQ(parsed("__kernel void k(__global int *p) { *p = 1; }", Used).Errors,
            0u);
  EXPECT_TRUE(Used);
  EXPECT_GT(parsed("__kernel void k(__global int *p) { *p = ; }", Used).Errors,
            0u);
  EXPECT_FALSE(Used);
  EXPECT_GT(parsed("#include \"none.h\"\n__kernel void k() {}", Used).Errors,
            0u);
  EXPECT_FALSE(Used);
}

TEST(Parse, TakesPointersOfOtherTypesAsDriversDo) {
  bool Used;
  EXPECT_EQ(parsed("__kernel void k(__global ulong *p) {"
                   "  ulong8 all = 0; ulong *one = &all; p[0] = one[3]; }",
                   Used)
                .Errors,
            0u);
  EXPECT_TRUE(Used);
}

TEST(Parse, FindsUninitialisedReads) {
  bool Used;
  Diagnosis D = parsed("__kernel void k(__global int *p) {\n"
                       "  int a;\n  a -= a;\n  *p = a; }",
                       Used);
  ASSERT_EQ(D.Uninitialised.size(), 1u);
  EXPECT_EQ(D.Uninitialised[0].Variable, "a");
  EXPECT_EQ(D.Uninitialised[0].Line, 3u);
  EXPECT_TRUE(D.Uninitialised[0].Always);
  EXPECT_TRUE(Used);
}

TEST(Parse, FindsReadsThatOnlySomePathsLeaveUninitialised) {
  bool Used;
  Diagnosis D = parsed("__kernel void k(__global int *p, int n) {\n"
                       "  int a;\n  if (n)\n    a = 1;\n  *p = a; }",
                       Used);
  ASSERT_EQ(D.Uninitialised.size(), 1u);
  EXPECT_EQ(D.Uninitialised[0].Line, 3u);
  EXPECT_FALSE(D.Uninitialised[0].Always);
}

TEST(Parse, FindsUninitialisedReadsWithWarningsOff) {
  for (const char *Off : {"-w", "-Wno-uninitialized", "-Wno-everything"}) {
    bool Used;
    Diagnosis D = parsed("__kernel void k(__global int *p) {\n"
                         "  int a;\n  a -= a;\n  *p = a; }",
                         Used, {Off});
    EXPECT_EQ(D.Uninitialised.size(), 1u) << Off;
    EXPECT_EQ(D.Text, "") << Off;
  }
}

TEST(Parse, TakesTheOptionThatClangsDriverTranslates) {
  bool Used;
  EXPECT_EQ(parsed("__kernel void k(__global float *p) { *p += 1; }", Used,
                   {"-cl-denorms-are-zero"})
                .Text,
            "");
  EXPECT_TRUE(Used);
}

TEST(Parse, TakesBuildOptions) {
  bool Used;
  parsed("__kernel void k(__global T *p) { *p = N; }", Used,
         {"-D", "T=int", "-DN=2", "-cl-std=CL2.0"});
  EXPECT_TRUE(Used);
}

TEST(Parse, KeepsThePlacesAndTextsOfErrors) {
  bool Used;
  Diagnosis D = parsed("#line 90 \"other.cl\"\n"
                       "__kernel void k(__global int *p) {\n"
                       "  p[0] = ;\n}\n",
                       Used);
  ASSERT_EQ(D.First.size(), 1u);
  EXPECT_EQ(D.First[0],
            (SourceError{"other.cl", 91, 10, "expected expression", 3}));
}

TEST(Parse, KeepsTenErrors) {
  bool Used;
  std::string Text;
  for (int I = 0; I < 15; ++I)
    Text += "int f" + std::to_string(I) + "() { return none; }\n";
  Diagnosis D = parsed(Text, Used);
  EXPECT_EQ(D.Errors, 15u);
  EXPECT_EQ(D.First.size(), 10u);
}
