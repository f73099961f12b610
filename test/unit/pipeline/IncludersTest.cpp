// Who else includes a header.
#include "pipeline/Includers.h"
#include "source/File.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::pipeline;
using namespace llvm;

namespace {

class IncludersTest : public testing::Test {
protected:
  void SetUp() override {
    SmallString<128> Made, Real;
    ASSERT_FALSE(sys::fs::createUniqueDirectory("includers", Made));
    ASSERT_FALSE(sys::fs::real_path(Made, Real));
    Root = Real.str().str();
    put("sum.h", "int sum(int);\n");
    put("a.cl", "#include \"sum.h\"\n");
  }
  void TearDown() override { sys::fs::remove_directories(Root); }
  void put(const char *Name, StringRef Text) {
    ASSERT_FALSE(errorToBool(putInFolders(Root + "/" + Name, Text)));
  }
  std::string in(const char *Name) const { return Root + "/" + Name; }

  std::string Root;
};

TEST(Includers, ReadsDirectives) {
  EXPECT_EQ(includedPaths("#include \"a/b.h\"\n# include <c.h>\n"),
            (std::vector<std::string>{"a/b.h", "c.h"}));
}

TEST_F(IncludersTest, KnownOnesAreNoOthers) {
  EXPECT_EQ(Includers(Root).unknown(in("sum.h"), {in("a.cl")}), "");
  EXPECT_EQ(Includers(Root).unknown(in("sum.h"), {}), in("a.cl"));
}

TEST_F(IncludersTest, HostProgramsCount) {
  put("host/main.c", "#include \"../sum.h\"\n");
  EXPECT_EQ(Includers(Root).unknown(in("sum.h"), {in("a.cl")}),
            in("host/main.c"));
}

TEST_F(IncludersTest, AHeaderMayBringItIn) {
  put("more.h", "#include \"sum.h\"\n");
  put("b.cl", "#include \"more.h\"\n");
  EXPECT_EQ(Includers(Root).unknown(in("sum.h"), {in("a.cl"), in("more.h")}),
            in("b.cl"));
}

TEST_F(IncludersTest, OthersOfThatNameAreOthers) {
  put("other/sum.h", "int sum(int);\n");
  put("other/b.cl", "#include \"sum.h\"\n");
  EXPECT_EQ(Includers(Root).unknown(in("sum.h"), {in("a.cl")}), "");
  // Found by -I, it may be either.
  put("third/c.cl", "#include <sum.h>\n");
  EXPECT_EQ(Includers(Root).unknown(in("sum.h"), {in("a.cl")}),
            in("third/c.cl"));
}

} // namespace
