// The disk cache: what it gives back, and what damage does to it.
#include "cache/DiskCache.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::cache;

namespace {

class DiskCacheTest : public testing::Test {
protected:
  llvm::SmallString<128> Dir;
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("clrewrite-cache", Dir));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Dir); }
  std::string dir() const { return Dir.str().str(); }

  /// Every entry's file.
  std::vector<std::string> files() const {
    std::vector<std::string> Out;
    std::error_code EC;
    for (llvm::sys::fs::directory_iterator It(Dir, EC), End; It != End;
         It.increment(EC))
      if (It->path().find("llvmcache-") != std::string::npos)
        Out.push_back(It->path());
    return Out;
  }
};

CacheKey key(const char *Part) { return CacheKey("test").add(Part); }

} // namespace

TEST_F(DiskCacheTest, GivesBackWhatWasPut) {
  DiskCache C(dir() + "/deep/down");
  EXPECT_FALSE(C.get(key("a")));
  C.put(key("a"), std::string("one\n\0two", 8));
  EXPECT_EQ(C.get(key("a")), std::string("one\n\0two", 8));
  EXPECT_FALSE(C.get(key("b")));
  C.put(key("a"), "");
  EXPECT_EQ(C.get(key("a")), "");
}

TEST_F(DiskCacheTest, PartsAreKeptApart) {
  EXPECT_NE(CacheKey("t").add("ab").add("c").str(),
            CacheKey("t").add("a").add("bc").str());
  EXPECT_NE(CacheKey("t").add("a").str(), CacheKey("u").add("a").str());
  Source S{"k.cl", "text", {"-DN=1"}};
  Source Other = S;
  EXPECT_EQ(CacheKey("t").add(S).str(), CacheKey("t").add(Other).str());
  Other.Headers = "changed";
  EXPECT_NE(CacheKey("t").add(S).str(), CacheKey("t").add(Other).str());
  Other = S;
  Other.Options = {"-DN=2"};
  EXPECT_NE(CacheKey("t").add(S).str(), CacheKey("t").add(Other).str());
}

TEST_F(DiskCacheTest, DamageIsAsGoodAsNoEntry) {
  DiskCache C(dir());
  C.put(key("a"), "a value of some length");
  ASSERT_EQ(files().size(), 1u);
  std::error_code EC;
  {
    llvm::raw_fd_ostream OS(files().front(), EC,
                            llvm::sys::fs::CD_OpenExisting);
    OS.seek(25);
    OS << "!!";
  }
  EXPECT_FALSE(C.get(key("a")));
  {
    llvm::raw_fd_ostream OS(files().front(), EC);
    OS << "clrewrite cache 2 ";
  }
  EXPECT_FALSE(C.get(key("a")));
  C.put(key("a"), "again");
  EXPECT_EQ(C.get(key("a")), "again");
}

TEST_F(DiskCacheTest, WhatAnotherKeyHadIsNoAnswer) {
  DiskCache C(dir());
  C.put(key("a"), "of a");
  std::string OfA = files().front();
  C.put(key("b"), "of b");
  for (const std::string &File : files())
    if (File != OfA) {
      ASSERT_FALSE(llvm::sys::fs::copy_file(OfA, File));
    }
  EXPECT_EQ(C.get(key("a")), "of a");
  EXPECT_FALSE(C.get(key("b")));
}

TEST_F(DiskCacheTest, ClearingLeavesStrangersAlone) {
  DiskCache C(dir());
  C.put(key("a"), "1");
  C.put(key("b"), "22");
  std::error_code EC;
  {
    llvm::raw_fd_ostream OS(dir() + "/letter.txt", EC);
  }
  EXPECT_EQ(DiskCache::sizeOf(dir()).Entries, 2u);
  EXPECT_EQ(DiskCache::clear(dir()).Entries, 2u);
  EXPECT_FALSE(C.get(key("a")));
  EXPECT_EQ(DiskCache::sizeOf(dir()).Entries, 0u);
  EXPECT_TRUE(llvm::sys::fs::exists(dir() + "/letter.txt"));
}

TEST_F(DiskCacheTest, NoDirectoryIsNoCache) {
  DiskCache Off("");
  Off.put(key("a"), "1");
  EXPECT_FALSE(Off.get(key("a")));
  DiskCache Hopeless("/proc/nothing/here");
  Hopeless.put(key("a"), "1");
  EXPECT_FALSE(Hopeless.get(key("a")));
}

TEST_F(DiskCacheTest, AFileIsReadOnceARun) {
  std::string Path = dir() + "/h.h";
  std::error_code EC;
  {
    llvm::raw_fd_ostream(Path, EC) << "one";
  }
  DiskCache C(dir());
  std::string First = C.contentHash(Path);
  EXPECT_FALSE(First.empty());
  {
    llvm::raw_fd_ostream(Path, EC) << "two";
  }
  EXPECT_EQ(C.contentHash(Path), First);
  EXPECT_NE(DiskCache(dir()).contentHash(Path), First);
  EXPECT_EQ(C.contentHash(dir() + "/none"), "");
}
