// What the rounds reach of the original, told by a device that does what the
// test says.
#include "verify/Coverage.h"
#include "FakeDevice.h"
#include "llvm/Support/Base64.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::verify;
using namespace llvm;

namespace {

/// The copy of every original: three branches.
Instrumented copyOf(const Source &) {
  Instrumented I;
  I.Text = "noting";
  I.Plain = "plain";
  I.Branches = {{{3, 4}, false}, {{7, 7}, true}, {{9, 9}, false}};
  return I;
}

VerifyOptions withCopy() {
  VerifyOptions Options;
  Options.Rounds = 3;
  Options.Instrument = copyOf;
  return Options;
}

bool runs(const json::Object &Job, StringRef Text) {
  return !versions(Job, Text).empty();
}

/// An answer of the copy's, in which the words are \p Words.
opencl::DeviceAnswer noted(std::vector<uint32_t> Words, StringRef Hash = "0") {
  opencl::DeviceAnswer A = answer();
  std::string Bytes(reinterpret_cast<char *>(Words.data()), 4 * Words.size());
  json::Array *Buffers = A.Body.getArray("buffers");
  Buffers->front().getAsObject()->insert({"hash", json::Array{Hash}});
  Buffers->push_back(
      json::Object{{"arg", 1},
                   {"hash", json::Array{"1"}},
                   {"contents", json::Array{encodeBase64(Bytes)}}});
  return A;
}

opencl::DeviceAnswer original(StringRef Hash = "0") {
  opencl::DeviceAnswer A = answer();
  A.Body.getArray("buffers")->front().getAsObject()->insert(
      {"hash", json::Array{Hash, Hash, Hash}});
  return A;
}

/// Has \p D answer for the copy, whose runs are counted in \p Copies, with the
/// words that \p WordsOf gives for that many.
void noteBy(FakeDevice &D, unsigned &Copies,
            std::function<std::vector<uint32_t>(unsigned)> WordsOf) {
  D.OnRun = [&Copies, WordsOf](const json::Object &Job) {
    if (!runs(Job, "noting"))
      return original();
    EXPECT_EQ(Job.getArray("args")->size(), 2u);
    return noted(WordsOf(++Copies));
  };
}

} // namespace

TEST(Coverage, WhatNoRoundReachedIsTold) {
  FakeDevice D;
  unsigned Copies = 0;
  noteBy(D, Copies,
         [](unsigned N) { return std::vector<uint32_t>{0, 0, N == 2}; });
  Verification V = check(D, withCopy());
  EXPECT_EQ(V.Verdict, Verification::Same);
  EXPECT_EQ(V.Evidence, "bit-identical on 3 rounds on fake; not reached: lines "
                        "3-4, part of line 7");
  EXPECT_EQ(Copies, 3u);
  EXPECT_EQ(V.Reached->Taken, 1u);
}

TEST(Coverage, ItEndsWhereAllIsReached) {
  FakeDevice D;
  unsigned Copies = 0;
  noteBy(D, Copies,
         [](unsigned N) { return std::vector<uint32_t>{1, N == 2, 1}; });
  EXPECT_EQ(check(D, withCopy()).Evidence, "bit-identical on 3 rounds on fake");
  EXPECT_EQ(Copies, 2u);
}

TEST(Coverage, NeverChangesTheVerdict) {
  FakeDevice D;
  auto evidence = [&](FakeDevice::Handler OnCopy) {
    D.OnRun = [=](const json::Object &Job) {
      return runs(Job, "noting") ? OnCopy(Job) : original();
    };
    Verification V = check(D, withCopy());
    EXPECT_EQ(V.Verdict, Verification::Same);
    return V.Evidence;
  };
  std::string Same = "bit-identical on 3 rounds on fake; coverage: unknown (";
  EXPECT_EQ(evidence([](const json::Object &) {
              return problem(opencl::DeviceAnswer::Refused, "does not build");
            }),
            Same + "the copy that notes branches: does not build)");
  EXPECT_EQ(evidence([](const json::Object &) {
              return problem(opencl::DeviceAnswer::Crashed, "crashed");
            }),
            Same + "the copy that notes branches: the device program crashed)");
  EXPECT_EQ(evidence([](const json::Object &) { return original(); }),
            Same + "the device program sent no words back)");
  VerifyOptions Options = withCopy();
  Options.Instrument = [](const Source &) {
    Instrumented I;
    I.Problem = "no such text";
    return I;
  };
  EXPECT_EQ(check(D, Options).Evidence, Same + "no such text)");
}

TEST(Coverage, TheCopyMustLeaveTheSame) {
  FakeDevice D;
  bool Differs = true;
  D.OnRun = [&](const json::Object &Job) {
    if (!runs(Job, "noting"))
      return original();
    if (!runs(Job, "plain"))
      return noted({1, 1, 1}, "2"); // other bytes: NaNs?
    return Differs ? answer({1}) : answer();
  };
  EXPECT_EQ(
      check(D, withCopy()).Evidence,
      "bit-identical on 3 rounds on fake; coverage: unknown (the copy that "
      "notes branches leaves other results)");
  Differs = false;
  EXPECT_EQ(check(D, withCopy()).Evidence, "bit-identical on 3 rounds on fake");
}

TEST(Coverage, RoundsThatDoNotCountAreNotLookedAt) {
  FakeDevice D;
  unsigned Copies = 0;
  D.OnRun = [&](const json::Object &Job) {
    if (runs(Job, "noting")) {
      ++Copies;
      return noted({0, 0, 0});
    }
    opencl::DeviceAnswer A = original();
    // Only the first round writes something.
    A.Body.getArray("buffers")->front().getAsObject()->find("changed")->second =
        D.Runs == 1;
    return A;
  };
  check(D, withCopy());
  EXPECT_EQ(Copies, 1u);
}

TEST(Coverage, LinesOfWhichAPartWasReached) {
  Coverage C;
  C.NotReached = {{3, 4}};
  C.ReachedInPart = {9};
  C.Looked = 2;
  C.Rounds = 8;
  C.NotLookedAt = 1;
  EXPECT_EQ(words(C), "not reached in the first 2 of 8 rounds: lines 3-4, part "
                      "of line 9; 1 branch was not looked at");
  Coverage Other;
  Other.NotReached = {{5, 5}, {9, 9}};
  merge(C, Other);
  EXPECT_EQ(words(C), "not reached in the first 2 of 8 rounds: lines 3-5, 9; 1 "
                      "branch was not looked at");
  C = {};
  C.NeverFalse = {4};
  EXPECT_EQ(words(C), "never false: the condition of line 4");
  Other.NeverFalse = {2, 4};
  merge(C, Other);
  EXPECT_EQ(words(C), "not reached: lines 5, 9; never false: the conditions of "
                      "lines 2, 4");
}

TEST(Coverage, AConditionThatWasNeverFalseIsToldWhereItWasAsked) {
  FakeDevice D;
  unsigned Copies = 0;
  VerifyOptions Options = withCopy();
  Options.Instrument = [](const Source &S) {
    Instrumented I = copyOf(S);
    I.Branches[1] = {{6, 6}, false, true};
    I.Branches[2] = {{4, 4}, false, true};
    return I;
  };
  noteBy(D, Copies, [](unsigned) { return std::vector<uint32_t>{1, 0, 0}; });
  EXPECT_EQ(check(D, Options).Evidence,
            "bit-identical on 3 rounds on fake; never false: the conditions of "
            "lines 4, 6");
  noteBy(D, Copies, [](unsigned) { return std::vector<uint32_t>{0, 0, 0}; });
  EXPECT_EQ(check(D, Options).Evidence,
            "bit-identical on 3 rounds on fake; not reached: lines 3-4; never "
            "false: the condition of line 6");
}

TEST(Coverage, RoundsAreMadeForWhatIsMissed) {
  FakeDevice D;
  unsigned Copies = 0;
  std::vector<unsigned> Asked;
  VerifyOptions Options = withCopy();
  Options.Reach = [&](const Source &, const Instrumented &I,
                      const std::vector<unsigned> &Branches) {
    EXPECT_EQ(I.Text, "noting");
    Asked = Branches;
    return std::vector<LaunchShape>(2);
  };
  noteBy(D, Copies,
         [](unsigned N) { return std::vector<uint32_t>{1, N == 5, 0}; });
  Verification V = check(D, Options);
  EXPECT_EQ(Asked, (std::vector<unsigned>{1, 2}));
  EXPECT_EQ(V.Evidence,
            "bit-identical on 5 rounds on fake; not reached: line 9");
  ASSERT_EQ(V.Rounds.size(), 5u);
  EXPECT_EQ(V.Rounds.back().Kind, Contents::Solved);
  EXPECT_EQ(V.Rounds.back().Number, 5u);

  // They tell versions apart, as any round does.
  bool Asking = false;
  Options.Reach = [&](const Source &, const Instrumented &,
                      const std::vector<unsigned> &) {
    Asking = true;
    return std::vector<LaunchShape>(1);
  };
  D.OnRun = [&](const json::Object &Job) {
    return runs(Job, "noting") ? noted({0, 0, 0})
           : Asking            ? answer(versions(Job, New))
                               : original();
  };
  V = check(D, Options);
  EXPECT_EQ(V.Verdict, Verification::Different);
  EXPECT_EQ(V.How->Kind, "solved");

  // A launch that somebody gives is not exchanged for others.
  Options.Launches.resize(1);
  Options.Launches[0].Global = {4};
  Asking = false;
  noteBy(D, Copies, [](unsigned) { return std::vector<uint32_t>{0, 0, 0}; });
  check(D, Options);
  EXPECT_FALSE(Asking);
}

TEST(Coverage, JsonKeepsIt) {
  Coverage C, Again;
  C.NotReached = {{3, 4}, {8, 8}};
  C.ReachedInPart = {9};
  C.NeverFalse = {2};
  C.Branches = 7;
  C.NotLookedAt = 2;
  json::Path::Root Root;
  ASSERT_TRUE(fromJSON(toJSON(C), Again, Root));
  EXPECT_EQ(words(Again), words(C));
  Instrumented I = copyOf({}), Sent;
  I.Branches[2].IsFalse = true;
  ASSERT_TRUE(fromJSON(toJSON(I), Sent, Root));
  EXPECT_EQ(Sent.Text, "noting");
  ASSERT_EQ(Sent.Branches.size(), 3u);
  EXPECT_TRUE(Sent.Branches[1].FirstInPart);
  EXPECT_TRUE(Sent.Branches[2].IsFalse);
  EXPECT_EQ(Sent.Branches[0].Lines.Last, 4u);
}
