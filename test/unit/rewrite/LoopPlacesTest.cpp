// Which places a loop accesses as a run of neighbours, turn by turn.
#include "rewrite/affine/LoopPlaces.h"
#include "FunctionK.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

namespace {

class Nodes : public clang::DynamicRecursiveASTVisitor {
public:
  const clang::ForStmt *Loop = nullptr;
  const clang::Expr *Place = nullptr;
  bool VisitForStmt(clang::ForStmt *S) override {
    if (!Loop)
      Loop = S;
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *C) override {
    const clang::Expr *E = C->getSubExpr()->IgnoreParens();
    bool Loads = C->getCastKind() == clang::CK_LValueToRValue &&
                 E->getType().getAddressSpace() == clang::LangAS::opencl_global;
    if (Loads)
      Place = E;
    return true;
  }
};

/// What the last load of global memory in \p Body is to the first loop: "run",
/// "run in uint", "steady", "affine", or nothing; and whether each turn has it.
std::string place(const std::string &Body) {
  std::string Out;
  eachK("kernel void k(global int *p, global int (*rows)[8], int n, uint u, "
        "long z, ulong s) {\n"
        "  int i = get_global_id(0), v = 0;\n" +
            Body + "\n p[0] = v; }",
        [&](const clang::FunctionDecl &F, clang::ASTContext &Context) {
          Nodes Found;
          Found.TraverseStmt(F.getBody());
          LoopPlaces Places(*Found.Loop, F, Context);
          if (auto Run = Places.runOf(Found.Place))
            Out = Run->Wraps ? "run in uint" : "run";
          else if (Places.isAffine(Found.Place, /*Steady=*/true))
            Out = "steady";
          else if (Places.isAffine(Found.Place, /*Steady=*/false))
            Out = "affine";
          if (!Places.isInEachTurn(Found.Place))
            Out += ", in some turns";
        });
  return Out;
}

std::string loop(const std::string &What, const char *Type = "int") {
  return std::string("for (") + Type + " j = 0; j < n; j++) { " + What + " }";
}

} // namespace

TEST(LoopPlaces, NeighboursAreARun) {
  for (const char *At :
       {"p[j]", "p[i * n + j]", "p[j + 7 - i]", "*(p + i + j)", "(p + i)[j]",
        "rows[i][j]", "p[(z + 1) * n + j]", "p[s * n + (j)]"})
    EXPECT_EQ(place(loop(std::string("v += ") + At + ";")), "run") << At;
}

TEST(LoopPlaces, OtherStepsAreNone) {
  EXPECT_EQ(place(loop("v += p[i];")), "steady");
  for (const char *At : {"p[2 * j]", "p[n - j]", "p[j * n + i]", "p[j + j]",
                         "rows[j][i]", "*(p + n * j)"})
    EXPECT_EQ(place(loop(std::string("v += ") + At + ";")), "affine") << At;
  for (const char *At :
       {"p[j * j]", "p[j & 7]", "p[(uchar)j]", "p[(short)(j + i)]", "p[v + j]"})
    EXPECT_EQ(place(loop(std::string("v += ") + At + ";")), "") << At;
}

TEST(LoopPlaces, SumsInUintWrap) {
  EXPECT_EQ(place(loop("v += p[u + j];")), "run in uint");
  EXPECT_EQ(place(loop("v += p[j];")), "run");
  EXPECT_EQ(place("for (uint j = 0; j < u; j++) v += p[i * u + j];"),
            "run in uint");
  // Converted to 64 bits before it is added.
  EXPECT_EQ(place("for (uint j = 0; j < u; j++) v += p[s * u + j];"), "run");
  EXPECT_EQ(place(loop("v += p[(ulong)(u + j)];")), "");
}

TEST(LoopPlaces, VariablesOfTheBodyStandForTheirValues) {
  EXPECT_EQ(place(loop("const int at = i * n + j; v += p[at];")), "run");
  EXPECT_EQ(place(loop("global int *row = p + i * n; v += row[j];")), "run");
  EXPECT_EQ(place(loop("int at = j; at += n; v += p[at];")), "");
  EXPECT_EQ(place(loop("short at = j; v += p[at];")), "");
}

TEST(LoopPlaces, TheHeadMustCount) {
  for (const char *Head :
       {"for (int j = 0; j < n; j += 2)", "for (int j = n; j > 0; --j)",
        "for (uchar j = 0; j < n; j++)", "for (uint j = 0; j <= u; j++)",
        "for (int j = 0; j < p[1]; j++)", "for (int j = 0; j != n; j++)"})
    EXPECT_EQ(place(std::string(Head) + " v += p[j];"), "") << Head;
}

TEST(LoopPlaces, WhatATurnMayLeaveOut) {
  EXPECT_EQ(place(loop("if (v) v += p[j];")), "run, in some turns");
  EXPECT_EQ(place(loop("v += v ? p[j] : 1;")), "run, in some turns");
  EXPECT_EQ(place(loop("v += v && p[j];")), "run, in some turns");
  EXPECT_EQ(place(loop("for (int m = 0; m < i; m++) v += p[j];")),
            "run, in some turns");
  EXPECT_EQ(place(loop("if (p[j]) v++;")), "run");
}
