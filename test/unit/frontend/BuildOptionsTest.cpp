// The options of clBuildProgram.
#include "frontend/BuildOptions.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::frontend;
using Words = std::vector<std::string>;

TEST(BuildOptions, SplitsAsAShellDoes) {
  EXPECT_EQ(splitBuildOptions("-D N=16  -I \"my dir\" -DS='a b'"),
            (Words{"-D", "N=16", "-I", "my dir", "-DS=a b"}));
}

TEST(BuildOptions, KeepsWhatTheFrontEndKnows) {
  Words Ignored;
  auto R = parseBuildOptions({"-D", "N=16", "-cl-std=CL2.0", "-Iinc", "-w",
                              "-cl-fast-relaxed-math", "-x", "clc"},
                             &Ignored);
  ASSERT_TRUE(bool(R));
  EXPECT_EQ(*R, (Words{"-D", "N=16", "-cl-std=CL2.0", "-Iinc", "-w",
                       "-cl-fast-relaxed-math"}));
  EXPECT_TRUE(Ignored.empty());
  EXPECT_TRUE(hasStandard(*R));
}

TEST(BuildOptions, ListsWhatOnlyADriverKnows) {
  Words Ignored;
  auto R = parseBuildOptions({"-cl-nv-verbose", "-g", "-DX"}, &Ignored);
  ASSERT_TRUE(bool(R));
  EXPECT_EQ(*R, Words{"-DX"});
  EXPECT_EQ(Ignored, (Words{"-cl-nv-verbose", "-g"}));
}

TEST(BuildOptions, NamesTheUnknownAndTheIncomplete) {
  auto R = parseBuildOptions({"--frobnicate"});
  ASSERT_FALSE(bool(R));
  EXPECT_NE(llvm::toString(R.takeError()).find("'--frobnicate'"),
            std::string::npos);
  auto S = parseBuildOptions({"-D"});
  ASSERT_FALSE(bool(S));
  EXPECT_EQ(llvm::toString(S.takeError()), "build option -D needs a value");
}

TEST(BuildOptions, QuotesMustBeClosed) {
  for (llvm::StringRef Good :
       {"", "-D A=\"x y\"", "-D 'A=\"'", "-D A=\\\"", "-D A=\"\\\"\""})
    EXPECT_FALSE(bool(checkQuotes(Good))) << Good.str();
  for (llvm::StringRef Bad : {"-D A=\"x", "-D 'A", "-D A=\"\\\"", "\"a\" \""})
    EXPECT_NE(llvm::toString(checkQuotes(Bad)).find("a quote is not closed: "),
              std::string::npos)
        << Bad.str();
}
