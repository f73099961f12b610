// A line of progress.
#include "report/Progress.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::report;

TEST(Progress, CountsFilesAndShowsABarWhereThereIsRoom) {
  ProgressNote N{"a.cl", "parsing", 4, 10};
  EXPECT_EQ(progressText(N, 79), "###------- [4/10] a.cl: parsing");
  EXPECT_EQ(progressText(N, 59), "[4/10] a.cl: parsing");
  N.Number = N.Of = 1;
  EXPECT_EQ(progressText(N, 79), "a.cl: parsing");
}

TEST(Progress, KeepsTheEndOfAPath) {
  ProgressNote N{"a/long/way/to/the/kernel.cl", "parsing", 1, 2};
  EXPECT_EQ(progressText(N, 34), "[1/2] ...to/the/kernel.cl: parsing");
}

TEST(Progress, FitsWhateverTheWidth) {
  ProgressNote N{"k\xc3\xb6rner/\xe4\xb8\xad\xe6\x96\x87.cl", "measuring \xff",
                 3, 17};
  for (unsigned Width = 0; Width < 40; ++Width)
    EXPECT_LE(progressText(N, Width).size(), Width + 6) << Width;
  EXPECT_EQ(progressText({"\xe4\xb8\xad\xe6\x96\x87", "x"}, 3), "\xe4\xb8\xad");
}
