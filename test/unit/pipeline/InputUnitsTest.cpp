// From paths to what is rewritten.
#include "pipeline/InputUnits.h"
#include "../OnPath.h"
#include "pipeline/FileText.h"
#include "source/File.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace clrewrite;
using namespace clrewrite::pipeline;
using namespace llvm;

// A pipe in the place of git's index: git waits for a writer, and there is
// none.
TEST(InputUnits, DoNotWaitForAGitThatWaits) {
  if (!sys::findProgramByName("git"))
    GTEST_SKIP() << "git is not installed";
  SmallString<128> Root;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("input-units", Root));
  auto Put = [&](const char *Name, StringRef Text) {
    ASSERT_FALSE(errorToBool(putInFolders((Root + Name).str(), Text)));
  };
  Put("/.git/HEAD", "ref: refs/heads/main\n");
  Put("/.git/objects/none", "");
  Put("/.git/refs/none", "");
  Put("/k.cl", "kernel void k(global int *p) { p[0] = 1; }\n");
  ASSERT_EQ(::mkfifo((Root + "/.git/index").str().c_str(), 0600), 0);
  std::vector<std::string> Notes;
  Expected<std::vector<Unit>> Units =
      inputUnits({Root.str().str()}, Notes, std::nullopt, {}, /*GitSeconds=*/1);
  ASSERT_TRUE(bool(Units));
  ASSERT_EQ(Units->size(), 1u);
  EXPECT_EQ(Units->front().Path, (Root + "/k.cl").str());
  EXPECT_EQ(Notes, std::vector<std::string>{
                       (Root + ": git ls-files took longer than 1 s, so files "
                               "that git ignores are looked at as well")
                           .str()});
  sys::fs::remove_directories(Root);
}

#if !__has_feature(address_sanitizer)
TEST(InputUnits, GitHasALimitOfMemory) {
  test::OnPath Fake("git", "ulimit -v >$(dirname $0)/said");
  ASSERT_FALSE(errorToBool(putText(
      Fake.path("k.cl"), "kernel void k(global int *p) { *p = 1; }\n")));
  std::vector<std::string> Notes;
  Expected<std::vector<Unit>> Units =
      inputUnits({llvm::sys::path::parent_path(Fake.path("x")).str()}, Notes);
  ASSERT_TRUE(bool(Units));
  EXPECT_EQ(Units->size(), 1u);
  EXPECT_EQ(cantFail(readText(Fake.path("said"))), "4194304\n");
}
#endif

// What a walk found is read beneath its folder, also later.
TEST(InputUnits, FoundInAFolderAreReadBeneathIt) {
  SmallString<128> Root;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("input-units", Root));
  auto Path = [&](const char *Name) { return (Root + Name).str(); };
  auto Put = [&](const char *Name) {
    ASSERT_FALSE(errorToBool(putInFolders(
        Path(Name), "kernel void k(global int *p) { p[0] = 1; }\n")));
  };
  Put("/work/k.cl");
  Put("/secret.cl");
  std::vector<std::string> Notes;
  auto Units = cantFail(inputUnits({Path("/work")}, Notes));
  auto Named = cantFail(inputUnits({Path("/work/k.cl")}, Notes));
  ASSERT_EQ(Units.size(), 1u);
  FileText Walked(Units.front()), Own(Named.front());
  EXPECT_FALSE(errorToBool(Walked.read(/*ToWrite=*/false)));
  EXPECT_TRUE(Walked.isAsRead());
  sys::fs::remove(Path("/work/k.cl"));
  ASSERT_EQ(::symlink("../secret.cl", Path("/work/k.cl").c_str()), 0);
  EXPECT_TRUE(errorToBool(Walked.read(/*ToWrite=*/false)));
  EXPECT_FALSE(Walked.isAsRead());
  EXPECT_FALSE(errorToBool(Own.read(/*ToWrite=*/false))); // the user named it
  sys::fs::remove_directories(Root);
}
