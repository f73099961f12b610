// Which integers of a kernel say only how often its loops run.
#include "FindingsIn.h"

using namespace clrewrite;
using namespace clrewrite::rewrite;

/// In the kernel of which \p Statement is the body, `n` is such a one.
static bool onlyCounts(const std::string &Statement) {
  Findings F = findingsIn("int helper(int n) { return n; }\n"
                          "kernel void k(global int *p, int n, int m) { " +
                              Statement + " }",
                          {"-cl-std=CL2.0"});
  return F.Kernels.front().Args[1].OnlyCounts;
}

TEST(TripCounts, TheEndOfALoopCounts) {
  EXPECT_TRUE(onlyCounts("for (int k = 0; k < n; ++k) p[k] += 1;"));
  EXPECT_TRUE(onlyCounts("for (uint k = 0; k != 4 * n + m; ++k) p[k] += 1;"));
  EXPECT_TRUE(onlyCounts("int k = 0; while (n > k) p[k++] = 1;"));
  EXPECT_TRUE(onlyCounts("int k = 0; do p[k++] = 1; while (k <= n);"));
  EXPECT_TRUE(onlyCounts("for (int k = 0; k < n; ++k) "
                         "for (int j = 0; j < n; ++j) p[j] += k;"));
  EXPECT_TRUE(onlyCounts("int i = get_global_id(0); if (i >= n) return; "
                         "for (int k = i; k < n; ++k) p[k] += 1;"));
  EXPECT_TRUE(onlyCounts("if (get_global_id(0) < n) p[0] = 1;"));
}

TEST(TripCounts, WhatLeavesTheLoopOrIsAskedElsewhereDoesNot) {
  EXPECT_FALSE(onlyCounts("p[0] = m;")) << "it is not mentioned";
  EXPECT_FALSE(onlyCounts("p[0] = n;"));
  EXPECT_FALSE(onlyCounts("if (n == 12345) p[0] = 1;"));
  EXPECT_FALSE(onlyCounts("if (p[0] < n) p[0] = 1;")) << "a threshold";
  EXPECT_FALSE(onlyCounts("p[0] = helper(n);"));
  EXPECT_FALSE(onlyCounts("for (int k = 0; k < n; ++k) p[k] += n;"));
  EXPECT_FALSE(
      onlyCounts("for (int k = 0; k < n; ++k) if (p[k]++ > 3) break;"));
  EXPECT_FALSE(onlyCounts("for (int k = 0; k < n; ++k) if (!p[k]++) return;"));
  EXPECT_FALSE(onlyCounts("for (int k = 0; k < n && p[k]; ++k) p[k] = 0;"));
  EXPECT_FALSE(onlyCounts("while (n--) p[0] += 1;"));
  EXPECT_FALSE(onlyCounts("for (int k = n; k > 0; --k) p[k] = 0;"))
      << "where a loop begins may be an index";
}
