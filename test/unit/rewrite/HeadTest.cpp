// Where the text of a function starts.
#include "FunctionK.h"
#include "rewrite/text/Text.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

/// \p Text from where the head of function k stands.
static std::string headIn(const std::string &Text) {
  std::string Result = "not called";
  eachK(Text, [&](const clang::FunctionDecl &F, clang::ASTContext &Context) {
    std::optional<unsigned> At = headOf(F, Context);
    Result = At ? Text.substr(*At) : "none";
  });
  return Result;
}

TEST(Head, TokensAndCommentsAbove) {
  std::string K = "__attribute__((always_inline))\nvoid k() {}\n";
  EXPECT_EQ(headIn(K), K);
  EXPECT_EQ(headIn("typedef int a;" + K), K);
  EXPECT_EQ(headIn("// About the file.\n\n/* About k, */\n// too.\n" + K),
            "/* About k, */\n// too.\n" + K);
  EXPECT_EQ(headIn("// About the file.\n\n" + K), K);
  // Nothing is put before the end of what is suppressed.
  EXPECT_EQ(headIn("// a\n// clrewrite-on\n// b\n" + K), "// b\n" + K);
  EXPECT_EQ(headIn("/* NOCLREWRITEEND(x) */\n" + K), K);
  EXPECT_EQ(headIn("void f() { if (1) {} } // of f\n" + K), K);
  EXPECT_EQ(headIn("typedef struct { int x; } s;\n" + K), K);
}

TEST(Head, Directives) {
  std::string K = "__kernel\nvoid k() {}\n";
  EXPECT_EQ(headIn("// Of X.\n#define X(a) \\\n  (a; })\n" + K), K);
  EXPECT_EQ(headIn("#if 1\n// About k.\n" + K + "#endif\n"),
            "// About k.\n" + K + "#endif\n");
  for (std::string End : {"#endif\n", "/* of it */ #endif\n", "%:endif\n",
                          "/* of\n it */ # /**/ endif // 0\n"}) {
    EXPECT_EQ(headIn("#if 1\nvoid f() {}\n" + End + K), K);
    EXPECT_EQ(headIn("#if 1\nvoid f() {}\n" + End + "\n// Of k.\n" + K),
              "// Of k.\n" + K);
  }
  EXPECT_EQ(headIn("__kernel\n#define X\nvoid k() {}\n"), "none");
  EXPECT_EQ(headIn("__kernel\n#define X\nvoid f() {}\n" + K), K);
  EXPECT_EQ(
      headIn("#ifdef X\nvoid f(int a) {\n#else\nvoid f() {\n#endif\n}\n" + K),
      "none");
}

TEST(Head, WithinExternC) {
  std::string K = "__kernel\nvoid k() {}\n",
              Opens = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n",
              Closes = "#ifdef __cplusplus\n}\n#endif\n";
  EXPECT_EQ(headIn(Opens + K + Closes), K + Closes);
  EXPECT_EQ(headIn(Opens + "void f() {}\n" + Closes + "// Of k.\n" + K),
            "// Of k.\n" + K);
  EXPECT_EQ(headIn("void f() {\n" + Closes + "}\n" + K), "none");
}

TEST(Head, ArmsInIt) {
  std::string K =
      "// Of k.\n__kernel\n#ifdef X\nint\n#else\nvoid\n#endif\nk() {}\n";
  EXPECT_EQ(headIn(K), K);
  K = "#ifdef X\nint\n#elif 1\nvoid\n#endif\nk() {}\n";
  EXPECT_EQ(headIn(K), K);
  EXPECT_EQ(headIn("void f() {}\n" + K), K);
  EXPECT_EQ(headIn("#if 1\n" + K + "#endif\n"), K + "#endif\n");
  EXPECT_EQ(headIn("#if 0\nvoid f() {}\n#endif\n" + K), K);
  K = "#ifdef X\n#if X\n__kernel\n#endif\n#endif\nvoid k() {}\n";
  EXPECT_EQ(headIn(K), K);
  // The name in an arm: what is before all of them is compiled with each.
  K = "#ifdef X\nvoid k(int x)\n#else\nvoid k()\n#endif\n{}\n";
  EXPECT_EQ(headIn(K), K);
}

TEST(Head, ArmsThatOthersShare) {
  std::string K = "\n#endif\nk() {}\n";
  EXPECT_EQ(headIn("#if 1\nint f();\nvoid" + K), "none");
  EXPECT_EQ(headIn("#ifdef X\nint\n#else\nint f();\nvoid" + K), "none");
  EXPECT_EQ(headIn("#if 1\n#define X\nvoid" + K), "none");
  EXPECT_EQ(headIn("#if 1\nvoid\n#define X" + K), "none");
}
