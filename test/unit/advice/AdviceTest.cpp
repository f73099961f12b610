// Every sort of advice keeps the form.
#include "advice/AdviceSort.h"
#include "config/OptionTable.h"
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
