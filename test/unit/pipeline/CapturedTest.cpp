// From captures to texts: which files programs come from, and launches as the
// device program takes them.
#include "pipeline/Captured.h"
#include "frontend/RawStrings.h"
#include "pipeline/CompareRuns.h"
#include "pipeline/SourceTree.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::pipeline;
using namespace llvm;

namespace {

class Folder {
  SmallString<128> Path;

public:
  Folder() { sys::fs::createUniqueDirectory("captured-test", Path); }
  ~Folder() { sys::fs::remove_directories(Path); }
  std::string path() const { return std::string(Path); }
  void put(const Twine &Name, StringRef Text) {
    SmallString<256> Whole(Path);
    sys::path::append(Whole, Name);
    sys::fs::create_directories(sys::path::parent_path(Whole));
    std::error_code Bad;
    raw_fd_ostream(Whole, Bad) << Text;
    ASSERT_FALSE(Bad);
  }
};

std::string filled(char With) { return std::string(60, With) + "\n"; }

std::vector<std::string> texts(ArrayRef<PlacedText> Found) {
  std::vector<std::string> Out;
  for (const PlacedText &T : Found)
    Out.push_back(sys::path::filename(T.Path).str() + " " + T.Text.front());
  return Out;
}

using Names = std::vector<std::string>;

} // namespace

TEST(RawStrings, AreFoundAsCppHasThem) {
  StringRef Text = "// R\"(no)\"\n"
                   "auto A = \"R\\\"(no)\\\"\"; /* R\"(no)\" */\n"
                   "auto B = R\"(one)\", C = u8R\"x(a)\" b)x\", D = LR\"()\";\n"
                   "auto NOT_R = FooR \"(no)\";";
  std::vector<frontend::RawString> Found = frontend::rawStringsIn(Text);
  ASSERT_EQ(Found.size(), 3u);
  auto At = [&](size_t I) { return Text.slice(Found[I].Begin, Found[I].End); };
  EXPECT_EQ(At(0), "one");
  EXPECT_EQ(At(1), "a)\" b");
  EXPECT_EQ(Found[1].Closing, ")x\"");
  EXPECT_EQ(At(2), "");
  EXPECT_TRUE(frontend::rawStringsIn("R\"(never closed").empty());
}

TEST(SourceTree, TakesWhatHostsReadLongestFirst) {
  Folder F;
  F.put("b.cl", filled('b'));
  F.put("deep/a.CL", filled('a') + filled('a'));
  F.put("host.cpp", "auto K = R\"(" + filled('k') + ")\";");
  F.put("both.h", "auto K = R\"(" + filled('h') + ")\";");
  F.put("short.cl", "kernel void k() {}");
  F.put("text.txt", filled('t'));
  F.put(".git/hidden.cl", filled('g'));
  F.put("own/inside.cl", filled('o'));
  F.put("other/used.bin", "");
  F.put("other/blobs/x", "");
  F.put("other/sources/copy.cl", filled('b'));
  std::vector<PlacedText> Found = textsUnder(F.path(), F.path() + "/own");
  EXPECT_EQ(texts(Found),
            (Names{"a.CL a", "both.h a", "b.cl b", "both.h h", "host.cpp k"}));
  EXPECT_FALSE(Found[2].Within);
  ASSERT_TRUE(Found[4].Within);
  EXPECT_EQ(Found[4].Within->Begin, 12u);
}

TEST(SourceTree, PiecesDoNotOverlapAndStandOnce) {
  std::vector<PlacedText> Known{{"long.cl", std::nullopt, "abcdef"},
                                {"part.cl", std::nullopt, "cde"},
                                {"copy.cl", std::nullopt, "xyz"},
                                {"same.cl", std::nullopt, "xyz"},
                                {"twice.cl", std::nullopt, "mm"}};
  std::vector<std::string> Notes;
  std::vector<Piece> Found = piecesOf("-abcdef-xyz-mm-mm", Known, Notes);
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found[0].Place->Path, "long.cl");
  EXPECT_EQ(Found[0].Begin, 1u);
  EXPECT_EQ(Found[0].End, 7u);
  EXPECT_EQ(Found[1].Place->Path, "copy.cl");
  EXPECT_EQ(Notes,
            (Names{"same.cl has the text of copy.cl; only the latter is edited",
                   "a program holds the text of twice.cl more than once; it is "
                   "not edited there"}));
}

namespace {

Unit unit(std::string Path, std::optional<Part> Within, std::string Before,
          std::string After) {
  Build B;
  B.Program = 1;
  B.Before = std::move(Before);
  B.After = std::move(After);
  return {std::move(Path), std::move(Within), {std::move(B)}};
}

} // namespace

TEST(Units, AChangeMovesWhatFollowsAndWhatSurrounds) {
  // The program AABBCC of three parts of one file.
  Unit A = unit("f", Part{10, 12}, "", "BBCC");
  Unit B = unit("f", Part{20, 22}, "AA", "CC");
  Unit C = unit("f", Part{30, 32}, "AABB", "");
  Unit Elsewhere = unit("g", Part{20, 22}, "BB", "");
  Elsewhere.Builds[0].Program = 2;
  for (Unit *Other : {&A, &C, &Elsewhere})
    noteChange(*Other, B, "BB", "bbbbb", true);
  EXPECT_EQ(A.Within->Begin, 10u);
  EXPECT_EQ(A.Builds[0].After, "bbbbbCC");
  EXPECT_EQ(C.Within->Begin, 33u);
  EXPECT_EQ(C.Within->End, 35u);
  EXPECT_EQ(C.Builds[0].Before, "AAbbbbb");
  EXPECT_EQ(Elsewhere.Within->Begin, 20u);
  EXPECT_EQ(Elsewhere.Builds[0].Before, "BB");
}

namespace {

capture::CapturedArgument buffer(uint64_t Mem, uint64_t Size,
                                 uint64_t Parent = 0, uint64_t Offset = 0) {
  capture::CapturedArgument A;
  A.Kind = Parent ? capture::CapturedArgument::SubBuffer
                  : capture::CapturedArgument::Buffer;
  A.Mem = Mem;
  A.Size = Size;
  A.Parent = Parent;
  A.Offset = Offset;
  return A;
}

/// "ok", or why a launch with \p Arguments can't be repeated.
std::string repeated(std::vector<capture::CapturedArgument> Arguments) {
  capture::Capture C;
  C.Kernels.push_back({"k", 0, 0});
  capture::CapturedLaunch L;
  L.Global = {64};
  L.Arguments = std::move(Arguments);
  Expected<RecordedLaunch> R = recordedLaunch(C, L);
  return R ? "ok" : toString(R.takeError());
}

} // namespace

TEST(RecordedLaunches, ToldWhereTheyCanNotBeRepeated) {
  EXPECT_EQ(repeated({buffer(1, 64), buffer(2, 64), buffer(1, 64)}), "ok");
  EXPECT_EQ(repeated({buffer(2, 32, 1, 0), buffer(3, 32, 1, 32)}), "ok");
  EXPECT_EQ(repeated({buffer(2, 32, 1, 0), buffer(3, 32, 1, 16)}),
            "argument 1 overlaps another sub-buffer");
  EXPECT_EQ(repeated({buffer(1, 64), buffer(2, 32, 1, 0)}),
            "argument 1 overlaps another sub-buffer");
  capture::CapturedArgument Svm = buffer(4, 64, 0, 8);
  Svm.Kind = capture::CapturedArgument::Svm;
  EXPECT_EQ(repeated({Svm}), "argument 0 points into an SVM allocation");
  EXPECT_EQ(repeated({capture::CapturedArgument()}),
            "argument 0 is of a sort that can't be repeated");
}

namespace {

/// Captures of runs of a kernel with one buffer.
class Runs {
  Folder F;
  std::vector<std::unique_ptr<capture::Capture>> All;

public:
  RunBytes add(StringRef Before, StringRef After) {
    auto C = std::make_unique<capture::Capture>();
    C->Folder = F.path();
    C->Kernels.push_back({"k", 0, 0});
    capture::CapturedLaunch L;
    capture::CapturedData D;
    D.Argument = 0;
    D.Size = Before.size();
    D.Before = capture::blobHash(Before);
    D.After = capture::blobHash(After);
    F.put("blobs/" + D.Before, Before);
    F.put("blobs/" + D.After, After);
    L.Data.push_back(D);
    C->Launches.push_back(L);
    All.push_back(std::move(C));
    return {All.back().get(), &All.back()->Launches[0].Data[0]};
  }
};

} // namespace

TEST(CompareRuns, OnlyWrittenBytesCount) {
  Runs R;
  RunBytes Own = R.add("....", "ab..");
  EXPECT_EQ(compareRuns(*Own.Run, *R.add("..xx", "abxx").Run).Same, 1u);
  RunBytes Other = R.add("..xx", "aBxx");
  RunComparison C = compareRuns(*Own.Run, *Other.Run);
  ASSERT_EQ(C.Unlike.size(), 1u);
  EXPECT_EQ(C.Unlike.begin()->second.What, "kernel k, argument 0");
  EXPECT_EQ(differingBytes(Own, Other), "3 of 4 bytes, the first at 1");
  EXPECT_TRUE(C.Unlike.begin()->second.FoundOther);
  C = compareRuns(*Own.Run, *R.add("....", "aB..").Run);
  EXPECT_FALSE(C.Unlike.begin()->second.FoundOther);
  // Other leaves out what Own writes.
  EXPECT_EQ(compareRuns(*Own.Run, *R.add("....", "a...").Run).Same, 0u);
}

TEST(CompareRuns, WhatVariesAnywayDoesNotCount) {
  Runs R;
  RunBytes Own = R.add("....", "ab..");
  RunBytes Again = R.add("....", "aX..");
  EXPECT_FALSE(differsWhereSteady(Own, R.add("....", "aY.."), {Again}));
  EXPECT_TRUE(differsWhereSteady(Own, R.add("....", "AY.."), {Again}));
  EXPECT_TRUE(differsWhereSteady(Own, R.add("....", "aY..!"), {Again}));
}
