// What Clang may read, also where the tree changes while it is read.
#include "frontend/GuardedFiles.h"
#include "source/File.h"
#include "source/RealPaths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace clrewrite;
using namespace clrewrite::frontend;
using namespace llvm;

namespace {

class GuardedFilesTest : public testing::Test {
protected:
  std::string Top; ///< holds secret.h, and the repository `work`

  void SetUp() override {
    SmallString<128> Folder;
    ASSERT_FALSE(sys::fs::createUniqueDirectory("guarded", Folder));
    Top = realPath(Folder);
    put("secret.h", "SECRET");
    put("work/.git/HEAD", "");
    put("work/src/a.cl", "kernel");
    put("work/include/own.h", "OWN");
    put("sdk/sub/sdk.h", "SDK");
  }
  void TearDown() override { sys::fs::remove_directories(Top); }

  void put(StringRef Name, StringRef Text) {
    ASSERT_FALSE(errorToBool(putInFolders(path(Name), Text)));
  }
  std::string path(const Twine &Name) const { return (Top + "/" + Name).str(); }
  void link(StringRef Name, StringRef To) {
    ASSERT_EQ(::symlink(path(To).c_str(), path(Name).c_str()), 0);
  }
  void replaceByLink(StringRef Name, StringRef To) {
    ASSERT_EQ(::rename(path(Name).c_str(), path(Name + ".was").c_str()), 0);
    link(Name, To);
  }
  GuardedFiles guard(std::vector<std::string> Options = {}) const {
    return GuardedFiles(path("work/src/a.cl"), Options, "/nowhere");
  }
  /// The bytes, or "" where they are not read.
  std::string read(GuardedFiles &Files, StringRef Name) const {
    auto File = Files.openFileForRead(path(Name));
    if (!File)
      return "";
    auto Text = (*File)->getBuffer(Name);
    return Text ? (*Text)->getBuffer().str() : "";
  }
  std::string read(StringRef Name) const {
    GuardedFiles Files = guard();
    return read(Files, Name);
  }
};

} // namespace

TEST_F(GuardedFilesTest, ReadsTheRepository) {
  EXPECT_EQ(read("work/include/own.h"), "OWN");
  link("work/src/in.h", "work/include/own.h");
  EXPECT_EQ(read("work/src/in.h"), "OWN");
  EXPECT_EQ(read("secret.h"), "");
  link("work/src/out.h", "secret.h");
  EXPECT_EQ(read("work/src/out.h"), "");
}

// Between the look and the opening.
TEST_F(GuardedFilesTest, AFileThatBecomesALinkIsNotRead) {
  GuardedFiles Files = guard();
  auto At = Files.placeOf(path("work/include/own.h"));
  ASSERT_TRUE(At);
  EXPECT_TRUE(Files.open(*At));
  replaceByLink("work/include/own.h", "secret.h");
  EXPECT_FALSE(Files.open(*At));
  EXPECT_EQ(errno, ELOOP);
}

TEST_F(GuardedFilesTest, AFolderThatBecomesALinkIsNotEntered) {
  put("other/own.h", "SECRET");
  GuardedFiles Files = guard();
  auto At = Files.placeOf(path("work/include/own.h"));
  ASSERT_TRUE(At);
  replaceByLink("work/include", "other");
  EXPECT_FALSE(Files.open(*At));
}

// The repository's own folder is as it was when it was first read.
TEST_F(GuardedFilesTest, ARepositoryThatBecomesALinkIsNotEntered) {
  put("other/include/own.h", "SECRET");
  GuardedFiles Before = guard(), After = guard();
  EXPECT_EQ(read(Before, "work/include/own.h"), "OWN");
  auto At = After.placeOf(path("work/include/own.h"));
  ASSERT_TRUE(At);
  replaceByLink("work", "other");
  EXPECT_FALSE(After.open(*At));
  FileHandle Kept = Before.open(*At); // it went with the folder
  EXPECT_TRUE(Kept);
}

// What is read is what was looked at, whatever has its name by then.
TEST_F(GuardedFilesTest, ReadsFromTheHandleThatWasLookedAt) {
  GuardedFiles Files = guard();
  auto File = Files.openFileForRead(path("work/include/own.h"));
  ASSERT_TRUE(bool(File));
  replaceByLink("work/include/own.h", "secret.h");
  auto Text = (*File)->getBuffer("own.h");
  ASSERT_TRUE(bool(Text));
  EXPECT_EQ((*Text)->getBuffer(), "OWN");
}

// Links of a folder that -I names, outside of the repository, are the user's
// own; but nothing leads up from it.
TEST_F(GuardedFilesTest, NamedFoldersLeadNowhereElse) {
  GuardedFiles Files = guard({"-I" + path("sdk")});
  EXPECT_EQ(read(Files, "sdk/sub/sdk.h"), "SDK");
  EXPECT_EQ(read(Files, "sdk/sub/../sub/sdk.h"), "SDK");
  link("sdk/link.h", "secret.h");
  EXPECT_EQ(read(Files, "sdk/link.h"), "SECRET");
  EXPECT_EQ(read(Files, "sdk/../secret.h"), "");
  EXPECT_EQ(read(Files, "sdk/sub/../../secret.h"), "");
  EXPECT_FALSE(Files.mayRead(path("sdk/../secret.h")));
  std::vector<std::string> Why = Files.takeRefusals();
  ASSERT_FALSE(Why.empty());
  EXPECT_NE(Why.front().find("lies outside of"), std::string::npos);
}

TEST_F(GuardedFilesTest, ReadsNoPipe) {
  ASSERT_EQ(::mkfifo(path("work/src/pipe.h").c_str(), 0600), 0);
  GuardedFiles Files = guard();
  EXPECT_EQ(read(Files, "work/src/pipe.h"), "");
  std::vector<std::string> Why = Files.takeRefusals();
  ASSERT_EQ(Why.size(), 1u);
  EXPECT_NE(Why.front().find("is no regular file"), std::string::npos);
}
