// Files are opened where that is said, as many as before.
#include "source/OpenFiles.h"
#include "source/Beneath.h"
#include "llvm/Support/Compiler.h"
#include <cerrno>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace clrewrite;

TEST(OpenFiles, NoneIsOpenedButWhereThatIsSaid) {
  if (LLVM_ADDRESS_SANITIZER_BUILD)
    GTEST_SKIP() << "AddressSanitizer opens files for its reports";
  rlimit Before = {}, After = {};
  ::getrlimit(RLIMIT_NOFILE, &Before);
  FileHandle Known = openOwn("/dev/null");
  {
    NoFiles Outer;
    EXPECT_FALSE(openOwn("/dev/null"));
    EXPECT_EQ(errno, EMFILE);
    char Byte;
    EXPECT_EQ(::read(Known.get(), &Byte, 1), 0) << "what is open stays";
    {
      FilesAgain Here;
      EXPECT_TRUE(openOwn("/dev/null"));
      NoFiles Inner;
      EXPECT_FALSE(openOwn("/dev/null"));
    }
    EXPECT_FALSE(openOwn("/dev/null"));
  }
  EXPECT_TRUE(openOwn("/dev/null"));
  ::getrlimit(RLIMIT_NOFILE, &After);
  EXPECT_EQ(Before.rlim_cur, After.rlim_cur);
  EXPECT_EQ(Before.rlim_max, After.rlim_max);
}
