// Which expressions literals make double, and which of those compilers narrow.
#include "rewrite/ast/PromotedFloats.h"
#include "frontend/Parse.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

namespace {

/// For each expression of floats that \p Statement has in double, its literals,
/// other operands and operations, and "narrowed" where compilers narrow it.
std::string promotedIn(const std::string &Statement) {
  Source S{"k.cl",
           "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
           "void f(float x, float y, int i, double d, global float *p) {\n" +
               Statement + "}",
           {}};
  std::string Out = "not parsed";
  frontend::parse(
      S, {"amdgcn-amd-amdhsa", "gfx906"}, false,
      [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
        Out = "";
        for (const clang::Decl *D : Context.getTranslationUnitDecl()->decls())
          if (const auto *F = llvm::dyn_cast<clang::FunctionDecl>(D);
              F && F->hasBody())
            for (const PromotedFloats &P : promotedFloats(*F))
              Out += (Out.empty() ? "" : ", ") +
                     std::to_string(P.Literals.size()) + " " +
                     std::to_string(P.Others) + " " +
                     std::to_string(P.Operations) +
                     (P.isNarrowedByCompilers() ? " narrowed" : "");
      });
  return Out;
}

} // namespace

TEST(PromotedFloats, EndWhereAFloatAnIntegerOrAnAnswerIsMade) {
  EXPECT_EQ(promotedIn("x = (1.0 - x) * 0.5 + y;"), "2 2 3");
  EXPECT_EQ(promotedIn("i = x * 255.0;"), "1 1 1");
  EXPECT_EQ(promotedIn("if (x * 0.5 > y) i = 1;"), "1 2 1");
  EXPECT_EQ(promotedIn("x -= y * 0.3;"), "1 2 2");
  EXPECT_EQ(promotedIn("x = (float)(x * 0.3) + (y - 0.1);"), "1 2 2, 1 1 1");
  EXPECT_EQ(promotedIn("p[i] = sqrt(1.0 + x * x);"), "1 1 2");
  EXPECT_EQ(promotedIn("x = i > 0 ? 0.1 * x : -1.0;"), "2 1 1");
}

TEST(PromotedFloats, AreNoneWhereDoubleIsMeant) {
  EXPECT_EQ(promotedIn("x = d * 0.5;"), "");
  EXPECT_EQ(promotedIn("x = (double)x * 0.5;"), "");
  EXPECT_EQ(promotedIn("d = x * 0.5;"), "");
  EXPECT_EQ(promotedIn("x = 0.3;"), "");
  EXPECT_EQ(promotedIn("x = x * 0.5f;"), "");
  EXPECT_EQ(promotedIn("if (x == 0.1) i = 1;"), "");
  EXPECT_EQ(promotedIn("x = ldexp(x * 0.3, i);"), "");
}

TEST(PromotedFloats, AreNoneWhereAFloatHasTooFewDigits) {
  EXPECT_EQ(promotedIn("i = x * 2147483647.0;"), "");
  EXPECT_EQ(promotedIn("i = x * 65535.0;"), "1 1 1");
  EXPECT_EQ(promotedIn("x = i * (1.0 / 4294967296.0);"), "");
  EXPECT_EQ(promotedIn("x = (i + 0.5) * 0.1;"), "2 1 2");
  EXPECT_EQ(promotedIn("x = (uchar)i * (1.0 / 16777216.0);"), "2 1 2");
  EXPECT_EQ(promotedIn("if (x > 1.0 - 1e-9) i = 1;"), "");
  EXPECT_EQ(promotedIn("if (x > 1.0 - 1e-3) i = 1;"), "2 1 1");
  EXPECT_EQ(promotedIn("if (x * x - 2.0 > 1e-7) i = 1;"), "");
  EXPECT_EQ(promotedIn("if (x > 1e-7) i = 1;"), "1 1 0");
}

TEST(PromotedFloats, CostNothingWhereClangKnowsTheValue) {
  EXPECT_EQ(promotedIn("x = 3.14159265358979 / 180;"), "");
  EXPECT_EQ(promotedIn("x = y + (float)(1 / 3.0);"), "");
}

TEST(PromotedFloats, CompilersNarrowWhatRoundsOnce) {
  EXPECT_EQ(promotedIn("x = y * 0.5;"), "1 1 1 narrowed");
  EXPECT_EQ(promotedIn("x *= 3.0;"), "1 1 1 narrowed");
  EXPECT_EQ(promotedIn("if (x < 0.25) i = 1;"), "1 1 0 narrowed");
  EXPECT_EQ(promotedIn("x = y * 0.1;"), "1 1 1");
  EXPECT_EQ(promotedIn("x = i * 0.5;"), "1 1 1");
  EXPECT_EQ(promotedIn("if (x < 0.1) i = 1;"), "1 1 0");
}
