// Which addresses are whole vectors away from a kernel's own argument.
#include "rewrite/ast/Alignment.h"
#include "frontend/Parse.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

namespace {

class Loads : public clang::DynamicRecursiveASTVisitor {
public:
  const clang::FunctionDecl *Function = nullptr;
  std::vector<const clang::Expr *> Pointers;
  bool VisitFunctionDecl(clang::FunctionDecl *F) override {
    if (F->getIdentifier() && F->getName() == "k")
      Function = F;
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *C) override {
    if (calleeName(C) == "vload8")
      Pointers.push_back(C->getArg(1));
    return true;
  }
};

/// What \p Ask says of the pointer of `vload8(i, POINTER)`, after \p Before.
std::string withPointer(
    const std::string &Pointer, const std::string &Before,
    const std::string &After, const std::string &Kernel,
    llvm::function_ref<std::string(const Alignment &, const clang::Expr *)>
        Ask) {
  Source S{"k.cl",
           Kernel +
               "void k(__global const float *p, __global float8 *o, "
               "__global const short *q, int n, int i) { " +
               Before + " o[i] = vload8(i, " + Pointer + "); " + After + " }",
           {}};
  std::string Result = "not called";
  frontend::parse(S, {"amdgcn-amd-amdhsa", "gfx906"}, false,
                  [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
                    Loads L;
                    L.TraverseDecl(Context.getTranslationUnitDecl());
                    Result =
                        Ask(Alignment(*L.Function, Context), L.Pointers.at(0));
                  });
  return Result;
}

/// The argument that the pointer starts from.
std::string bufferOf(const std::string &Pointer, const std::string &Before = "",
                     const std::string &After = "",
                     const std::string &Kernel = "__kernel ") {
  return withPointer(Pointer, Before, After, Kernel,
                     [](const Alignment &A, const clang::Expr *E) {
                       const clang::ParmVarDecl *P = A.buffer(E, 8);
                       return P ? P->getNameAsString() : "none";
                     });
}

} // namespace

TEST(Alignment, MultiplesOfTheVector) {
  for (const char *Whole :
       {"p", "p + 8", "&p[16]", "p + 8 * n", "(n << 3) + p", "p + n * 4 * 2",
        "p - 24 + (n & ~7)", "p + (8 * n + 64u)", "&p[(uchar)(n * 16)]",
        "(__global const float *)p + 0"})
    EXPECT_EQ(bufferOf(Whole), "p") << Whole;
  for (const char *Other :
       {"p + 4", "p + n", "p + 8 * n + 1", "p + (n << 2)", "p + n / 8 * 4",
        "p + (n | 8)", "p + 8 * n % 3", "p + (n > 8)",
        "(__global const float *)(q + 8)", "n ? p : p + 1", "&p[n]"})
    EXPECT_EQ(bufferOf(Other), "none") << Other;
}

TEST(Alignment, VariablesThatKeepTheirFirstValue) {
  EXPECT_EQ(bufferOf("p + m", "int m = 8 * n;"), "p");
  EXPECT_EQ(bufferOf("r", "__global const float *r = p + 8;"), "p");
  EXPECT_EQ(bufferOf("p + m", "int m = 8 * n;", "m++;"), "none");
  EXPECT_EQ(bufferOf("p + m", "int m = 8; int *t = &m; *t = n;"), "none");
  EXPECT_EQ(bufferOf("p", "p += n;"), "none");
  EXPECT_EQ(bufferOf("p + m", "int m; m = 8;"), "none");
}

TEST(Alignment, LikelyRests) {
  auto rest = [](const char *Pointer, const char *Before = "") {
    return withPointer(Pointer, Before, "", "__kernel ",
                       [](const Alignment &A, const clang::Expr *P) {
                         return std::to_string(A.likelyRest(P, 8));
                       });
  };
  EXPECT_EQ(rest("p + n"), "0");
  EXPECT_EQ(rest("p + n - 1"), "7");
  EXPECT_EQ(rest("&p[(n + 1) * i + 3]"), "3");
  EXPECT_EQ(rest("p + (i + 1) * 2 + 9u"), "3");
  EXPECT_EQ(rest("p + m", "uchar m = 16 * n + (1 << 1);"), "2");
  EXPECT_EQ(rest("r - 2", "__global const float *r = p + i + 5;"), "3");
  EXPECT_EQ(rest("p + m", "int m = 3; m += n;"), "0");
  EXPECT_EQ(rest("p + (n ? 1 : 2) - -n"), "0");
}

TEST(Alignment, OnlyWhatTheHostPasses) {
  EXPECT_EQ(bufferOf("p", "", "", ""), "none");
  EXPECT_EQ(bufferOf("p", "",
                     "} void other(__global const float *p, __global "
                     "float8 *o, __global const short *q) { "
                     "k(p + 1, o, q, 1, 2);"),
            "none");
}

TEST(Alignment, WhatAnotherBuildChoosesIsNone) {
  const std::string Macro = "#ifndef OFF\n#define OFF 8\n#endif\n";
  for (const char *Constant :
       {"constant int c = OFF;", "constant int two[2] = {OFF, 8};",
        "__constant const int c = 8 * OFF;",
        "#ifdef X\nconstant int c = 8;\n#else\nconstant int c = 8;\n#endif\n"})
    EXPECT_EQ(bufferOf(llvm::StringRef(Constant).contains("two") ? "p + two[0]"
                                                                 : "p + c",
                       "", "", Macro + Constant + "\n__kernel "),
              "none")
        << Constant;
  EXPECT_EQ(bufferOf("p + c", "", "", "constant int c = 16;\n__kernel "), "p");
  EXPECT_EQ(bufferOf("p + _Generic(OFF, int: 8, default: 1)", "", "",
                     Macro + "__kernel "),
            "none");
  EXPECT_EQ(bufferOf("p + __builtin_choose_expr(OFF == 8, 8 * n, n)", "", "",
                     Macro + "__kernel "),
            "none");
}

TEST(Alignment, AnInitialiserThatNamesItsOwnVariableIsNone) {
  EXPECT_EQ(bufferOf("p + at", "int at = 8 * at;"), "none");
  EXPECT_EQ(bufferOf("r", "__global const float *r = r + 8;"), "none");
}
