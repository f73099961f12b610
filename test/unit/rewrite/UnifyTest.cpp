// Several similar expressions as one.
#include "rewrite/text/Unify.h"
#include "frontend/Parse.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

namespace {

/// Collects the right-hand sides of all assignments.
class Values : public clang::DynamicRecursiveASTVisitor {
public:
  std::vector<const clang::Expr *> List;
  bool VisitBinaryOperator(clang::BinaryOperator *B) override {
    if (B->getOpcode() == clang::BO_Assign)
      List.push_back(B->getRHS());
    return true;
  }
};

/// What unified() makes of the values assigned in \p Body.
std::string unify(const std::string &Body) {
  Source S{"k.cl",
           "__kernel void k(__global const float *p, int a, int b, int c, int "
           "x) { float4 v; float4 w; " +
               Body + " }",
           {}};
  std::string Result = "not called";
  frontend::parse(S, {"amdgcn-amd-amdhsa", "gfx906"}, false,
                  [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
                    Values V;
                    V.TraverseDecl(Context.getTranslationUnitDecl());
                    Result = unified(V.List, "i", Context).value_or("none");
                  });
  return Result;
}

} // namespace

TEST(Unify, OneScalarDiffers) {
  EXPECT_EQ(unify("v = vload4(x, p + a); v = vload4(x, p + b);"),
            "vload4(x, p + (i ? b : a))");
  EXPECT_EQ(unify("v = vload4(x, p + a); v = vload4(x, p + b * c);"
                  "v = vload4(x, p + c);"),
            "vload4(x, p + (i == 0 ? a : i == 1 ? (b * c) : c))");
}

TEST(Unify, APointerMayDiffer) {
  EXPECT_EQ(unify("v = vload4(x, p - a); v = vload4(x, p + b);"),
            "vload4(x, (i ? (p + b) : (p - a)))");
}

TEST(Unify, LiteralsInEvenSteps) {
  EXPECT_EQ(unify("v = vload4(0, p); v = vload4(1, p); v = vload4(2, p);"),
            "vload4((i), p)");
  EXPECT_EQ(unify("v = vload4(8, p); v = vload4(4, p);"),
            "vload4((8 + -4 * i), p)");
}

TEST(Unify, SumsInEvenSteps) {
  EXPECT_EQ(unify("v = vload4(x - 1, p); v = vload4(x, p);"
                  "v = vload4(x + 1, p);"),
            "vload4((x + (-1 + i)), p)");
  EXPECT_EQ(unify("v = vload4(x, p + a); v = vload4(x, p + 2 * a);"
                  "v = vload4(x, p + 3 * a);"),
            "vload4(x, (p + (1 + i) * a))");
  EXPECT_EQ(unify("v = vload4(x, p); v = vload4(x, p + a);"
                  "v = vload4(x, p + a * 2);"),
            "vload4(x, (p + i * a))");
  // -1 * a overflows where p - a does not.
  EXPECT_EQ(unify("v = vload4(x, p - a); v = vload4(x, p);"
                  "v = vload4(x, p + a);"),
            "vload4(x, (i == 0 ? (p - a) : i == 1 ? p : (p + a)))");
}

TEST(Unify, SeveralPlaces) {
  EXPECT_EQ(unify("v = vload4(a, p + a) * 2.0f; v = vload4(b, p + b) * 3.0f;"),
            "vload4((i ? b : a), p + (i ? b : a)) * (i ? 3.0f : 2.0f)");
  EXPECT_EQ(unify("v = p[a] * -2.0f; v = p[b] * 2.0f; v = p[c] * 2.0f;"),
            "p[(i == 0 ? a : i == 1 ? b : c)] * (i == 0 ? (-2.0f) : 2.0f)");
}

TEST(Unify, FloatsAreNotTakenFromTheirNeighbours) {
  // A product in a select could not be contracted with the sum around it.
  EXPECT_EQ(unify("v = vload4(x, p) + p[0] * p[1]; v = vload4(x, p) + p[0];"),
            "none");
  // Division by a constant may be done otherwise.
  EXPECT_EQ(unify("v = vload4(x, p) / 3.0f; v = vload4(x, p) / 5.0f;"), "none");
  EXPECT_EQ(unify("v = vload4(a, p) / 3.0f; v = vload4(b, p) / 3.0f;"),
            "vload4((i ? b : a), p) / 3.0f");
}

TEST(Unify, DeclinesWhatDiffersElsewhere) {
  EXPECT_EQ(unify("v = vload4(x, p); v = vload4(x, p);"), "none");
  EXPECT_EQ(unify("v = vload4(x, p) * v; v = vload4(x, p) * w;"), "none");
  EXPECT_EQ(unify("v = vload4(x++, p); v = vload4(x--, p);"), "none");
}
