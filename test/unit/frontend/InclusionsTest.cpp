// Which files a source includes.
#include "frontend/Inclusions.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::frontend;

namespace {

class InclusionsTest : public testing::Test {
protected:
  llvm::SmallString<128> Folder;
  void SetUp() override {
    llvm::sys::fs::createUniqueDirectory("inclusions", Folder);
    write("once.h", "#pragma once\n#include \"inner.h\"\nint once;\n");
    write("inner.h", "int inner;\n");
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Folder); }

  std::string path(llvm::StringRef Name) const {
    return (Folder + "/" + Name).str();
  }
  void write(llvm::StringRef Name, llvm::StringRef Text) {
    std::error_code E;
    llvm::raw_fd_ostream(path(Name), E) << Text;
  }
  Inclusions seen(const std::string &Text,
                  std::vector<std::string> Options = {}) {
    return inclusionsOf({path("main.cl"), Text, std::move(Options)},
                        {"amdgcn-amd-amdhsa", "gfx906"});
  }
};

} // namespace

TEST_F(InclusionsTest, EntersAndSkips) {
  std::string Text = "int a;\n# include \"once.h\" /* x\n */\n"
                     "#include \"once.h\" // y";
  Inclusions I = seen(Text);
  EXPECT_FALSE(I.Failed);
  // The first is Clang's own header.
  ASSERT_EQ(I.List.size(), 4u);
  EXPECT_TRUE(I.List[0].System);
  const Inclusion &Once = I.List[1], &Inner = I.List[2], &Again = I.List[3];
  EXPECT_EQ(Text.substr(Once.Begin, Once.End - Once.Begin),
            "# include \"once.h\" /* x\n */");
  EXPECT_EQ(Once.Line, 3u);
  EXPECT_TRUE(Once.Entered);
  EXPECT_EQ(Inner.Within, std::optional<size_t>(1));
  EXPECT_EQ(Inner.Begin, 13u);
  EXPECT_FALSE(Again.Entered);
  EXPECT_EQ(Again.End, Text.size());
}

TEST_F(InclusionsTest, KnowsWhereDeclarationsEnd) {
  auto Scope = [&](const std::string &Before) {
    return seen(Before + "\n#include \"inner.h\"\n").List.back().AtFileScope;
  };
  EXPECT_TRUE(Scope(""));
  EXPECT_TRUE(Scope("void f() { if (1) {} }"));
  EXPECT_FALSE(Scope("void f() {"));
  EXPECT_FALSE(Scope("struct s { int a; "));
  EXPECT_FALSE(Scope("constant"));
  EXPECT_FALSE(Scope("int a[] = {"));
}

TEST_F(InclusionsTest, SystemFoldersAndOptions) {
  Inclusions I = seen("#include <inner.h>\n", {"-isystem", Folder.str().str(),
                                               "-include", path("once.h")});
  ASSERT_EQ(I.List.size(), 4u);
  EXPECT_EQ(I.List[1].End, 0u);
  EXPECT_FALSE(I.List[1].System);
  EXPECT_TRUE(I.List.back().System);
}

TEST_F(InclusionsTest, TheSameTokensAreTheSameProgram) {
  EXPECT_EQ(seen("#include \"inner.h\"\nint a;").Tokens,
            seen("int inner; // as there\nint a;").Tokens);
  EXPECT_NE(seen("#include \"inner.h\"\nint a;").Tokens,
            seen("int inner; int b;").Tokens);
  EXPECT_TRUE(seen("#include \"none.h\"\n").Failed);
}
