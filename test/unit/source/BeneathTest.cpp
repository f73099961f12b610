// Opening below a folder, with openat2 and without.
#include "source/Beneath.h"
#include "source/Printable.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace clrewrite;
using namespace llvm;

namespace {

class Beneath : public testing::Test {
protected:
  std::string Top, In;

  void SetUp() override {
    SmallString<128> Path, Real;
    ASSERT_FALSE(sys::fs::createUniqueDirectory("beneath", Path));
    ASSERT_FALSE(sys::fs::real_path(Path, Real));
    Top = Real.str().str();
    In = Top + "/in";
    ASSERT_FALSE(sys::fs::create_directories(In + "/a/b"));
    ASSERT_FALSE(sys::fs::create_directories(Top + "/out/deep"));
    put(In + "/a/b/x", "inside");
    put(Top + "/out/x", "outside");
    link("b/x", In + "/a/near");         // within
    link("../../out/x", In + "/a/away"); // by dots
    link(Top + "/out/x", In + "/a/far"); // absolute
    link("../out", In + "/folder");
    link("a/b", In + "/short");
  }
  void TearDown() override { sys::fs::remove_directories(Top); }

  static void put(const std::string &Path, StringRef Text) {
    std::error_code Code;
    raw_fd_ostream OS(Path, Code);
    OS << Text;
  }
  static void link(const std::string &To, const std::string &At) {
    ASSERT_EQ(::symlink(To.c_str(), At.c_str()), 0);
  }

  /// Whether it opens, the same both ways.
  bool opens(const std::string &Name, Links L) {
    bool Found[2];
    auto *Each = Found;
    for (auto *Open : {openBeneath, openByWalking}) {
      int File = Open(In, Name, L);
      *Each++ = File >= 0;
      if (File >= 0)
        ::close(File);
    }
    EXPECT_EQ(Found[0], Found[1]) << Name;
    return Found[0];
  }
};

TEST_F(Beneath, StaysBelow) {
  EXPECT_TRUE(opens("a/b/x", Links::None));
  EXPECT_TRUE(opens("./a//b/x", Links::None));
  for (const char *Name : {"../out/x", "a/../../out/x", "", "/etc/passwd",
                           "a/away", "a/far", "folder/x", "none"}) {
    EXPECT_FALSE(opens(Name, Links::None)) << Name;
    EXPECT_FALSE(opens(Name, Links::Within)) << Name;
  }
}

TEST_F(Beneath, LinksWithin) {
  EXPECT_FALSE(opens("a/near", Links::None));
  EXPECT_TRUE(opens("a/near", Links::Within));
  EXPECT_FALSE(opens("short/x", Links::None));
  EXPECT_TRUE(opens("short/x", Links::Within));
}

TEST_F(Beneath, ReadsRegularFilesOnly) {
  Expected<std::string> Text = readBeneath(In, "a/b/x", Links::None);
  ASSERT_TRUE(bool(Text));
  EXPECT_EQ(*Text, "inside");
  ASSERT_EQ(::mkfifo((In + "/pipe").c_str(), 0600), 0);
  for (const char *Name : {"pipe", "a", "a/b"}) {
    Expected<std::string> None = readBeneath(In, Name, Links::None);
    ASSERT_FALSE(bool(None)) << Name;
    EXPECT_NE(toString(None.takeError()).find("not a regular file"),
              std::string::npos);
  }
  Expected<std::string> Large = readBeneath(In, "a/b/x", Links::None, 3);
  ASSERT_FALSE(bool(Large));
  consumeError(Large.takeError());
  Expected<std::string> Zero = readRegular("/dev/zero");
  ASSERT_FALSE(bool(Zero));
  consumeError(Zero.takeError());
}

TEST_F(Beneath, PutsInTheLinksPlace) {
  EXPECT_FALSE(bool(putBeneath(In, "a/far", "new")));
  EXPECT_FALSE(bool(putBeneath(In, "made/for/it", "new")));
  Expected<std::string> Out = readRegular(Top + "/out/x");
  ASSERT_TRUE(bool(Out));
  EXPECT_EQ(*Out, "outside");
  Expected<std::string> Own = readBeneath(In, "a/far", Links::None);
  ASSERT_TRUE(bool(Own));
  EXPECT_EQ(*Own, "new");
  for (const char *Name : {"folder/y", "../out/y", "/tmp/y", ""}) {
    Error E = putBeneath(In, Name, "new");
    EXPECT_TRUE(bool(E)) << Name;
    consumeError(std::move(E));
  }
  EXPECT_FALSE(sys::fs::exists(Top + "/out/y"));
}

TEST_F(Beneath, RemovesLinksAndNotWhatTheyName) {
  link("../../out", In + "/a/again");
  EXPECT_FALSE(bool(removeBeneath(In, "folder")));
  EXPECT_FALSE(bool(removeBeneath(In, "a")));
  EXPECT_FALSE(bool(removeBeneath(In, "none")));
  EXPECT_FALSE(sys::fs::exists(In + "/a"));
  EXPECT_TRUE(sys::fs::exists(Top + "/out/x"));
  EXPECT_TRUE(sys::fs::exists(Top + "/out/deep"));
}

TEST(Printable, EscapesControls) {
  EXPECT_EQ(printable("gr\xc3\xbc\xc3\x9f\t\xe9"), "gr\xc3\xbc\xc3\x9f\t\xe9");
  EXPECT_EQ(printable("a\x1b[2J\nb\x7f\r"), "a\\x1b[2J\\nb\\x7f\\x0d");
  EXPECT_EQ(printable("\xc2\x9b", false), "\\xc2\\x9b");
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae");
  EXPECT_EQ(printable("a\nb\r\n\r", true), "a\nb\r\n\\x0d");
  EXPECT_EQ(printable("\x1b[0;31mred\x1b[0m\x1b[2J", true, true),
            "\x1b[0;31mred\x1b[0m\\x1b[2J");
  EXPECT_TRUE(hasControls("\n"));
  EXPECT_FALSE(hasControls("a b"));
}

} // namespace
