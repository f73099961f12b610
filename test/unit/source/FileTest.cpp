// Reading and replacing files.
#include "source/File.h"
#include "source/RealPaths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include <csignal>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>

using namespace clrewrite;

namespace {

class FileTest : public testing::Test {
protected:
  llvm::SmallString<128> Dir;
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("clrewrite-test", Dir));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Dir); }

  std::string path(const char *Name) { return (Dir + "/" + Name).str(); }
  void put(const std::string &Path, const std::string &Text) {
    std::ofstream(Path, std::ios::binary) << Text;
  }
  std::string get(const std::string &Path) {
    auto R = readText(Path);
    return R ? *R : "error: " + llvm::toString(R.takeError());
  }
  bool failed(llvm::Error E) {
    bool Failed = bool(E);
    llvm::consumeError(std::move(E));
    return Failed;
  }
  size_t entries() {
    std::error_code EC;
    size_t N = 0;
    for (llvm::sys::fs::directory_iterator It(Dir, EC), End; It != End;
         It.increment(EC))
      ++N;
    return N;
  }
};

} // namespace

TEST_F(FileTest, ReplacesContentAndKeepsTheMode) {
  put(path("k.cl"), "old");
  ::chmod(path("k.cl").c_str(), 0604);
  ASSERT_FALSE(bool(replaceText(path("k.cl"), "new\r\n")));
  EXPECT_EQ(get(path("k.cl")), "new\r\n");
  struct stat Info;
  ::stat(path("k.cl").c_str(), &Info);
  EXPECT_EQ(Info.st_mode & 07777, 0604u);
  EXPECT_EQ(entries(), 1u); // no temporary file is left
}

TEST_F(FileTest, FollowsALink) {
  put(path("real.cl"), "old");
  ASSERT_EQ(::symlink("real.cl", path("link.cl").c_str()), 0);
  ASSERT_FALSE(bool(replaceText(path("link.cl"), "new")));
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(path("link.cl")));
  EXPECT_EQ(get(path("real.cl")), "new");
}

TEST_F(FileTest, LeavesAReadOnlyFileAlone) {
  put(path("k.cl"), "old");
  ::chmod(path("k.cl").c_str(), 0444);
  llvm::Error E = replaceText(path("k.cl"), "new");
  ASSERT_TRUE(bool(E));
  EXPECT_NE(llvm::toString(std::move(E)).find("is read-only"),
            std::string::npos);
  EXPECT_EQ(get(path("k.cl")), "old");
}

TEST_F(FileTest, RefusesWhatIsNoText) {
  put(path("k.cl"), std::string("ab\0c", 4));
  EXPECT_NE(get(path("k.cl")).find("NUL byte at offset 2"), std::string::npos);
  EXPECT_NE(get(Dir.str().str()).find("is a directory"), std::string::npos);
  EXPECT_NE(get(path("none.cl")).find("no such file"), std::string::npos);
}

TEST_F(FileTest, RefusesWhatIsNoFile) {
  EXPECT_NE(get("/dev/zero").find("is a device"), std::string::npos);
  ASSERT_EQ(::mkfifo(path("pipe.cl").c_str(), 0600), 0);
  llvm::Error E = checkWritable(path("pipe.cl"));
  ASSERT_TRUE(bool(E));
  EXPECT_NE(llvm::toString(std::move(E)).find("is not a regular file"),
            std::string::npos);
}

TEST_F(FileTest, PutsTextWhereThereIsNoFileYet) {
  std::string New = path("new.csv");
  EXPECT_FALSE(bool(putText(New, "first")));
  EXPECT_EQ(llvm::cantFail(readText(New)), "first");
  EXPECT_FALSE(bool(putText(New, "second")));
  EXPECT_EQ(llvm::cantFail(readText(New)), "second");
  EXPECT_FALSE(bool(putText("/dev/null", "anything")));
  llvm::Error E = putText(path("none/new.csv"), "text");
  ASSERT_TRUE(bool(E));
  EXPECT_NE(llvm::toString(std::move(E)).find("no such file"),
            std::string::npos);
}

TEST_F(FileTest, KeepsTheSetIdBits) {
  put(path("k.cl"), "old");
  ASSERT_EQ(::chmod(path("k.cl").c_str(), 02755), 0);
  EXPECT_FALSE(bool(replaceText(path("k.cl"), "new")));
  struct stat Info;
  ASSERT_EQ(::stat(path("k.cl").c_str(), &Info), 0);
  EXPECT_EQ(Info.st_mode & 07777, 02755u);
}

// Attributes and access control lists are lost with the old file, unless they
// are copied.
TEST_F(FileTest, KeepsAttributesAndAccessControlLists) {
  std::string File = path("k.cl");
  put(File, "old");
  // Version 2 of the kernel's list: the owner, user 1234, the group, the mask
  // and others, each as a tag, permissions and an id.
  const unsigned char List[] = {
      2, 0,   0,   0,   1,   0,   6,  0, 255, 255, 255, 255, 2,   0,  6,
      0, 210, 4,   0,   0,   4,   0,  4, 0,   255, 255, 255, 255, 16, 0,
      6, 0,   255, 255, 255, 255, 32, 0, 0,   0,   255, 255, 255, 255};
  if (::setxattr(File.c_str(), "user.author", "me", 2, 0) ||
      ::setxattr(File.c_str(), "system.posix_acl_access", List, sizeof List, 0))
    GTEST_SKIP() << "this file system has no attributes or no lists";
  EXPECT_FALSE(bool(replaceText(File, "new")));
  EXPECT_EQ(get(File), "new");
  char Value[sizeof List + 1];
  ASSERT_EQ(::getxattr(File.c_str(), "user.author", Value, sizeof Value), 2);
  EXPECT_EQ(std::string(Value, 2), "me");
  ASSERT_EQ(
      ::getxattr(File.c_str(), "system.posix_acl_access", Value, sizeof Value),
      ssize_t(sizeof List));
  EXPECT_EQ(std::memcmp(Value, List, sizeof List), 0);
}

TEST_F(FileTest, DoesNotWaitForAPipe) {
  ASSERT_EQ(::mkfifo(path("pipe.cl").c_str(), 0600), 0);
  llvm::Expected<std::string> Text = readText(path("pipe.cl"));
  ASSERT_FALSE(bool(Text));
  EXPECT_NE(llvm::toString(Text.takeError()).find("is a pipe, not a file"),
            std::string::npos);
}

/// Sets a handler of SIGINT as the command line does, which LLVM's then covers.
static void handleInterrupts(void (*Handler)(int)) {
  sigset_t Interrupt;
  ::sigemptyset(&Interrupt);
  ::sigaddset(&Interrupt, SIGINT);
  ::sigprocmask(SIG_BLOCK, &Interrupt, nullptr);
  llvm::sys::unregisterHandlers();
  ::signal(SIGINT, Handler);
  ::sigprocmask(SIG_UNBLOCK, &Interrupt, nullptr);
}

// Ctrl-C ends the search and not the run, so the result is still written. One
// falls into each of these writes, each time a little later.
TEST_F(FileTest, WritesOnThroughInterrupts) {
  put(path("k.cl"), "old");
  ::signal(SIGALRM, [](int) { ::raise(SIGINT); });
  for (int I = 1; I <= 100 && !HasFailure(); ++I) {
    handleInterrupts([](int) {});
    itimerval Once = {{0, 0}, {0, I * 20}}, Never = {};
    ::setitimer(ITIMER_REAL, &Once, nullptr);
    llvm::Error E = replaceText(path("k.cl"), "new" + std::to_string(I));
    ::setitimer(ITIMER_REAL, &Never, nullptr);
    EXPECT_FALSE(bool(E)) << llvm::toString(std::move(E));
  }
  ::signal(SIGALRM, SIG_DFL);
  handleInterrupts(SIG_DFL);
}

// What happens between the last look at a file and its change is no gap.
TEST_F(FileTest, ExchangesOnlyWhatStoodThere) {
  std::string Real = realPath(path("k.cl"));
  put(Real, "old");
  ASSERT_FALSE(bool(exchangeText(path("k.cl"), Real, "old", "new")));
  EXPECT_EQ(get(Real), "new");
  llvm::Error E = exchangeText(path("k.cl"), Real, "old", "newer");
  EXPECT_EQ(llvm::toString(std::move(E)),
            path("k.cl") + ": changed while it was measured, left as it is; "
                           "run again");
  EXPECT_EQ(get(Real), "new");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(FileTest, ExchangesNoLinkToTheSameText) {
  std::string Real = realPath(Dir) + "/k.cl";
  put(path("target"), "old");
  ASSERT_EQ(::symlink("target", path("k.cl").c_str()), 0);
  EXPECT_TRUE(failed(exchangeText("k.cl", Real, "old", "new")));
  EXPECT_EQ(get(path("target")), "old");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(path("k.cl")));
  EXPECT_EQ(entries(), 2u);
}

TEST_F(FileTest, ExchangesNothingThroughAFolderThatIsALinkNow) {
  ASSERT_FALSE(llvm::sys::fs::create_directory(path("away")));
  put(path("away/k.cl"), "old");
  ASSERT_EQ(::symlink("away", path("folder").c_str()), 0);
  std::string Real = realPath(Dir) + "/folder/k.cl";
  EXPECT_TRUE(failed(exchangeText("k.cl", Real, "old", "new")));
  EXPECT_EQ(get(path("away/k.cl")), "old");
}

TEST_F(FileTest, WritesNoReportThroughALinkedFolderOfARepository) {
  ASSERT_FALSE(llvm::sys::fs::create_directories(path("work/.git")));
  ASSERT_FALSE(llvm::sys::fs::create_directories(path("work/own")));
  ASSERT_FALSE(llvm::sys::fs::create_directory(path("home")));
  ASSERT_EQ(::symlink("../home", path("work/out").c_str()), 0);
  ASSERT_EQ(::symlink("own", path("work/in").c_str()), 0);
  EXPECT_TRUE(failed(putText(path("work/out/report"), "text")));
  EXPECT_FALSE(llvm::sys::fs::exists(path("home/report")));
  EXPECT_FALSE(failed(putText(path("work/in/report"), "text")));
  EXPECT_EQ(get(path("work/own/report")), "text");
}

// A walk has found a file; then a link has its name.
TEST_F(FileTest, ReadsWhatAWalkFoundBelowItsFolderAlone) {
  ASSERT_FALSE(llvm::sys::fs::create_directories(path("work/in")));
  ASSERT_FALSE(llvm::sys::fs::create_directories(path("away")));
  const std::string Work = realPath(path("work"));
  auto readWithin = [&](const char *Name) {
    auto R = readText(path(Name), Work);
    return R ? *R : "error: " + llvm::toString(R.takeError());
  };
  put(path("secret"), "secret");
  put(path("away/k.cl"), "secret");
  put(path("work/in/k.cl"), "own");
  EXPECT_EQ(readWithin("work/in/k.cl"), "own");
  ASSERT_EQ(::symlink("in/k.cl", path("work/near.cl").c_str()), 0);
  EXPECT_EQ(readWithin("work/near.cl"), "own");
  ASSERT_EQ(::symlink("../secret", path("work/far.cl").c_str()), 0);
  EXPECT_NE(readWithin("work/far.cl").find("leads out of"), std::string::npos);
  ASSERT_EQ(::symlink("../away", path("work/folder").c_str()), 0);
  EXPECT_NE(readWithin("work/folder/k.cl").find("leads out of"),
            std::string::npos);
  EXPECT_EQ(get(path("work/far.cl")), "secret"); // where the user names it
}

TEST_F(FileTest, ReadsNoRealPathThatBecameALink) {
  ASSERT_FALSE(llvm::sys::fs::create_directories(path("away")));
  put(path("away/k.h"), "secret");
  put(path("k.h"), "own");
  const std::string Top = realPath(Dir);
  auto R = readReal(Top + "/k.h");
  EXPECT_TRUE(R && *R == "own");
  ASSERT_EQ(::unlink(path("k.h").c_str()), 0);
  ASSERT_EQ(::symlink("away/k.h", path("k.h").c_str()), 0);
  ASSERT_EQ(::symlink("away", path("folder").c_str()), 0);
  for (const char *Name : {"/k.h", "/folder/k.h"}) {
    R = readReal(Top + Name);
    EXPECT_FALSE(bool(R));
    llvm::consumeError(R.takeError());
  }
}
