#include "DeviceLock.h"
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace clrewrite::device;
using std::chrono::seconds;

namespace {

/// A folder for the lock, so that no run beside the tests holds it.
class DeviceLockTest : public testing::Test {
protected:
  std::string Folder;

  void SetUp() override {
    std::string Name =
        (std::filesystem::temp_directory_path() / "lockXXXXXX").string();
    ASSERT_TRUE(::mkdtemp(Name.data()));
    Folder = Name;
    ::setenv("XDG_RUNTIME_DIR", Folder.c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("XDG_RUNTIME_DIR");
    std::filesystem::remove_all(Folder);
  }
};

TEST_F(DeviceLockTest, OneHolderADevice) {
  DeviceLock One, Other;
  {
    auto Held = One.take(0, seconds(0));
    ASSERT_TRUE(Held);
    auto Refused = Other.take(0, seconds(0));
    ASSERT_FALSE(Refused);
    EXPECT_EQ(Refused.problem().Name, "BUSY");
    EXPECT_TRUE(Other.take(1, seconds(0)));
  }
  EXPECT_TRUE(Other.take(0, seconds(0)));
}

TEST_F(DeviceLockTest, AKilledHolderFreesIt) {
  int Ready[2];
  ASSERT_EQ(::pipe(Ready), 0);
  pid_t Child = ::fork();
  if (!Child) {
    DeviceLock Lock;
    auto Held = Lock.take(0, seconds(0));
    char Byte = Held ? 'y' : 'n';
    if (::write(Ready[1], &Byte, 1) == 1)
      ::pause();
    ::_exit(1);
  }
  char Byte = 0;
  ASSERT_EQ(::read(Ready[0], &Byte, 1), 1);
  ASSERT_EQ(Byte, 'y');
  DeviceLock Lock;
  EXPECT_FALSE(Lock.take(0, seconds(0)));
  ::kill(Child, SIGKILL);
  ::waitpid(Child, nullptr, 0);
  EXPECT_TRUE(Lock.take(0, seconds(0)));
}

TEST_F(DeviceLockTest, ALinkIsNotFollowed) {
  std::filesystem::create_symlink(Folder + "/elsewhere",
                                  Folder + "/clrewrite-device.lock");
  DeviceLock Lock;
  EXPECT_TRUE(Lock.take(0, seconds(0)));
  EXPECT_FALSE(std::filesystem::exists(Folder + "/elsewhere"));
}

TEST_F(DeviceLockTest, ClosedItLocksNothing) {
  DeviceLock One, Other;
  One.close();
  auto Held = One.take(0, seconds(0));
  EXPECT_TRUE(Held);
  EXPECT_TRUE(Other.take(0, seconds(0)));
}

} // namespace
