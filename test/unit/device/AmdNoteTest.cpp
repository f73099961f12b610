// The reader of AMD's metadata note, on code objects that clang has just made.
#include "AmdNote.h"
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

using namespace clrewrite::device;

static std::string contentsOf(const char *Path) {
  std::ifstream In(Path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(In), {});
}

static void expectKernels(const std::string &Blob) {
  FiguresByKernel Found = readAmdNote(Blob);
  ASSERT_EQ(Found.count("empty"), 1u);
  ASSERT_EQ(Found.count("shared"), 1u);
  ASSERT_EQ(Found.count("spread"), 1u);
  EXPECT_EQ(Found["shared"].LdsBytes, 1024u);
  EXPECT_EQ(Found["empty"].LdsBytes, 0u);
  EXPECT_EQ(Found["empty"].ScratchBytes, 0u);
  EXPECT_GE(Found["spread"].ScratchBytes.value(), 256u);
  EXPECT_GT(Found["spread"].Vgprs.value(), 0u);
  EXPECT_GT(Found["spread"].Sgprs.value(), 0u);
  EXPECT_EQ(Found["spread"].VgprSpills, 0u);
  EXPECT_EQ(Found["spread"].SimdWidth, 64u);
}

TEST(AmdNote, ReadsACompiledObject) {
  std::string Object = contentsOf(DEVICE_TEST_OBJECT);
  ASSERT_FALSE(Object.empty()) << DEVICE_TEST_OBJECT;
  expectKernels(Object);
}

TEST(AmdNote, ReadsALinkedObject) {
  std::string Linked = contentsOf(DEVICE_TEST_LINKED);
  if (Linked.empty())
    GTEST_SKIP() << "no ld.lld when this was built";
  expectKernels(Linked);
}

TEST(AmdNote, FindsTheObjectInsideAContainer) {
  std::string Linked = contentsOf(DEVICE_TEST_OBJECT);
  expectKernels("some driver's header \x7f"
                "ELF not quite" +
                Linked);
}

TEST(AmdNote, ReadsTheNoteSegmentOfAStrippedFile) {
  std::string Linked = contentsOf(DEVICE_TEST_LINKED);
  if (Linked.empty())
    GTEST_SKIP() << "no ld.lld when this was built";
  std::fill_n(Linked.begin() + 40, 8, '\0'); // e_shoff: no section headers
  expectKernels(Linked);
}

TEST(AmdNote, SurvivesAnyTruncation) {
  std::string Object = contentsOf(DEVICE_TEST_OBJECT);
  for (size_t Size = 0; Size < Object.size(); Size += 7)
    readAmdNote(std::string_view(Object).substr(0, Size));
  EXPECT_TRUE(readAmdNote("").empty());
  EXPECT_TRUE(readAmdNote(".version 8.0\n.target sm_90").empty());
}

TEST(AmdNote, SurvivesDamage) {
  std::string Object = contentsOf(DEVICE_TEST_OBJECT);
  for (size_t At = 0; At < Object.size(); ++At) {
    std::string Damaged = Object;
    Damaged[At] = char(0xff);
    readAmdNote(Damaged);
  }
}
