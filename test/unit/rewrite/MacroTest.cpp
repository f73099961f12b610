// Where macros are defined, and when a definition serves.
#include "rewrite/text/Macro.h"
#include "FunctionK.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

static const char Any[] = "#define @ 1\n";

/// \p Text with the macro that \p Lines define for function k, before the name
/// it gets; "other" where its name is another macro's.
static std::string definedIn(const std::string &Text, const char *Lines = Any) {
  std::string Result = "not called";
  eachK(Text, [&](const clang::FunctionDecl &F, clang::ASTContext &Context) {
    std::optional<Macro> M = macroFor(F, "M", Lines, Context);
    Edits Changes;
    if (M && M->Definition)
      Changes.push_back(*M->Definition);
    Result = M ? *applyEdits(Text, Changes) + M->Name : "none";
    if (Lines != Any && isOtherMacro("M", Lines, Context))
      Result = "other";
  });
  return Result;
}

TEST(Macro, BeforeTheFirstFunction) {
  EXPECT_EQ(definedIn("void k() {}"), "#define M 1\n\nvoid k() {}M");
  EXPECT_EQ(definedIn("// File.\n\n// f.\nvoid f() {}\nvoid k() {}"),
            "// File.\n\n#define M 1\n\n// f.\nvoid f() {}\nvoid k() {}M");
  EXPECT_EQ(definedIn("void k(int);\nvoid k(int a) {}"),
            "void k(int);\n#define M 1\n\nvoid k(int a) {}M");
}

TEST(Macro, InTheArmsOfTheFunction) {
  std::string K = "void k() {}";
  EXPECT_EQ(definedIn("#if 1\nvoid f() {}\n#endif\n" + K),
            "#if 1\nvoid f() {}\n#endif\n#define M 1\n\n" + K + "M");
  EXPECT_EQ(definedIn("#if 0\n#else\nvoid f() {}\n" + K + "\n#endif\n"),
            "#if 0\n#else\n#define M 1\n\nvoid f() {}\n" + K + "\n#endif\nM");
  EXPECT_EQ(definedIn("#ifndef X\nvoid f() {}\n#elif 1\n#endif\n#ifndef X\n" +
                      K + "\n#endif\n"),
            "#ifndef X\nvoid f() {}\n#elif 1\n#endif\n#ifndef X\n"
            "#define M 1\n\n" +
                K + "\n#endif\nM");
}

TEST(Macro, DefinedOnce) {
  std::string K = "void k() {}", Own = "#define M 1\n";
  EXPECT_EQ(definedIn(Own + K), Own + K + "M");
  EXPECT_EQ(definedIn("#define M 1\r\n" + K + "\r\n"),
            "#define M 1\r\n" + K + "\r\nM");
  // In an arm that may not be compiled, too late, undefined, something else.
  EXPECT_EQ(definedIn("#if 1\n" + Own + "#endif\n" + K),
            "#if 1\n" + Own + "#endif\n#define M2 1\n\n" + K + "M2");
  EXPECT_EQ(definedIn(K + "\n" + Own),
            "#define M2 1\n\n" + K + "\n" + Own + "M2");
  EXPECT_EQ(definedIn(Own + "#undef M\n" + K),
            Own + "#undef M\n#define M2 1\n\n" + K + "M2");
  EXPECT_EQ(definedIn("typedef int M;\n" + K),
            "typedef int M;\n#define M2 1\n\n" + K + "M2");
}

TEST(Macro, BeforeTheArmsOfAHead) {
  std::string K = "#ifdef X\nint\n#else\nvoid\n#endif\nk() {}";
  EXPECT_EQ(definedIn(K), "#define M 1\n\n" + K + "M");
  EXPECT_EQ(definedIn("#if 1\nvoid f() {}\n#endif\n" + K),
            "#if 1\nvoid f() {}\n#endif\n#define M 1\n\n" + K + "M");
}

TEST(Macro, NoPlace) {
  EXPECT_EQ(definedIn("__kernel\n#define X\nvoid k() {}\n"), "none");
}

TEST(Macro, OfAFixedName) {
  const char *Own = "#ifndef __AMDGCN__\n#define M(n)\n#endif\n";
  std::string K = "void k() {}";
  EXPECT_EQ(definedIn(K, Own), Own + ("\n" + K + "M"));
  EXPECT_EQ(definedIn(Own + K, Own), Own + K + "M");
  // It is used already, or defined for another arm.
  EXPECT_EQ(definedIn("typedef int M;\n" + K, Own),
            std::string("typedef int M;\n") + Own + "\n" + K + "M");
  EXPECT_EQ(definedIn("#if 1\n" + (Own + ("#endif\n" + K)), Own),
            "#if 1\n" + (Own + ("#endif\n" + (Own + ("\n" + K + "M")))));
  // Something else, here or with other options.
  EXPECT_EQ(definedIn("#define M(n) n\n" + K, Own), "other");
  EXPECT_EQ(definedIn("#if 0\n#define M 1\n#endif\n" + K, Own), "other");
  EXPECT_EQ(definedIn(Own + ("#define M 1\n" + K), Own), "other");
}
