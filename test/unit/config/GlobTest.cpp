// Patterns of file names.
#include "config/Glob.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::config;

TEST(Glob, APatternWithoutASlashNamesFilesAndFoldersAtAnyDepth) {
  EXPECT_TRUE(globMatches("*.cl", "a.cl"));
  EXPECT_TRUE(globMatches("*.cl", "src/deep/a.cl"));
  EXPECT_FALSE(globMatches("*.cl", "a.clh"));
  EXPECT_TRUE(globMatches("vendor", "vendor/a.cl"));
  EXPECT_TRUE(globMatches("vendor/", "src/vendor/x/a.cl"));
  EXPECT_FALSE(globMatches("vendor", "vendors/a.cl"));
}

TEST(Glob, APatternWithASlashCountsFromTheFolder) {
  EXPECT_TRUE(globMatches("src/*.cl", "src/a.cl"));
  EXPECT_FALSE(globMatches("src/*.cl", "src/deep/a.cl"));
  EXPECT_FALSE(globMatches("src/*.cl", "lib/src/a.cl"));
  EXPECT_TRUE(globMatches("/a.cl", "a.cl"));
  EXPECT_FALSE(globMatches("/a.cl", "src/a.cl"));
  EXPECT_TRUE(globMatches("./src/a.cl", "src/a.cl"));
}

TEST(Glob, TwoStarsCrossFolders) {
  EXPECT_TRUE(globMatches("src/**/*.cl", "src/a.cl"));
  EXPECT_TRUE(globMatches("src/**/*.cl", "src/x/y/a.cl"));
  EXPECT_TRUE(globMatches("**/test/**", "a/test/b.cl"));
  EXPECT_FALSE(globMatches("src/**/*.cl", "lib/a.cl"));
}

TEST(Glob, CharactersAndChoices) {
  EXPECT_TRUE(globMatches("k[0-9].cl", "k7.cl"));
  EXPECT_FALSE(globMatches("k[!0-9].cl", "k7.cl"));
  EXPECT_TRUE(globMatches("a?c.cl", "abc.cl"));
  EXPECT_FALSE(globMatches("a?c.cl", "a/c.cl"));
  EXPECT_TRUE(globMatches("{half,float}_*.cl", "half_k.cl"));
  EXPECT_FALSE(globMatches("{half,float}_*.cl", "int_k.cl"));
  // What means something in an expression does not here.
  EXPECT_TRUE(globMatches("a+(b).cl", "a+(b).cl"));
  EXPECT_FALSE(globMatches("a.cl", "abcl"));
}

TEST(Glob, WhatIsWrongIsSaid) {
  EXPECT_EQ(badGlob("src/**/*.cl"), "");
  EXPECT_EQ(badGlob("a[b"), "lacks a ]");
  EXPECT_EQ(badGlob("{a,b"), "lacks a }");
  EXPECT_EQ(badGlob(""), "is empty");
  EXPECT_EQ(badGlob("/"), "is empty");
  EXPECT_NE(badGlob("[z-a]"), "");
  EXPECT_FALSE(globMatches("a[b", "a[b"));
}
