// Texts for several sorts of compilers are put into one.
#include "source/Arms.h"
#include "source/LineDiff.h"
#include "source/Shelter.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>
#include <random>

using namespace clrewrite;
using llvm::StringRef;

namespace {

constexpr char Amd[] = "__AMDGCN__", Nvidia[] = "__NVPTX__";

/// \p Others with \p Own for Amd; or why not. Each must read its own text.
std::string joined(const std::string &Others, const std::string &Own,
                   std::vector<Remark> Remarks = {}) {
  llvm::Expected<std::string> Out = withArms(Others, {{Amd, Own, Remarks}});
  if (!Out)
    return "not: " + llvm::toString(Out.takeError());
  // A line without an end may get one.
  auto Same = [](std::string A, StringRef B) {
    return StringRef(A).rtrim() == B.rtrim();
  };
  EXPECT_TRUE(Same(readBy(*Out, Amd), Own)) << *Out;
  EXPECT_TRUE(Same(readBy(*Out, ""), Others)) << *Out;
  return std::move(*Out);
}

/// A function of which \p Line is one of six lines.
std::string around(const std::string &Line) {
  return "kernel void k(global int *p) {\n  a;\n  b;\n  c;\n" + Line +
         "  d;\n  e;\n}\n";
}

/// The shelter of \p Own in the place of \p Old within a function.
std::string within(const std::string &Old, const std::string &Own) {
  std::string Out = joined(around(Old), around(Own));
  StringRef Rest = Out;
  if (Rest.consume_front(
          "kernel void k(global int *p) {\n  a;\n  b;\n  c;\n") &&
      Rest.consume_back("  d;\n  e;\n}\n"))
    return Rest.str();
  return Out;
}

} // namespace

TEST(Arms, HoldTheLinesThatDiffer) {
  EXPECT_EQ(within("  x;\n", "  y;\n"),
            "  #ifdef __AMDGCN__ // clrewrite\n  y;\n  #else\n  x;\n"
            "  #endif\n");
  EXPECT_EQ(within("", "  y;\n  z;\n"),
            "  #ifdef __AMDGCN__ // clrewrite\n  y;\n  z;\n  #endif\n");
  EXPECT_EQ(within("\tx;\n", ""),
            "\t#ifdef __AMDGCN__ // clrewrite\n\t#else\n\tx;\n\t#endif\n");
  EXPECT_EQ(joined("a;\n", "a;\n"), "a;\n");
  // Two edits on one line are one line that differs.
  EXPECT_EQ(within("  f(1) + g(1);\n", "  f(2) + g(2);\n"),
            "  #ifdef __AMDGCN__ // clrewrite\n  f(2) + g(2);\n  #else\n"
            "  f(1) + g(1);\n  #endif\n");
}

TEST(Arms, TellTheFirstRemarkOnTheirLines) {
  std::string Others = around(""), Own = around("  x;\n");
  size_t At = Own.find("x;");
  EXPECT_NE(joined(Others, Own, {{At, "3 -> 5 waves"}, {At, "no"}})
                .find("  #ifdef __AMDGCN__ // clrewrite: 3 -> 5 waves\n  x;\n"),
            std::string::npos);
  for (size_t Off : {size_t(0), At - 3, At + 3})
    EXPECT_NE(joined(Others, Own, {{Off, "no"}}).find("// clrewrite\n"),
              std::string::npos);
}

TEST(Arms, JoinWhereThatTakesFewerLines) {
  EXPECT_EQ(within("  x1;\n  y;\n  x2;\n", "  o1;\n  y;\n  o2;\n"),
            "  #ifdef __AMDGCN__ // clrewrite\n  o1;\n  y;\n  o2;\n  #else\n"
            "  x1;\n  y;\n  x2;\n  #endif\n");
  EXPECT_EQ(within("  y;\n", "  o1;\n  y;\n  o2;\n"),
            "  #ifdef __AMDGCN__ // clrewrite\n  o1;\n  #endif\n  y;\n"
            "  #ifdef __AMDGCN__ // clrewrite\n  o2;\n  #endif\n");
  // Not over what may not stand there.
  EXPECT_EQ(within("  x1;\n  /* y */\n  x2;\n", "  o1;\n  /* y */\n  o2;\n"),
            "  #ifdef __AMDGCN__ // clrewrite\n  o1;\n  #else\n  x1;\n"
            "  #endif\n  /* y */\n  #ifdef __AMDGCN__ // clrewrite\n  o2;\n"
            "  #else\n  x2;\n  #endif\n");
}

TEST(Arms, KeepParenthesesTogether) {
  // f may be a macro, among whose arguments no directive may stand.
  EXPECT_EQ(within("  f(1,\n    x,\n    2);\n", "  f(1,\n    y,\n    2);\n"),
            "  #ifdef __AMDGCN__ // clrewrite\n  f(1,\n    y,\n    2);\n"
            "  #else\n  f(1,\n    x,\n    2);\n  #endif\n");
  EXPECT_EQ(within("  f\n  (x);\n", "  f\n  (y);\n"),
            "  #ifdef __AMDGCN__ // clrewrite\n  f\n  (y);\n  #else\n  f\n"
            "  (x);\n  #endif\n");
  EXPECT_EQ(
      within("  f(1,\n    x); g(\n    2);\n", "  f(1,\n    y); g(\n    2);\n"),
      "  #ifdef __AMDGCN__ // clrewrite\n  f(1,\n    y); g(\n    2);\n"
      "  #else\n  f(1,\n    x); g(\n    2);\n  #endif\n");
  EXPECT_EQ(
      within("  f('(', \")\"); // (\n  x;\n", "  f('(', \")\"); // (\n  y;\n"),
      "  f('(', \")\"); // (\n  #ifdef __AMDGCN__ // clrewrite\n  y;\n"
      "  #else\n  x;\n  #endif\n");
  // Two that differ and grow into each other.
  EXPECT_EQ(within("  f(x,\n    1,\n    1,\n    1,\n    1,\n    x);\n",
                   "  f(y,\n    1,\n    1,\n    1,\n    1,\n    y,\n    z);\n"),
            "  #ifdef __AMDGCN__ // clrewrite\n  f(y,\n    1,\n    1,\n    1,\n"
            "    1,\n    y,\n    z);\n  #else\n  f(x,\n    1,\n    1,\n    1,\n"
            "    1,\n    x);\n  #endif\n");
  EXPECT_EQ(
      within("  f(x, (\n    1), x);\n", "  f(y, (\n    1), y, (\n  2));\n"),
      "  #ifdef __AMDGCN__ // clrewrite\n  f(y, (\n    1), y, (\n  2));\n"
      "  #else\n  f(x, (\n    1), x);\n  #endif\n");
}

TEST(Arms, BeginAlikeInAllPartsOfAnIf) {
  EXPECT_EQ(within("#if A\n  f(1,\n#else\n  f(2,\n#endif\n  3);\n  x;\n",
                   "#if A\n  f(1,\n#else\n  f(2,\n#endif\n  3);\n  y;\n"),
            "#if A\n  f(1,\n#else\n  f(2,\n#endif\n  3);\n"
            "  #ifdef __AMDGCN__ // clrewrite\n  y;\n  #else\n  x;\n"
            "  #endif\n");
  EXPECT_EQ(
      within("#define M f( \\\n  (\n  x;\n", "#define M f( \\\n  (\n  y;\n"),
      "#define M f( \\\n  (\n  #ifdef __AMDGCN__ // clrewrite\n  y;\n"
      "  #else\n  x;\n  #endif\n");
}

TEST(Arms, AreRefusedWhereTheLinesMayNotStandInThem) {
  const std::string Line = "it adds a directive, the border of a block "
                           "comment, or a line that goes on in the next",
                    Old = "its lines hold a directive, the border of a block "
                          "comment, or a line that goes on in the next";
  for (const char *Bad : {"  y; /* z */\n", "  #pragma unroll\n", "  y; \\\n",
                          "  R\"(y)\";\n", "  y ?\?/\n", "  %:if 1\n"}) {
    EXPECT_EQ(within("  x;\n", Bad), "not: " + Line) << Bad;
    EXPECT_EQ(within(Bad, "  x;\n"), "not: " + Old) << Bad;
  }
  EXPECT_EQ(within("  /*\n  x;\n  */\n", "  /*\n  y;\n  */\n"), "not: " + Old);
  EXPECT_EQ(within("  b; \\\n  x;\n", "  b; \\\n  y;\n"), "not: " + Old);
  EXPECT_EQ(within("  #pragma A \\\n  x\n", "  #pragma A \\\n  y\n"),
            "not: " + Old);
  EXPECT_EQ(joined("f(a;\nb;\n", "f(a;\nc;\n"),
            "not: a parenthesis or a comment is open around its lines");
  EXPECT_EQ(joined("a;\rb;\r", "a;\rc;\r"),
            "not: the lines of the text end as no compiler expects");
}

TEST(Arms, DoubleNoHeadOfAFunctionAndNoMoreThanFourFifths) {
  auto Most = [](int Count, int All) {
    return "not: " + std::to_string(Count) + " of the " + std::to_string(All) +
           " lines of a function would stand there twice, and no more "
           "than four fifths may";
  };
  const std::string Head = "not: its lines hold the head or the end of a "
                           "function";
  EXPECT_EQ(joined("void f() { x; }\n", "void f() { y; }\n"), Head);
  EXPECT_EQ(joined("void f(int x)\n{\n}\n", "void f(int y)\n{\n}\n"), Head);
  EXPECT_EQ(joined("void f() {\n  x;\n  a; }\n", "void f() {\n  x;\n  b; }\n"),
            Head);
  EXPECT_EQ(joined("constant int t = 1;\n", "constant int t = 2;\n"), Head);
  EXPECT_EQ(joined("void f() {\n  x;\n}\n", "void f() {\n  y;\n}\n"),
            Most(1, 1));
  EXPECT_EQ(joined("void f() {\n x;\n x;\n x;\n x;\n x;\n a;\n}\n",
                   "void f() {\n y;\n y;\n y;\n y;\n y;\n a;\n}\n"),
            Most(5, 6));
  EXPECT_EQ(joined("void f() {\n x;\n x;\n x;\n x;\n a;\n}\n",
                   "void f() {\n y;\n y;\n y;\n y;\n a;\n}\n"),
            "void f() {\n #ifdef __AMDGCN__ // clrewrite\n y;\n y;\n y;\n y;\n"
            " #else\n x;\n x;\n x;\n x;\n #endif\n a;\n}\n");
  EXPECT_EQ(
      joined("void f() {\n  x;\n  z;\n}\n", "void f() {\n  y;\n  z;\n}\n"),
      "void f() {\n  #ifdef __AMDGCN__ // clrewrite\n  y;\n  #else\n"
      "  x;\n  #endif\n  z;\n}\n");
  // In each function by itself; what is added counts nowhere.
  EXPECT_EQ(joined("void f() {\n  x;\n  z;\n}\nvoid g() {\n  x;\n}\n",
                   "void f() {\n  y;\n  z;\n}\nvoid g() {\n  y;\n}\n"),
            Most(1, 1));
  EXPECT_EQ(joined("void g() {\n}\n", "void f() {\n  a;\n}\n\nvoid g() {\n}\n"),
            "#ifdef __AMDGCN__ // clrewrite\nvoid f() {\n  a;\n}\n\n#endif\n"
            "void g() {\n}\n");
  // Between functions rather than across the end of one.
  EXPECT_EQ(joined("void g() {\n  a;\n}\nk\n",
                   "void g() {\n  a;\n}\nvoid f() {\n  a;\n}\nk\n"),
            "void g() {\n  a;\n}\n#ifdef __AMDGCN__ // clrewrite\n"
            "void f() {\n  a;\n}\n#endif\nk\n");
}

TEST(Arms, ArePutIntoNoOtherShelter) {
  const char *Has = "  #ifdef __AMDGCN__ // clrewrite\n  x;\n  z;\n  #else\n"
                    "  u;\n  #endif\n";
  EXPECT_EQ(within(Has, "  #ifdef __AMDGCN__ // clrewrite\n  y;\n  z;\n"
                        "  #else\n  u;\n  #endif\n"),
            "not: its lines are kept for some GPUs already");
}

TEST(Arms, HaveTheLineEndingsOfTheText) {
  auto WithCr = [](StringRef Text) {
    std::string Out;
    for (char C : Text)
      Out += (C == '\n' ? "\r" : "") + std::string(1, C);
    return Out;
  };
  EXPECT_EQ(joined(WithCr(around("  x;\n")), WithCr(around("  y;\n"))),
            WithCr(joined(around("  x;\n"), around("  y;\n"))));
}

TEST(Arms, MayStandAtTheEndOfATextWithoutANewline) {
  EXPECT_EQ(joined("a;\n#define A 1\n", "a;\n#define A 1\nint b;"),
            "a;\n#define A 1\n#ifdef __AMDGCN__ // clrewrite\nint b;\n"
            "#endif\n");
  EXPECT_EQ(
      joined("void f() {\n  a;\n  x;\n  b;", "void f() {\n  a;\n  x;\n  y;"),
      "void f() {\n  a;\n  x;\n  #ifdef __AMDGCN__ // clrewrite\n  y;\n"
      "  #else\n  b;\n  #endif");
}

TEST(Arms, OfSeveralTextsShareAShelter) {
  std::string Others = around("  x;\n"), One = around("  y;\n"),
              Two = around("  x;\n  z;\n");
  EXPECT_EQ(llvm::cantFail(
                withArms(Others, {{Amd, One, {{One.find("y;"), "1"}}},
                                  {Nvidia, Two, {{Two.find("z;"), "2"}}}})),
            around("  #ifdef __AMDGCN__ // clrewrite: 1\n  y;\n"
                   "  #elif defined(__NVPTX__) // clrewrite: 2\n  x;\n"
                   "  z;\n  #else\n  x;\n  #endif\n"));
  // Each may have shelters of its own.
  One = around("  x;\n") + "int a;\n";
  EXPECT_EQ(llvm::cantFail(withArms(Others, {{Amd, One}, {Nvidia, Two}})),
            around("  x;\n  #ifdef __NVPTX__ // clrewrite\n  z;\n"
                   "  #endif\n") +
                "#ifdef __AMDGCN__ // clrewrite\nint a;\n#endif\n");
}

TEST(Arms, OfAnyTextsReadBackAsTheseWere) {
  std::mt19937 Random(1);
  const std::vector<std::string> Pool = {
      "  a;\n",   "  b(\n",   "  );\n",   "  c;\n",  "  if (d) {\n",
      "  }\n",    "  /* e\n", "  */\n",   "#if F\n", "#else\n",
      "#endif\n", "  g \\\n", "  (h);\n", "\n",      "void i() {\n",
      "}\n",      "  // j(\n"};
  unsigned Joined = 0;
  for (unsigned Run = 0; Run < 20000; ++Run) {
    std::vector<std::string> Base;
    for (unsigned I = 0; I < 4 + Random() % 12; ++I)
      Base.push_back(Pool[Random() % (Run % 2 ? 6 : Pool.size())]);
    std::vector<std::string> Texts;
    for (unsigned T = 0; T < 3; ++T) {
      std::vector<std::string> Own = {"void k() {\n"};
      for (const std::string &Line : Base) {
        bool Differs = T && Random() % 8 == 0;
        if (!Differs || Random() % 2)
          Own.push_back(Line);
        if (Differs)
          Own.push_back(Pool[Random() % 6]);
      }
      Own.push_back("}\n");
      Texts.push_back(llvm::join(Own, ""));
    }
    auto Old = linesOf(Texts[0]), New = linesOf(Texts[1]);
    std::string Made;
    size_t At = 0;
    for (const Hunk &H : differences(Old, New)) {
      for (; At < H.OldBegin; ++At)
        Made += Old[At];
      for (size_t I = H.NewBegin; I < H.NewEnd; ++I)
        Made += New[I];
      At = H.OldEnd;
    }
    for (; At < Old.size(); ++At)
      Made += Old[At];
    ASSERT_EQ(Made, Texts[1]) << Texts[0];
    llvm::Expected<std::string> Out =
        withArms(Texts[0], {{Amd, Texts[1]}, {Nvidia, Texts[2]}});
    if (!Out) {
      llvm::consumeError(Out.takeError());
      continue;
    }
    ++Joined;
    ASSERT_EQ(readBy(*Out, ""), Texts[0]) << *Out;
    ASSERT_EQ(readBy(*Out, Amd), Texts[1]) << *Out;
    ASSERT_EQ(readBy(*Out, Nvidia), Texts[2]) << *Out;
    if (Texts[0] != Texts[1] && Texts[0] != Texts[2]) {
      ASSERT_EQ(sheltersIn(*Out).size(), 2u) << *Out;
    }
  }
  EXPECT_GT(Joined, 1000u);
}
