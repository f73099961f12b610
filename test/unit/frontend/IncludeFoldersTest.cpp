// The include folders of build options that somebody else wrote.
#include "frontend/IncludeFolders.h"
#include <gtest/gtest.h>

using namespace clrewrite::frontend;
using Words = std::vector<std::string>;

TEST(IncludeFolders, AreThoseOfBothOptions) {
  EXPECT_EQ(includeFolders({"-I", "a", "-DX", "-Ib", "-isystem", "c"}),
            (Words{"a", "b", "c"}));
}

TEST(IncludeFolders, AnOptionWithoutItsFolderStays) {
  Words LeftOut;
  EXPECT_EQ(withoutForeignFolders({"-DX", "-I"}, {}, LeftOut),
            (Words{"-DX", "-I"}));
  EXPECT_TRUE(LeftOut.empty());
}

TEST(IncludeFolders, ThoseOutsideAreLeftOutOnce) {
  Words LeftOut;
  EXPECT_EQ(withoutForeignFolders({"-I/etc", "-DX", "-I", "/etc", "-I/usr/lib",
                                   "-isystem", "/root/none"},
                                  {"", "/root"}, LeftOut),
            (Words{"-DX", "-I/usr/lib", "-isystem", "/root/none"}));
  EXPECT_EQ(LeftOut, Words{"/etc"});
}

TEST(IncludeFolders, NoFolderIsTakenForAnOption) {
  Words LeftOut;
  EXPECT_EQ(withoutForeignFolders({"-D", "-I", "-I/etc"}, {"/"}, LeftOut)[2][0],
            '/');
}

TEST(IncludeFolders, AFolderThatIsNotThereHasNoDots) {
  Words LeftOut;
  EXPECT_EQ(
      withoutForeignFolders({"-I/here/none/../../etc", "-I/here/none/../inner"},
                            {"/here"}, LeftOut),
      (Words{"-I/here/inner"}));
  EXPECT_EQ(LeftOut, Words{"/here/none/../../etc"});
}
