// String literals of C++, as they stand in a file.
#include "frontend/RawStrings.h"
#include "gtest/gtest.h"

using namespace clrewrite;
using namespace clrewrite::frontend;

static std::vector<std::string> raw(std::string Text) {
  std::vector<std::string> Out;
  for (const RawString &R : rawStringsIn(Text))
    Out.push_back(Text.substr(R.Begin, R.End - R.Begin) + R.Closing);
  return Out;
}

static std::vector<std::string> plain(std::string Text) {
  std::vector<std::string> Out;
  for (const PlainString &P : plainStringsIn(Text))
    Out.push_back(unescaped(Text.substr(P.Begin, P.End - P.Begin)));
  return Out;
}

TEST(RawStrings, AreTakenAsTheLexerSeesThem) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(raw("a = R\"(one)\" u8R\"x(two)\" )x\";"),
            (Texts{"one)\"", "two)\" )x\""}));
  EXPECT_EQ(raw("// R\"(no)\"\n/* R\"(no)\" */ \"R\\\"(no)\\\"\""), Texts());
  EXPECT_EQ(raw("R\"(cut"), Texts());
}

TEST(RawStrings, PlainOnesStandAloneAndCanBeWrittenBack) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(plain("a = \"one\\n\\t\\\"x\\\"\\\\\";"),
            (Texts{"one\n\t\"x\"\\"}));
  EXPECT_EQ(plain("f(\"one\", \"two\");"), (Texts{"one", "two"}));
  EXPECT_EQ(plain("a = \"one\" \"two\";"), Texts());
  EXPECT_EQ(plain("a = \"one\"\n  \"two\" // then\n  \"three\";"), Texts());
  EXPECT_EQ(plain("a = \"\\x41\"; b = \"\\101\"; c = L\"x\"; d = R\"(x)\";"),
            Texts());
  EXPECT_EQ(plain("a = \"one\\\n two\";"), Texts());
}
