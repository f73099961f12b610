// What is said of the uses of a private array of vectors.
#include "ElementUses.h"
#include "frontend/Parse.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/text/Text.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;
using namespace clrewrite::rewrite::split_array;

namespace {

/// "read a[i].xy 01; call f(a); other &a[1]" for the uses of `a` in \p Body.
std::string uses(const std::string &Body) {
  Source S{"k.cl",
           "float sum(const float4 *p, int n) { return p[n].x + p[0].w; }\n"
           "void add(float4 *q, int n) { q[n] += sum(q, n); }\n"
           "float4 *next(float4 *p) { return p + 1; }\n"
           "kernel void k(global float4 *in, int i) {\n" +
               Body + "\n}",
           {}};
  std::string Out;
  frontend::parse(
      S, {"amdgcn-amd-amdhsa", "gfx906"}, false,
      [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
        const clang::Decl *All = Context.getTranslationUnitDecl();
        const auto *Array = allIn<clang::VarDecl>(All, [](const auto *V) {
                              return V->getName() == "a";
                            }).back();
        const auto *Function =
            allIn<clang::FunctionDecl>(All, [](const auto *F) {
              return F->doesThisDeclarationHaveABody();
            }).back();
        ElementUses U = elementUsesOf(Array, *Function, Context);
        auto add = [&](const std::string &Kind, const clang::Expr *E) {
          Out += (Out.empty() ? "" : "; ") + Kind + " " + spelled(E, Context);
        };
        for (const ElementUse &E : U.Elements) {
          add(E.Kind == ElementUse::Lane   ? "lane"
              : E.Kind == ElementUse::Read ? "read"
                                           : "store",
              E.Whole);
          Out += " ";
          for (unsigned Lane : E.Lanes)
            Out += std::to_string(Lane);
        }
        for (const ArrayCall &C : U.Calls)
          add(C.ReadsOnly ? "read by" : "call", C.Call);
        if (U.Other)
          add("other", U.Other);
      });
  return Out;
}

TEST(ElementUses, FollowLanes) {
  EXPECT_EQ(uses("float4 a[2]; a[i].y += a[1].wzyx.hi.x * a[0][2];"),
            "lane a[i].y 1; lane a[1].wzyx.hi.x 1; lane a[0][2] 2");
  EXPECT_EQ(uses("float4 a[2]; a[i] = a[0].xxyy; (a[1]).odd *= in[i].xy;"),
            "store a[i] 0123; read a[0].xxyy 0011; store (a[1]).odd 13");
  EXPECT_EQ(uses("float3 a[2]; in[0].xy = a[i].hi;"), "other a[i].hi");
  EXPECT_EQ(uses("float4 a[2]; in[0].x = a[1][i];"), "other a[1][i]");
}

TEST(ElementUses, FollowArraysOfArraysAndLists) {
  EXPECT_EQ(uses("int2 a[2][3]; a[i][1] = 0; a[0][i].x++;"),
            "store a[i][1] 01; lane a[0][i].x 0");
  EXPECT_EQ(uses("float4 a[2]; float4 b[2] = {a[i], (a[0])};"),
            "read a[i] 0123; read (a[0]) 0123");
}

TEST(ElementUses, LookIntoFunctions) {
  EXPECT_EQ(uses("float4 a[2]; in[i].x = sum(a, i); add(a, 1);"),
            "read by sum(a, i); call add(a, 1)");
  EXPECT_EQ(uses("float4 a[2]; next(a);"), "other a");
  EXPECT_EQ(uses("float4 a[2]; vstore4(a[i], 0, (private float *)a);"),
            "read a[i] 0123; other (private float *)a");
}

TEST(ElementUses, TellWhatIsSomethingElse) {
  EXPECT_EQ(uses("float4 a[2]; float4 *p = &a[1];"), "other &a[1]");
  EXPECT_EQ(uses("float4 a[2]; in[i] = *a;"), "other *a");
  EXPECT_EQ(uses("int2 a[2]; a[i]++;"), "other a[i]++");
  EXPECT_EQ(uses("float4 a[2]; in[i].x = sizeof(a[i]);"), "other sizeof(a[i])");
}

} // namespace
