// What a text defines for others, told by its tokens.
#include "frontend/Definitions.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace clrewrite::frontend;

static std::vector<std::string> sorted(const llvm::StringSet<> &Names) {
  std::vector<std::string> Out;
  for (const auto &Each : Names)
    Out.push_back(Each.getKey().str());
  std::sort(Out.begin(), Out.end());
  return Out;
}

using Names = std::vector<std::string>;

TEST(Definitions, FunctionsHaveABody) {
  Definitions D = definitionsIn(
      "int declared(int x);\n"
      "static inline float4 plain(float4 a, int b[2]) { return other(a); }\n"
      "__attribute__((always_inline)) int marked(int x)\n"
      "    __attribute__((overloadable)) { int inner = x; { x = 1; } return x; "
      "}\n"
      "kernel void k(global int *p) { p[0] = plain(0, 0).x; }\n");
  EXPECT_EQ(sorted(D.Functions), (Names{"k", "marked", "plain"}));
  EXPECT_TRUE(D.Types.empty());
  EXPECT_TRUE(D.Values.empty());
}

TEST(Definitions, TypesAreTypedefsAndTags) {
  Definitions D = definitionsIn(
      "typedef float real;\ntypedef struct { int a, b; } pair, *pairs;\n"
      "struct tag { int c; };\ntypedef int row[4];\nstruct later;\n"
      "union both { int i; float f; };\nenum way { up, down };\n");
  EXPECT_EQ(sorted(D.Types),
            (Names{"both", "pair", "pairs", "real", "row", "tag", "way"}));
  EXPECT_TRUE(D.Values.empty());
}

TEST(Definitions, ValuesAndMacros) {
  Definitions D = definitionsIn(
      "constant float weights[2] = {1.0f, 2.0f}, half_of = 0.5f;\n"
      "extern constant int elsewhere;\n"
      "#define SIZE 16\n#define CALLED(x) \\\n  (x + hidden)\n"
      "#define SPACED (x)\n#define BARE\n#if SIZE > USED\n#endif\n");
  EXPECT_EQ(sorted(D.Values), (Names{"half_of", "weights"}));
  EXPECT_EQ(sorted(D.Called), (Names{"CALLED"}));
  EXPECT_EQ(sorted(D.Macros), (Names{"BARE", "SIZE", "SPACED"}));
  EXPECT_TRUE(D.has("SIZE"));
  EXPECT_FALSE(D.has("hidden"));
}

TEST(Definitions, TakesAnyText) {
  EXPECT_TRUE(definitionsIn("").Functions.empty());
  EXPECT_TRUE(definitionsIn(")}] ; #define\n \"open ( { '").Types.empty());
}
