// Which expressions are integer constants, and which are written as numbers.
#include "rewrite/ast/Constants.h"
#include "frontend/Parse.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

namespace {

class Returned : public clang::DynamicRecursiveASTVisitor {
public:
  const clang::Expr *Value = nullptr;
  bool VisitReturnStmt(clang::ReturnStmt *R) override {
    Value = R->getRetValue();
    return true;
  }
};

/// The constant that \p Expression is, then a word for each form that it has.
std::string formsOf(const std::string &Expression) {
  Source S{"k.cl",
           "#define N 4\n"
           "enum { Five = 5 };\n"
           "long f(int x) { return " +
               Expression + "; }",
           {}};
  std::string Out = "not parsed";
  frontend::parse(S, {"amdgcn-amd-amdhsa", "gfx906"}, false,
                  [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
                    Returned R;
                    R.TraverseDecl(Context.getTranslationUnitDecl());
                    std::optional<int64_t> Value = constant(R.Value, Context);
                    Out = Value ? std::to_string(*Value) : "varies";
                    if (numberIn(R.Value, /*FromMacros=*/false))
                      Out += " number";
                    else if (numberIn(R.Value, /*FromMacros=*/true))
                      Out += " of-macro";
                    if (isWrittenNumber(R.Value))
                      Out += " written";
                  });
  return Out;
}

} // namespace

TEST(Constants, NumbersOfTheTextAreWritten) {
  EXPECT_EQ(formsOf("3"), "3 number written");
  EXPECT_EQ(formsOf("(3)"), "3 number written");
  EXPECT_EQ(formsOf("-3"), "-3 written");
  EXPECT_EQ(formsOf("16777216"), "16777216 number written");
  EXPECT_EQ(formsOf("16777217"), "16777217 written");
}

TEST(Constants, WhatAnotherBuildMayChangeIsNotWritten) {
  EXPECT_EQ(formsOf("N"), "4 of-macro");
  EXPECT_EQ(formsOf("-N"), "-4");
  EXPECT_EQ(formsOf("Five"), "5");
  EXPECT_EQ(formsOf("N * 2 + 1"), "9");
}

TEST(Constants, VariablesAndEffectsAreNoConstants) {
  EXPECT_EQ(formsOf("x"), "varies");
  EXPECT_EQ(formsOf("(x = 3)"), "varies");
  EXPECT_EQ(formsOf("3 / 0"), "varies");
}

TEST(Constants, LargeUnsignedValuesWrap) {
  EXPECT_EQ(formsOf("4294967295u"), "4294967295 written");
  EXPECT_EQ(formsOf("0xffffffffffffffff"), "-1 written");
}
