// Which names a text asks for by definedness alone, and how they are answered.
#include "frontend/AskedNames.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace clrewrite::frontend;
using namespace llvm;

static std::string asked(StringRef Text) { return join(askedNames(Text), " "); }

TEST(AskedNames, OfEachSortOfCondition) {
  EXPECT_EQ(asked("#ifdef cl_a\n # ifndef __b\n#elifdef CL_VERSION_9\n"
                  "#\telifndef FP_FAST_X\n"),
            "cl_a __b CL_VERSION_9 FP_FAST_X");
  EXPECT_EQ(asked("#if defined(cl_a) && !defined __b || defined ( cl_c )\n"
                  "#elif X > 1 && defined(cl_d)\n"),
            "cl_a __b cl_c cl_d");
  EXPECT_EQ(asked("#if defined(cl_a) || \\\n defined(cl_b)\n#if 1 \\ \t\n"
                  "|| defined cl_c\n"),
            "cl_a cl_b cl_c");
  EXPECT_EQ(asked("#ifdef cl_a\n#ifdef cl_a\r\n#endif"), "cl_a");
  EXPECT_EQ(asked("#ifdef"), "");
}

TEST(AskedNames, ThoseOfTheHostAreNone) {
  EXPECT_EQ(asked("#ifdef USE_A\n#if defined(WITH_cl) || cl_value > 1\n"), "");
}

TEST(AskedNames, OfATextThatDefinesThemAreNone) {
  EXPECT_EQ(asked("#ifndef __GUARD\n#define __GUARD\n#ifdef cl_a\n"), "cl_a");
  EXPECT_EQ(asked("#ifdef cl_a\n# undef cl_a\n"), "");
  // Its name is not seen.
  for (StringRef Hidden : {"#define /**/ cl_a 1\n",
                           "#define \\\n cl_a 1\n",
                           "#/**/define cl_a\n",
                           "#def\\\nine cl_a\n",
                           "/* */ #define cl_a\n",
                           "/*\n// */ #undef cl_a\n",
                           "%:define cl_a\n",
                           "?\?=define cl_a\n",
                           "// ?\?/\n#define cl_b\n",
                           "/*\n#pragma */ #define cl_a\n",
                           "/*\n// *\\\n/ #define cl_a\n",
                           "// x\r#define cl_a\n",
                           "#pragma x\r#define cl_a\n",
                           "#define cl\\\n_a\n",
                           "%\\\n:define cl_a\n",
                           "#ifdef cl_b\\\n_c\n",
                           "#ifdef cl_b\xc3\xa9\n",
                           "#ifdef cl_b\\u00e9\n",
                           "#if x\\\ndefined(cl_b)\n",
                           "int CLREWRITE_ANSWERS_YES;\n",
                           "#include \"a.h\"\n",
                           "#import \"a.h\"\n",
                           "#  include NAME\n"})
    EXPECT_EQ(asked(("#ifdef cl_a\n#endif\n" + Hidden).str()), "")
        << Hidden.str();
}

TEST(AskedNames, OfTwoTextsNeitherDefinesThem) {
  auto both = [](StringRef One, StringRef Other) {
    return join(askedNames({One, Other}), " ");
  };
  EXPECT_EQ(both("#ifdef cl_a\n", "#ifdef cl_b\n#ifdef cl_a\n"), "cl_a cl_b");
  EXPECT_EQ(both("#ifdef cl_a\n#ifdef cl_b\n", "#define cl_a\n"), "cl_b");
  EXPECT_EQ(both("#undef cl_a\n", "#ifdef cl_a\n"), "");
  EXPECT_EQ(both("#ifdef cl_a\n", "#include \"a.h\"\n"), "");
}

TEST(AskedNames, OfWhichTheValueMattersAreNone) {
  EXPECT_EQ(asked("#ifdef cl_a\n#ifdef cl_b\nint i = cl_a;\n"), "cl_b");
  EXPECT_EQ(asked("#ifdef cl_a\n#ifdef cl_b\n#pragma unroll cl_a\n"), "cl_b");
  EXPECT_EQ(
      asked(
          "#ifdef cl_a\n#pragma OPENCL EXTENSION cl_a : enable\nint cl_ab;\n"),
      "cl_a");
}

TEST(AskedNames, OtherSignsAreNoDirectives) {
  EXPECT_EQ(asked("#ifdef cl_a\n// issue #12\n#define TEXT(x) #x\n"
                  "#define JOIN(a, b) \\\n a##b\n#pragma unroll\n#error no\n"),
            "cl_a");
}

TEST(AskedNames, QueriesAreQuestionsOfTheirOwn) {
  StringRef Text = "#if !defined(__has_builtin)\n#define __has_builtin(x) 0\n"
                   "#endif\n#if A && __has_builtin ( __builtin_b)\n#endif\n";
  StringRef Asked = "__has_builtin __has_builtin(__builtin_b)";
  EXPECT_EQ(asked(Text), Asked);
  // A compiler that has no such macro may refuse the text.
  EXPECT_EQ(asked("#if __has_builtin(__builtin_b)\n"), Asked);
  // They are there elsewhere as well, or not as we know them.
  for (StringRef More :
       {"int i = __has_builtin(b);\n", "#define B(b) __has_builtin(b)\n",
        "#if __has_builtin\n", "#if __has_builtin(__builtin_b c)\n",
        "#if __has_builtin(\"b\")\n", "#pragma unroll __has_builtin(b)\n",
        "#if __has_builtin(b)\n", "#if __has_builtin(\\\n__builtin_b)\n",
        "#define __builtin_b __builtin_c\n", "#undef __builtin_b\n",
        "#pragma push_macro(\"__has_builtin\")\n",
        "_Pragma(\"pop_macro(\\\"__has_builtin\\\")\")\n"})
    EXPECT_EQ(asked((Text + More).str()), "") << More.str();
  EXPECT_EQ(asked((Text + "#define __builtin_c(x) x\n").str()), Asked);
  EXPECT_EQ(asked("#if __has_include(cl_b)\n#if __has_attribute(b)\n"), "");
}

TEST(AskedNames, GuardsOfHeadersAreNone) {
  auto inHeader = [](StringRef Path, StringRef Text) {
    return join(askedNames({""}, {{Path.str(), Text.str()}}), " ");
  };
  StringRef Guard = "#ifndef __LIB_OF_A_H__\n#ifdef cl_a\n";
  EXPECT_EQ(inHeader("/x/of-a.h", Guard), "cl_a");
  EXPECT_EQ(inHeader("/x/b.h", Guard), "__LIB_OF_A_H__ cl_a");
  EXPECT_EQ(inHeader("of_a", Guard), "__LIB_OF_A_H__ cl_a");
  EXPECT_EQ(inHeader("/x/of-a.h", "#ifdef __OF_A_H\n"), "__OF_A_H");
  EXPECT_EQ(
      join(askedNames({"#ifndef __A_H\n"}, {{"a.h", "#ifndef __A_H\n"}}), " "),
      "__A_H");
  EXPECT_TRUE(isGuardOf("a.cl", "__A_CL"));
  EXPECT_FALSE(isGuardOf("a.cl", "__A_CL_VERSION"));
  EXPECT_FALSE(isGuardOf("", "__A"));
  // Only whole words are the file's.
  EXPECT_FALSE(isGuardOf("mat.h", "__FAST_RELAXED_MATH__"));
  EXPECT_FALSE(isGuardOf("arc.h", "__CUDA_ARCH__"));
  EXPECT_FALSE(isGuardOf("rc.h", "__ARC_H"));
}

TEST(AskedNames, NoCompilerOfOpenCLCPredefinesThatOfAnotherLanguage) {
  EXPECT_EQ(asked("#ifdef __cplusplus\n#ifdef cl_a\n"), "cl_a");
}

TEST(AskedNames, AnswersStandInTheirPlaces) {
  EXPECT_EQ(withAnswers("#ifdef cl_a // cl_a\n#pragma cl_a\n"
                        "#elif defined(__b) && __b > 1 || defined cl_c\n",
                        {{"cl_a", true}, {"__b", false}}),
            "#ifdef CLREWRITE_ANSWERS_YES // cl_a\n#pragma cl_a\n"
            "#elif defined(CLREWRITE_ANSWERS_NO___b) && __b > 1 || defined "
            "cl_c\n");
  EXPECT_EQ(withAnswers("#ifdef cl_a", {{"cl_a", false}}),
            "#ifdef CLREWRITE_ANSWERS_NO_cl_a");
  EXPECT_EQ(withAnswers("no test", {{"cl_a", false}}), "no test");
  StringRef Text = "#ifndef __has_builtin\n#define __has_builtin(x) 0\n#endif\n"
                   "#if __has_builtin(__builtin_b) || "
                   "__has_builtin(__builtin_c)\n";
  std::map<std::string, bool> Has{{"__has_builtin", true},
                                  {"__has_builtin(__builtin_b)", true},
                                  {"__has_builtin(__builtin_c)", false}};
  EXPECT_EQ(withAnswers(Text, Has),
            "#ifndef CLREWRITE_ANSWERS_YES\n#define __has_builtin(x) 0\n"
            "#endif\n#if CLREWRITE_ANSWERS_YES || "
            "CLREWRITE_ANSWERS_NO___has_builtin\n");
  Has["__has_builtin"] = Has["__has_builtin(__builtin_b)"] = false;
  EXPECT_EQ(withAnswers(Text, Has),
            "#ifndef CLREWRITE_ANSWERS_NO___has_builtin\n"
            "#define CLREWRITE_ANSWERS_NO___has_builtin(x) 0\n#endif\n"
            "#if CLREWRITE_ANSWERS_NO___has_builtin("
            "CLREWRITE_ANSWERS___builtin_b) || "
            "CLREWRITE_ANSWERS_NO___has_builtin("
            "CLREWRITE_ANSWERS___builtin_c)\n");
}
