// From paths to what is rewritten.
#include "pipeline/InputUnits.h"
#include "source/File.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include <gtest/gtest.h>
#include <sys/stat.h>

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
