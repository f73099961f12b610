// Loops that add elements under a guard: what index they follow, and how far.
#include "GuardedReduction.h"
#include "frontend/Parse.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/text/Text.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;
using namespace clrewrite::rewrite::pad_buffer;

namespace {

std::string textOf(const LinearForm &F, const clang::ASTContext &Context) {
  std::string Out = std::to_string(F.Constant);
  for (const LinearForm::Part &P : F.Parts)
    Out += (P.Factor < 0 ? " - " : " + ") +
           std::string(std::abs(P.Factor) == 1
                           ? ""
                           : std::to_string(std::abs(P.Factor)) + " * ") +
           spelled(P.Term, Context);
  return Out;
}

/// "id, zeros before, length, iterations", or what does not hold.
std::string read(const std::string &Loop) {
  Source S{"k.cl",
           "kernel void k(global const int *in, global const float *f, int n, "
           "int r) {\n int i = get_global_id(0), x = get_global_id(1), s = 0;\n"
           "const int own = f[i];\n" +
               Loop + "\n}",
           {}};
  std::string Result = "not parsed";
  frontend::parse(
      S, {"amdgcn-amd-amdhsa", "gfx906"}, false,
      [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
        const clang::ForStmt *For =
            allIn<clang::ForStmt>(Context.getTranslationUnitDecl()).back();
        if (guardedTerms(*For, guardedBody(*For)).empty()) {
          Result = "no term";
          return;
        }
        GuardedReduction G(
            *For,
            *enclosingFunction(clang::DynTypedNode::create(*For), Context),
            Context);
        Result = !G.counts()         ? "counts"
                 : !G.isGuarded()    ? "guard"
                 : !G.followsId()    ? "id"
                 : !G.startsBefore() ? "before"
                 : !G.sumIsPlain()   ? "sum"
                 : !G.factorIsSafe() ? "factor"
                 : !G.bufferIsPlain()
                     ? "buffer"
                     : G.id()->getName().str() + ", " +
                           textOf(*G.before(), Context) + ", " +
                           textOf(G.length(), Context) + ", " +
                           textOf(*G.iterations(), Context);
      });
  return Result;
}

std::string guarded(const std::string &Head, const std::string &Index,
                    const std::string &Added = "in[k]") {
  return read("for (" + Head + ") { int k = " + Index +
              "; if (k >= 0 && k < n) s += " + Added + "; }");
}

} // namespace

TEST(GuardedReduction, TellsHowManyElementsThereMustBe) {
  EXPECT_EQ(guarded("int j = 0; j < 9; ++j", "i + j - 4"), "i, 4, 0 + n, 9");
  EXPECT_EQ(guarded("int j = 2; j <= 9; ++j", "j + x - r"),
            "x, -2 + r, 0 + n, 8");
  EXPECT_EQ(guarded("int j = -r; j <= r; j++", "i + j"),
            "i, 0 + r, 0 + n, 1 + 2 * r");
  EXPECT_EQ(guarded("int j = 0; j < 9; ++j", "i + j"), "i, 0, 0 + n, 9");
}

TEST(GuardedReduction, FindsTheElementBesideItsFactor) {
  EXPECT_EQ(guarded("int j = 0; j < 9; ++j", "i + j - 4", "3 * in[k]"),
            "i, 4, 0 + n, 9");
  EXPECT_EQ(guarded("int j = 0; j < 9; ++j", "i + j - 4", "in[k] * n"),
            "i, 4, 0 + n, 9");
  EXPECT_EQ(guarded("int j = 0; j < 9; ++j", "i + j - 4", "in[k] - 1"),
            "no term");
  EXPECT_EQ(guarded("int j = 0; j < 9; ++j", "i + j - 4", "in[k] * own"),
            "i, 4, 0 + n, 9");
  EXPECT_EQ(guarded("int j = 0; j < 9; ++j", "i + j - 4", "in[k] * k"),
            "factor");
}

TEST(GuardedReduction, SaysWhatDoesNotHold) {
  EXPECT_EQ(guarded("int j = 9; j > 0; --j", "i + j - 4"), "counts");
  EXPECT_EQ(guarded("int j = 0; j < 9; ++j", "i + j - 4", "in[k + 1]"),
            "guard");
  EXPECT_EQ(guarded("int j = 0; j < 9; ++j", "i + 2 * j"), "guard");
  EXPECT_EQ(guarded("int j = 0; j < 9; ++j", "i + x + j"), "id");
  EXPECT_EQ(guarded("int j = 0; j < 9; ++j", "i + j - own"), "id");
  EXPECT_EQ(guarded("int j = 0; j < own; ++j", "i + j - 4"), "id");
  EXPECT_EQ(guarded("int j = 0; j < 9; ++j", "i + j + 1"), "before");
  EXPECT_EQ(guarded("int j = 0; j < 9; ++j", "i + j - 4", "f[k]"), "sum");
}
