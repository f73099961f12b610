// Every rewrite keeps the form: name, page and test agree.
#include "rewrite/Registry.h"
#include "rewrite/Rewrite.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;
using llvm::StringRef;

static std::string stemOf(StringRef Name) {
  std::string Stem;
  llvm::SmallVector<StringRef> Parts;
  Name.split(Parts, '-');
  for (StringRef P : Parts)
    Stem += llvm::toUpper(P[0]) + P.drop_front().str();
  return Stem;
}

static std::string fileText(const std::string &Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

TEST(Registry, NamesPagesAndTestsAgree) {
  std::string Root = CLREWRITE_SOURCE_DIR;
  ASSERT_FALSE(allRewrites().empty());
  ASSERT_EQ(allRewrites().size(), rewritePages().size());
  for (auto [R, Page] : llvm::zip(allRewrites(), rewritePages())) {
    SCOPED_TRACE(R->Name);
    std::string Stem = stemOf(R->Name);
    std::string Folder = Root + "/rewrites/" + R->Name + "/";
    EXPECT_NE(fileText(Folder + Stem + ".cpp"), "");
    // The page's first line is the summary.
    std::string Summary = StringRef(Page).split('\n').first.str();
    EXPECT_EQ(StringRef(Summary).lower(),
              StringRef(std::string(R->Summary) + ".").lower());
    for (const Hint &H : R->Hints)
      EXPECT_GE(StringRef(H.Lines).count('\n'), 4u) << H.Lines;
    std::string Test = fileText(Folder + Stem + ".cl");
    StringRef Declines = StringRef(Test).split("//--- declines.cl").second;
    for (const Condition &C : R->Conditions) {
      EXPECT_TRUE(Declines.contains(C.Sentence)) << C.Sentence;
      EXPECT_TRUE(StringRef(Page).contains(C.Sentence)) << C.Sentence;
      EXPECT_FALSE(StringRef(C.Sentence).ends_with(".")) << C.Sentence;
      EXPECT_TRUE(llvm::isLower(C.Sentence[0])) << C.Sentence;
      // Whoever uses a macro is told what to do about it.
      EXPECT_TRUE(C.Remedy || !StringRef(C.Sentence).contains("macro"))
          << C.Sentence;
      StringRef Remedy = C.Remedy ? C.Remedy : "do";
      EXPECT_TRUE(llvm::isLower(Remedy[0]) && !Remedy.ends_with("."))
          << Remedy.str();
    }
  }
}
