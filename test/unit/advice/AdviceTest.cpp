// Every sort of advice keeps the form; strides as they are read off indices.
#include "advice/AdviceSort.h"
#include "advice/Strides.h"
#include "config/OptionTable.h"
#include "frontend/Parse.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::advice;
using llvm::StringRef;

static std::string fileText(const std::string &Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

TEST(Advice, NamesPagesAndTestsAgree) {
  std::string Root = CLREWRITE_SOURCE_DIR;
  ASSERT_FALSE(allAdvice().empty());
  ASSERT_EQ(allAdvice().size(), advicePages().size());
  for (auto [Sort, Page] : llvm::zip(allAdvice(), advicePages())) {
    SCOPED_TRACE(Sort->Name);
    std::string Stem;
    llvm::SmallVector<StringRef> Parts;
    StringRef(Sort->Name).split(Parts, '-');
    for (StringRef P : Parts)
      Stem += llvm::toUpper(P[0]) + P.drop_front().str();
    std::string Folder = Root + "/advice/" + Sort->Name + "/";
    EXPECT_NE(fileText(Folder + Stem + ".cpp"), "");
    EXPECT_NE(fileText(Folder + Stem + ".cl"), "");
    EXPECT_EQ(StringRef(Page).split('\n').first.lower(),
              StringRef(std::string(Sort->Summary) + ".").lower());
    EXPECT_TRUE(
        StringRef(fileText(Root + "/docs/advise.md")).contains(Sort->Name));
  }
}

TEST(Advice, SortsByName) {
  auto count = [](std::vector<std::string> Words) {
    return llvm::cantFail(config::adviceNamed(Words)).size();
  };
  EXPECT_EQ(count({}), 0u);
  EXPECT_EQ(count({"all"}), allAdvice().size());
  EXPECT_EQ(count({"fast-math", "fast-math", "private-array"}), 2u);
  EXPECT_EQ(count({"all", "off"}), 0u);
  auto Wrong = config::adviceNamed({"fastmath"});
  ASSERT_FALSE(Wrong);
  EXPECT_TRUE(StringRef(llvm::toString(Wrong.takeError()))
                  .starts_with("unknown sort of advice 'fastmath'; did you "
                               "mean 'fast-math'?"));
}

namespace {

class Subscripts : public clang::DynamicRecursiveASTVisitor {
public:
  const clang::ArraySubscriptExpr *Last = nullptr;
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *A) override {
    Last = A;
    return true;
  }
};

/// By how much the index of the last subscript in \p Body moves; "?" where
/// that can't be told.
std::string strideOf(const std::string &Body, Mover::Kinds Kind = Mover::Lane) {
  Source S{"k.cl",
           "__kernel void k(__global int *a, int n, int m) {\n" + Body + "\n}",
           {}};
  std::string Out = "not parsed";
  frontend::parse(S, {"amdgcn-amd-amdhsa", "gfx906"}, false,
                  [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
                    Program P(Context);
                    Subscripts Found;
                    Found.TraverseDecl(Context.getTranslationUnitDecl());
                    std::optional<Stride> Moves =
                        Strides(P, {Kind}, nullptr).of(Found.Last->getIdx());
                    Out = Moves ? Moves->text() : "?";
                  });
  return Out;
}

} // namespace

TEST(Strides, SumsAndProducts) {
  EXPECT_EQ(strideOf("a[get_global_id(0)] = 0;"), "1");
  EXPECT_EQ(strideOf("a[n - 2 * (int)get_local_id(0)] = 0;"), "-2");
  EXPECT_EQ(strideOf("a[(get_global_id(0) + 1) * n + m] = 0;"), "n");
  EXPECT_EQ(strideOf("a[get_global_id(0) * n * m] = 0;"), "n*m");
  EXPECT_EQ(strideOf("a[get_global_id(0) * n + get_global_id(0)] = 0;"),
            "n + 1");
  EXPECT_EQ(strideOf("int x = get_global_id(0); a[x * n - x * n + x] = 0;"),
            "1");
  EXPECT_EQ(strideOf("a[get_global_id(0) << 3] = 0;"), "8");
  EXPECT_EQ(strideOf("a[get_global_id(1) * n + get_group_id(0)] = 0;"), "0");
  EXPECT_EQ(strideOf("a[get_global_id(1) * n] = 0;", Mover::Row), "n");
}

TEST(Strides, WhatCannotBeTold) {
  EXPECT_EQ(strideOf("a[get_global_id(0) % n] = 0;"), "?");
  EXPECT_EQ(strideOf("a[get_global_id(0) * get_local_id(0)] = 0;"), "?");
  EXPECT_EQ(strideOf("int x = get_global_id(0); x *= 2; a[x] = 0;"), "?");
  EXPECT_EQ(strideOf("int x = get_global_id(0); int *p = &x; *p = 1; a[x] = "
                     "0;"),
            "?");
  EXPECT_EQ(strideOf("a[get_global_id(n)] = 0;"), "?");
  EXPECT_EQ(strideOf("int x; if (n) x = get_global_id(0); else x = n; a[x] = "
                     "0;"),
            "?");
  // Of what was loaded from one place by all, nothing moves.
  EXPECT_EQ(strideOf("int x = a[n]; a[x] = 0;"), "0");
  EXPECT_EQ(strideOf("int x = a[get_global_id(0)]; a[x] = 0;"), "?");
}

TEST(Strides, VariablesThatStep) {
  EXPECT_EQ(strideOf("for (int i = get_global_id(0); i < n; i += m) a[i] = 0;"),
            "1");
  EXPECT_EQ(strideOf("int i = get_global_id(0) * 4; while (i < n) { ++i; a[i] "
                     "= 0; }"),
            "4");
  EXPECT_EQ(strideOf("int i = 0; for (int k = 0; k < n; ++k) { i += "
                     "get_global_id(0); a[i] = 0; }"),
            "?");
  EXPECT_EQ(strideOf("int x = 0; x = x + 1; a[x] = 0;"), "?");
}
