// Which macros switch on what a text defines under conditions.
#include "frontend/Switches.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace clrewrite::frontend;

/// "A,B: X,Y" where A and B give X and Y, of those asked for.
static std::string giving(llvm::StringRef Text,
                          std::vector<std::string> Names = {"X", "Y"}) {
  Switches S;
  S.read(Text);
  auto Found = S.giving(Names);
  return Found.empty() ? ""
                       : llvm::join(Found[0].Macros, ",") + ": " +
                             llvm::join(Found[0].Names, ",");
}

TEST(Switches, AreConditionsThatAskForMacros) {
  EXPECT_EQ(giving("#ifdef A\n#define X 1\n#endif"), "A: X");
  EXPECT_EQ(giving("#if defined A\n#define X 1\n#endif"), "A: X");
  EXPECT_EQ(giving("#if A\n#define X 1\n#endif"), "A: X");
  EXPECT_EQ(giving("#if KIND == 2\n#define X 1\n#endif"), "KIND=2: X");
  EXPECT_EQ(giving("#if defined(A) || defined(B)\n#define X 1\n#endif"),
            "A: X");
  EXPECT_EQ(giving("#if defined(A) && !defined(B) && C\n#define X 1\n#endif"),
            "A,C: X");
  EXPECT_EQ(giving("#ifdef A\n#ifndef G\n#if B\n#define X(a) 1\n"
                   "#endif\n#endif\n#endif"),
            "A,B: X");
}

TEST(Switches, AreNotWhatIsNotUnderstood) {
  EXPECT_EQ(giving("#define X 1"), "");
  EXPECT_EQ(giving("#ifndef A\n#define X 1\n#endif"), "");
  EXPECT_EQ(giving("#if A > 2\n#define X 1\n#endif"), "");
  EXPECT_EQ(giving("#if A && B || C\n#define X 1\n#endif"), "");
  EXPECT_EQ(giving("#if F(1)\n#define X 1\n#endif"), "");
  EXPECT_EQ(giving("#ifdef A\n#else\n#define X 1\n#endif"), "");
  EXPECT_EQ(giving("#ifdef A\n#endif\n#ifdef\n#if\n#elif\n#endif\n#endif"), "");
}

TEST(Switches, GiveAsManyNamesAsOneCan) {
  EXPECT_EQ(giving("#ifdef A\n#define X 1\n#elif defined(B)\n#define X 2\n"
                   "#define Y 2\n#endif"),
            "B: X,Y");
  EXPECT_EQ(giving("#ifdef A\n#define X 1\n#endif\n"
                   "#ifdef B\n#define Y 1\n#endif"),
            "A: X");
}

TEST(Switches, AreAllWays) {
  Switches S;
  S.read("#if (defined(A) && B)\n#define X 1\n#elif C\n#define X 2\n#endif\n"
         "#ifndef D\n#else\n#define X 3\n#endif\n");
  std::vector<Switch> Found = S.giving({"X"});
  ASSERT_EQ(Found.size(), 3u);
  EXPECT_EQ(Found[0].Macros, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(Found[1].Macros, std::vector<std::string>{"C"});
  EXPECT_EQ(Found[2].Macros, std::vector<std::string>{"D"});
}

TEST(Switches, AreNoMacrosOfCompilersAndNotTheNameItself) {
  EXPECT_EQ(giving("#ifdef __GPU__\n#define X 1\n#endif"), "");
  EXPECT_EQ(giving("#ifdef X\n#define X X\n#endif"), "");
}

TEST(Switches, OneWithAValueIsDefined) {
  EXPECT_EQ(giving("#ifdef A\n#if A == 2\n#define X 1\n#endif\n#endif"),
            "A=2: X");
}

TEST(Switches, ManyThatNeedOneAnotherTakeNoTime) {
  std::string Text = "#if 1";
  for (int I = 0; I < 60; ++I)
    Text += " && defined(A" + std::to_string(I) + ")";
  Text.replace(4, 4, "");
  for (int I = 0; I < 60; ++I)
    Text += "\n#define A" + std::to_string(I) + " 1";
  EXPECT_NE(giving(Text + "\n#define X 1\n#endif"), "");
}

TEST(Switches, AreFollowedToWhatTheTextDoesNotDefine) {
  EXPECT_EQ(giving("#ifdef EXT\n#define GPU 1\n#endif\n"
                   "#if GPU\n#define X 1\n#endif"),
            "EXT: X");
  // A circle ends.
  EXPECT_EQ(giving("#ifdef A\n#define B\n#endif\n#ifdef B\n#define A\n"
                   "#define X 1\n#endif"),
            "B: X");
}

TEST(Switches, PartsAreMacrosThatNoTextDefines) {
  Switches S;
  S.read("#define REAL4 JOIN(REAL, 4)\n#define READ JOIN(read_, KIND)\n"
         "TILE MY_TILE;");
  EXPECT_EQ(S.partOf("REAL4"), "REAL");
  EXPECT_EQ(S.partOf("read_KIND"), "KIND");
  EXPECT_EQ(S.partOf("MY_TILE"), "");
  EXPECT_EQ(S.partOf("other"), "");
  EXPECT_TRUE(S.declares("MY_TILE"));
  EXPECT_FALSE(S.declares("TILE"));
}

/// "X=2 Y=16"
static std::string demanded(llvm::StringRef Text) {
  Switches S;
  S.read(Text);
  std::string Out;
  for (const auto &[Name, Guess] : S.demanded())
    Out += (Out.empty() ? "" : " ") + Name + "=" + Guess;
  return Out;
}

TEST(Switches, ErrorsDemandWhatTheirConditionWantsToBeAbsent) {
  EXPECT_EQ(demanded("#ifndef X\n#error no X\n#endif\n#if X == 2\n#endif"),
            "X=2");
  EXPECT_EQ(demanded("#if !defined(X) || !defined Y\n#error no\n#endif"),
            "X=16 Y=16");
  EXPECT_EQ(demanded("#ifdef X\n#else\n#error no X\n#endif"), "");
  EXPECT_EQ(demanded("#ifndef X\n#endif\n#error no\n#error"), "");
  // A user who did not ask for A has no use for X.
  EXPECT_EQ(demanded("#ifdef A\n#ifndef X\n#error no\n#endif\n#endif"), "");
  EXPECT_EQ(demanded("#if !\n#error\n#endif\n#if !defined(\n#error\n#endif"),
            "");
}
