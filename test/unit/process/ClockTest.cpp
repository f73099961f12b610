// What a machine had for one thread, by what /proc/stat tells.
#include "process/Clock.h"
#include <gtest/gtest.h>
#include <thread>

using namespace clrewrite::process;

static ProcessorTimes times(unsigned Processors, unsigned Runnable,
                            unsigned long long All = 0,
                            unsigned long long Stolen = 0) {
  return {Processors, Runnable, All, Stolen};
}

TEST(Clock, AThreadThatHasAProcessorHasAllOfIt) {
  EXPECT_EQ(shareOf(times(2, 1), times(2, 1)), 1);
  // Two threads beside the one that looks on.
  EXPECT_EQ(shareOf(times(2, 3), times(2, 3)), 1);
  EXPECT_EQ(shareOf(times(64, 60), times(64, 60)), 1);
}

TEST(Clock, ThreadsShareTheProcessors) {
  EXPECT_EQ(shareOf(times(2, 1), times(2, 5)), 0.5);
  EXPECT_EQ(shareOf(times(2, 99), times(2, 9)), 0.25);
  EXPECT_EQ(shareOf(times(1, 9), times(1, 1000)), 1 / Clock::Longest);
}

TEST(Clock, WhatTheHostTakesIsNobodys) {
  EXPECT_EQ(shareOf(times(2, 1, 100, 7), times(2, 1, 200, 57)), 0.5);
  EXPECT_EQ(shareOf(times(2, 1, 100, 7), times(2, 5, 200, 57)), 0.25);
  EXPECT_EQ(shareOf(times(2, 1, 100, 7), times(2, 1, 200, 7)), 1);
  EXPECT_EQ(shareOf(times(2, 1, 100, 0), times(2, 1, 200, 100)),
            1 / Clock::Longest);
  // No tick went by, or a counter went back.
  EXPECT_EQ(shareOf(times(2, 1, 100, 7), times(2, 1, 100, 9)), 1);
  EXPECT_EQ(shareOf(times(2, 1, 100, 7), times(2, 1, 200, 5)), 1);
}

TEST(Clock, NeverGoesBackNorFasterThanTime) {
  auto Begin = std::chrono::steady_clock::now();
  auto First = Clock::now(), Last = First;
  for (int I = 0; I < 40; ++I) {
    std::this_thread::sleep_for(std::chrono::milliseconds(7));
    auto Next = Clock::now();
    EXPECT_GT(Next, Last);
    Last = Next;
  }
  EXPECT_LE(Last - First, std::chrono::steady_clock::now() - Begin);
  EXPECT_GE((Last - First) * Clock::Longest, std::chrono::milliseconds(280));
}
