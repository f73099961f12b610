// Fences: accesses outside a buffer are noted, with side, place and kind.
#include "HostMemory.h"
#include <csignal>
#include <gtest/gtest.h>

using namespace clrewrite::device;

static FencedMemory make(size_t Bytes, size_t Align, FenceSide Side) {
  installFaultHandler();
  auto M = FencedMemory::create(Bytes, Align, Side);
  EXPECT_TRUE(M);
  return std::move(*M);
}

static void touch(volatile uint8_t *At) { *At = 1; }

TEST(HostMemory, NothingHappenedInside) {
  FencedMemory M = make(5000, 128, FenceSide::End);
  EXPECT_EQ(uintptr_t(M.data()) % 128, 0u);
  for (size_t I = 0; I < M.size(); ++I)
    touch(M.data() + I);
  EXPECT_TRUE(M.trespasses().empty());
}

TEST(HostMemory, SeesAWriteInTheSlack) {
  FencedMemory M = make(100, 128, FenceSide::End);
  touch(M.data() + 100);
  auto Found = M.trespasses();
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Offset, 100);
  EXPECT_STREQ(Found[0].Kind, "write");
  M.arm();
  EXPECT_TRUE(M.trespasses().empty());
}

TEST(HostMemory, SeesAReadPastTheEnd) {
  FencedMemory M = make(128, 128, FenceSide::End);
  volatile uint8_t *Data = M.data();
  EXPECT_EQ(Data[128], 0);
  auto Found = M.trespasses();
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Offset, 128);
#if defined(__x86_64__)
  EXPECT_STREQ(Found[0].Kind, "read");
#endif
}

TEST(HostMemory, TellsThePageThatWasReachedLast) {
  FencedMemory M = make(128, 128, FenceSide::End);
  volatile uint8_t *Data = M.data();
  EXPECT_EQ(Data[130], 0);
  EXPECT_EQ(Data[4096 * 5 + 140], 0);
  EXPECT_EQ(Data[4096 * 2], 0);
  auto Found = M.trespasses();
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Offset, 130);
  EXPECT_EQ(Found[0].Reach, 4096 * 6 + 128 - 1);
  M.arm();
  EXPECT_EQ(Data[4096], 0);
  EXPECT_EQ(M.trespasses()[0].Reach, 4096 + 128 - 1) << "of this time alone";
}

TEST(HostMemory, SeesAnAccessBeforeTheStart) {
  FencedMemory M = make(128, 128, FenceSide::Start);
  touch(M.data() - 8);
  auto Found = M.trespasses();
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Offset, -8);
}

TEST(HostMemory, ManyCanComeAndGo) {
  for (int I = 0; I < 1000; ++I)
    make(4096, 128, FenceSide::End);
}

TEST(HostMemoryDeathTest, OtherFaultsStillKill) {
  installFaultHandler();
  EXPECT_EXIT(touch(nullptr), testing::KilledBySignal(SIGSEGV), "");
}
