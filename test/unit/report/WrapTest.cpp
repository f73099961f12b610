// Breaking lines for a terminal.
#include "report/Wrap.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::report;

namespace {

TEST(Wrap, BreaksAtSpaces) {
  EXPECT_EQ(wrapped("one two three\nfour\n", 9), "one two\n    three\nfour\n");
  EXPECT_EQ(wrapped("one two three", 13), "one two three");
  EXPECT_EQ(wrapped("", 9), "");
  EXPECT_EQ(wrapped("\n\n", 9), "\n\n");
}

TEST(Wrap, GoesOnFurtherIn) {
  EXPECT_EQ(wrapped("  gfx906  VGPRs 37 -> 24, occupancy 6\n", 24),
            "  gfx906  VGPRs 37 ->\n      24, occupancy 6\n");
}

TEST(Wrap, PrefersCommas) {
  EXPECT_EQ(wrapped("VGPRs 37, waves 6, est. 12 cycles", 24),
            "VGPRs 37, waves 6,\n    est. 12 cycles");
  EXPECT_EQ(wrapped("a, bbbbbb cccccc dddddd", 18),
            "a, bbbbbb cccccc\n    dddddd");
}

TEST(Wrap, LongWordsStandAlone) {
  EXPECT_EQ(wrapped("a/very/long/path.cl: no", 10),
            "a/very/long/path.cl:\n    no");
  EXPECT_EQ(wrapped("no a/very/long/path.cl", 10),
            "no\n    a/very/long/path.cl");
}

TEST(Wrap, ColoursTakeNoColumns) {
  EXPECT_EQ(wrapped("\033[0;35mwarning: \033[0mit is so", 17),
            "\033[0;35mwarning: \033[0mit is so");
  EXPECT_EQ(wrapped("\xc3\xa9t\xc3\xa9 d'or", 8), "\xc3\xa9t\xc3\xa9 d'or");
}

} // namespace
