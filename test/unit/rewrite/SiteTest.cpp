// Conditions of a rewrite share the analysis of their site.
#include "frontend/Parse.h"
#include "rewrite/Rewrite.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

namespace {

unsigned Asked = 0;

std::string nameOf(const Site &S) {
  ++Asked;
  return S.Function.getNameAsString();
}

std::string twice(const Site &S) { return S.once<nameOf>() + S.once<nameOf>(); }

class Functions : public clang::DynamicRecursiveASTVisitor {
public:
  std::vector<clang::FunctionDecl *> Found;
  bool VisitFunctionDecl(clang::FunctionDecl *F) override {
    if (F->hasBody()) // The compiler declares printf itself.
      Found.push_back(F);
    return true;
  }
};

} // namespace

TEST(Site, AnAnalysisIsMadeOncePerSite) {
  Source S{"k.cl", "void f(void) {} void g(void) {}", {}};
  std::string Said;
  Asked = 0;
  frontend::parse(S, {"amdgcn-amd-amdhsa", "gfx906"}, false,
                  [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
                    Functions All;
                    All.TraverseDecl(Context.getTranslationUnitDecl());
                    for (clang::FunctionDecl *F : All.Found) {
                      Site At{{clang::DynTypedNode::create(*F)}, Context, *F};
                      Said += At.once<twice>() + At.once<twice>() +
                              At.once<nameOf>() + " ";
                    }
                  });
  EXPECT_EQ(Said, "fffff ggggg ");
  EXPECT_EQ(Asked, 2u);
}
