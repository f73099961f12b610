// Verification with a device that does what the test says: every verdict, and
// what the original may do wrong before one is given.
#include "FakeDevice.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <set>
#include <thread>

using namespace clrewrite;
using namespace clrewrite::verify;
using namespace llvm;

TEST(Verify, EqualLaunchesAreTheSame) {
  FakeDevice D;
  D.OnRun = [](const json::Object &) { return answer(); };
  Verification V = check(D);
  EXPECT_EQ(V.Verdict, Verification::Same);
  EXPECT_EQ(V.Evidence, "bit-identical on 32 rounds on fake");
}

TEST(Verify, VersionsMayBeBuiltAsTheirUserDoes) {
  FakeDevice D;
  std::set<std::string> Sources;
  D.OnRun = [&](const json::Object &Job) {
    for (const json::Value &V : *Job.getArray("versions"))
      Sources.insert(V.getAsObject()->getString("source")->str());
    return answer();
  };
  VerifyOptions Options;
  Options.Build = Arithmetic::Given;
  EXPECT_EQ(check(D, Options, "// float").Evidence,
            "bit-identical on 32 rounds on fake");
  EXPECT_EQ(Sources,
            (std::set<std::string>{(Old + "// float").str(), New.str()}));
}

TEST(Verify, EachDeclaredLaunchGetsAllRounds) {
  FakeDevice D;
  std::map<int64_t, unsigned> Seen;
  D.OnRun = [&](const json::Object &Job) {
    ++Seen[*Job.getArray("global")->front().getAsInteger()];
    return answer();
  };
  VerifyOptions Options;
  Options.Launches.resize(2);
  Options.Launches[0].Global = {640};
  Options.Launches[1].Global = {320};
  EXPECT_EQ(check(D, Options).Evidence, "bit-identical on 64 rounds on fake");
  EXPECT_EQ(Seen, (std::map<int64_t, unsigned>{{320, 32}, {640, 32}}));
}

TEST(Verify, ADifferenceHasItsWitness) {
  FakeDevice D;
  D.OnRun = [](const json::Object &Job) { return answer(versions(Job, New)); };
  Verification V = check(D);
  ASSERT_EQ(V.Verdict, Verification::Different);
  EXPECT_EQ(V.Evidence, "argument 0 'p', element 5: 0b instead of 0a (round 1, "
                        "small inputs, on fake)");
  ASSERT_TRUE(V.How);
  EXPECT_EQ(V.How->Argument, size_t(0));
  EXPECT_EQ(V.How->Element, 5u);
  EXPECT_EQ(V.How->Expected, "0a");
  // The replay is a whole job of two versions.
  Expected<json::Value> Job = json::parse(V.Replay);
  ASSERT_TRUE(bool(Job));
  const json::Object &O = *Job->getAsObject();
  EXPECT_EQ(O.getInteger("v"), 1);
  EXPECT_EQ(versions(O, Old), std::vector<int64_t>{0});
  EXPECT_EQ(versions(O, New), std::vector<int64_t>{1});
}

TEST(Verify, AnOriginalThatRacesProvesNothing) {
  FakeDevice D;
  D.OnRun = [](const json::Object &) { return answer({1, 2}); };
  Verification V = check(D);
  EXPECT_EQ(V.Verdict, Verification::Unknown);
  EXPECT_NE(V.Evidence.find("differ between two runs of itself"),
            std::string::npos);
  EXPECT_FALSE(V.DeviceFailed);
}

int64_t bytesOf(const json::Object &Job) {
  return *(*Job.getArray("args"))[0]
              .getAsObject()
              ->getObject("buffer")
              ->getInteger("bytes");
}

/// An answer of a device that can't catch reads outside of buffers.
opencl::DeviceAnswer behindMargins(ArrayRef<int64_t> Differing) {
  opencl::DeviceAnswer A = answer(Differing);
  A.Body["guard"] = "margins";
  return A;
}

TEST(Verify, BuffersGrowUntilNothingOutsideMatters) {
  FakeDevice D;
  int64_t Least = INT64_MAX;
  D.OnRun = [&](const json::Object &Job) {
    if (bytesOf(Job) < 100000)
      return behindMargins({1, 2});
    Least = std::min(Least, bytesOf(Job));
    return behindMargins({});
  };
  EXPECT_EQ(check(D).Evidence, "bit-identical on 32 rounds on fake");
  EXPECT_LT(Least, 1000000);
}

TEST(Verify, BuffersThatAreLargeDoNotMendARace) {
  FakeDevice D;
  int64_t Most = 0, Last = 0;
  D.OnRun = [&](const json::Object &Job) {
    Most = std::max(Most, Last = bytesOf(Job));
    return behindMargins({1, 2});
  };
  Verification V = check(D);
  EXPECT_EQ(V.Verdict, Verification::Unknown);
  EXPECT_NE(V.Evidence.find("differ between two runs of itself"),
            std::string::npos);
  EXPECT_EQ(Most, 4 << 20);
  EXPECT_LT(Last, 1 << 20);
}

TEST(Verify, ARaceThatShowsLateIsARaceToo) {
  FakeDevice D;
  D.OnRun = [](const json::Object &Job) {
    if (Job.getArray("versions")->size() < 6)
      return answer(versions(Job, New));
    return answer({3, 4});
  };
  EXPECT_EQ(check(D).Verdict, Verification::Unknown);
}

TEST(Verify, ARareRaceOfTheOriginalIsARaceToo) {
  // The new version differs each time, the original in few of many launches.
  FakeDevice D;
  unsigned Asked = 0;
  D.OnRun = [&](const json::Object &Job) {
    std::vector<int64_t> Differing = versions(Job, New);
    if (Differing.empty() && ++Asked % 5 == 0)
      Differing = {7};
    return answer(Differing);
  };
  Verification V = check(D);
  EXPECT_EQ(V.Verdict, Verification::Unknown);
  EXPECT_NE(V.Evidence.find("differ between two runs of itself"),
            std::string::npos);
}

TEST(Verify, ADifferenceThatDoesNotRepeatIsNoVerdict) {
  FakeDevice D;
  D.OnRun = [](const json::Object &Job) {
    return answer(Job.getArray("versions")->size() < 6
                      ? versions(Job, New)
                      : std::vector<int64_t>());
  };
  Verification V = check(D);
  EXPECT_EQ(V.Verdict, Verification::Unknown);
  EXPECT_NE(V.Evidence.find("once and not again"), std::string::npos);
}

TEST(Verify, ARaceIsNoDifferenceOfContraction) {
  // Without the pragma, the new version and what `Own` says differ.
  FakeDevice D;
  bool Own = true;
  D.OnRun = [&](const json::Object &Job) {
    StringRef Text =
        *Job.getArray("versions")->front().getAsObject()->getString("source");
    if (Text.contains("FP_CONTRACT"))
      return answer();
    return answer(Own ? std::vector<int64_t>{1, 2} : versions(Job, New));
  };
  const char *Float = " /* float */";
  EXPECT_EQ(check(D, {}, Float).Evidence, "bit-identical on 32 rounds on fake");
  Own = false;
  EXPECT_EQ(check(D, {}, Float).Evidence,
            "bit-identical on 32 rounds on fake; with contraction as the "
            "options have it the results differ");
}

TEST(Verify, BuffersGrowUntilTheOriginalStaysInside) {
  FakeDevice D;
  D.OnRun = [&](const json::Object &) {
    return StringRef(D.LastArgs).contains("\"bytes\":4096") ? answer()
                                                            : outside(0, 4092);
  };
  Verification V = check(D);
  EXPECT_EQ(V.Verdict, Verification::Same) << V.Evidence;
}

TEST(Verify, AnOriginalThatIsNeverInsideIsUnknown) {
  FakeDevice D;
  D.OnRun = [](const json::Object &) { return outside(0, -4); };
  Verification V = check(D);
  EXPECT_EQ(V.Verdict, Verification::Unknown);
  EXPECT_EQ(V.Evidence, "no valid inputs were found: the original reaches "
                        "outside argument 0 'p', at byte -4 of 256");
}

TEST(Verify, AWriteOutsideByTheNewVersionIsDifferent) {
  FakeDevice D;
  D.OnRun = [](const json::Object &Job) {
    auto Changed = versions(Job, New);
    return Changed.empty() ? answer() : outside(Changed.front(), 300);
  };
  Verification V = check(D);
  ASSERT_EQ(V.Verdict, Verification::Different);
  EXPECT_EQ(V.Evidence.find("a write outside argument 0 'p', at byte 300"), 0u);
}

TEST(Verify, ACrashOfTheNewVersionAloneIsDifferent) {
  FakeDevice D;
  D.OnRun = [](const json::Object &Job) {
    return versions(Job, New).empty()
               ? answer()
               : problem(opencl::DeviceAnswer::Crashed, "crashed (SIGSEGV)");
  };
  Verification V = check(D);
  EXPECT_EQ(V.Verdict, Verification::Different);
  EXPECT_EQ(V.Evidence.find("the new version crashed (SIGSEGV), the original"),
            0u);
}

TEST(Verify, ADriverMayCompileForTheFirstLaunch) {
  FakeDevice D = withNumber();
  bool IsCompiled = false;
  unsigned Late = 0;
  D.OnRun = [&](const json::Object &Job) {
    IsCompiled |= *Job.getNumber("limit_s") > 1.5;
    Late += !IsCompiled;
    return IsCompiled
               ? answer()
               : problem(opencl::DeviceAnswer::TimedOut, "exceeded 0.5 s");
  };
  Verification V = check(D);
  EXPECT_EQ(V.Evidence, "bit-identical on 32 rounds on fake");
  EXPECT_EQ(Late, 0u) << "looks for the integers have less time";
}

/// How many launches of a kernel take too long whose integer by value, which
/// only says how often a loop runs if \p OnlyCounts, may be a large number of
/// its text.
static unsigned hangs(bool OnlyCounts) {
  FakeDevice D = withNumber();
  unsigned Hangs = 0;
  D.OnRun = [&](const json::Object &Job) {
    for (const json::Value &Each : *Job.getArray("args"))
      if (const json::Object *Scalar = Each.getAsObject()->getObject("scalar"))
        if (*Scalar->getInteger("value") > 20000000) {
          ++Hangs;
          return problem(opencl::DeviceAnswer::TimedOut, "exceeded 1 s");
        }
    return answer();
  };
  rewrite::KernelInfo Known;
  Known.Args = {{"p", true, "int", 4}, {"n", false, "int", 4}};
  Known.Args[1].OnlyCounts = OnlyCounts;
  Known.Integers = {2654435761};
  Source Before, After;
  Before.Text = Old.str();
  After.Text = New.str();
  ChosenDevice Chosen;
  Chosen.Channel = &D;
  EXPECT_EQ(verify::verify(Before, After, "k", &Known, Chosen, {}).Verdict,
            Verification::Same);
  return Hangs;
}

TEST(Verify, OneLoopThatRunsTooOftenIsEnough) {
  EXPECT_EQ(hangs(true), 1u);
  EXPECT_GT(hangs(false), 3u) << "they are tried where they may matter";
}

namespace {
struct Crashes {
  unsigned Times = 0;
  std::set<int64_t> Compared; ///< numbers with which both versions ran
  size_t Rounds = 0;
};
} // namespace

/// Of a kernel that crashes where \p Does says so of its one integer, on a
/// device that takes \p Start to start again.
static Crashes crashes(function_ref<bool(int64_t)> Does,
                       std::chrono::milliseconds Start = {},
                       double Seconds = 3) {
  FakeDevice D = withNumber();
  Crashes Out;
  bool IsGone = false;
  D.OnRun = [&](const json::Object &Job) {
    if (std::exchange(IsGone, false))
      std::this_thread::sleep_for(Start);
    int64_t N = 0;
    for (const json::Value &Each : *Job.getArray("args"))
      if (const json::Object *Scalar = Each.getAsObject()->getObject("scalar"))
        N = *Scalar->getInteger("value");
    if (Does(N)) {
      ++Out.Times;
      IsGone = true;
      opencl::DeviceAnswer A = problem(opencl::DeviceAnswer::Refused,
                                       "failed with CL_OUT_OF_RESOURCES");
      A.Body["restart"] = true;
      return A;
    }
    if (!versions(Job, New).empty())
      Out.Compared.insert(N);
    opencl::DeviceAnswer A = answer();
    A.Body["buffers"] = json::Array{
        json::Object{{"arg", 0}, {"changed", true}, {"changed_elements", 64}}};
    return A;
  };
  rewrite::KernelInfo Known;
  Known.Args = {{"p", true, "int", 4}, {"n", false, "int", 4}};
  Source Before, After;
  Before.Text = Old.str();
  After.Text = New.str();
  ChosenDevice Chosen;
  Chosen.Channel = &D;
  VerifyOptions Options;
  Options.Seconds = Seconds;
  Verification V = verify::verify(Before, After, "k", &Known, Chosen, Options);
  EXPECT_EQ(V.Verdict, Verification::Same);
  Out.Rounds = V.Rounds.size();
  return Out;
}

TEST(Verify, FewLargeNumbersAreTriedWhereLargerOnesCrashToo) {
  EXPECT_LE(crashes([](int64_t N) { return N > 30000; }).Times, 30u);
}

TEST(Verify, ADeviceThatStartsSlowlyIsNotStartedAgainAndAgain) {
  auto isLarge = [](int64_t N) { return N > 30000; };
  Crashes C = crashes(isLarge, std::chrono::milliseconds(400), /*Seconds=*/10);
  EXPECT_LE(C.Times, 16u) << "there is time for 25";
  EXPECT_GE(C.Rounds, 31u) << "there is time for all other rounds";
}

TEST(Verify, ALargerNumberIsTriedWhereASmallerOneCrashes) {
  for (int64_t End : {100000, 300000}) {
    Crashes C = crashes([&](int64_t N) { return N > 30000 && N < End; });
    EXPECT_GT(*C.Compared.rbegin(), End) << "it may divide by the number";
  }
}

namespace {
struct LargeRounds {
  unsigned Crashes = 0, Compared = 0;
  int64_t Largest = 0; ///< number of a large launch of both versions
};
} // namespace

/// Of a kernel that needs \p Needs of its one integer, in bytes: small launches
/// tell what they miss, and large ones with less lose the device.
static LargeRounds largeRounds(function_ref<int64_t(int64_t)> Needs) {
  FakeDevice D = withNumber();
  LargeRounds Out;
  D.OnRun = [&](const json::Object &Job) {
    const json::Array &Args = *Job.getArray("args");
    if (Args.size() == 1) // whether the device is still there
      return answer();
    const int64_t Bytes =
                      *Args[0].getAsObject()->getObject("buffer")->getInteger(
                          "bytes"),
                  N = *Args[1].getAsObject()->getObject("scalar")->getInteger(
                      "value");
    const bool IsLarge =
        *Job.getArray("global")->front().getAsInteger() >= 4096;
    if (N > 0 && Bytes < Needs(N)) {
      if (!IsLarge)
        return outside(0, Needs(N) - 4);
      ++Out.Crashes;
      return problem(opencl::DeviceAnswer::Crashed, "crashed");
    }
    if (IsLarge && !versions(Job, New).empty()) {
      ++Out.Compared;
      Out.Largest = std::max(Out.Largest, N);
    }
    opencl::DeviceAnswer A = answer();
    A.Body["buffers"] = json::Array{
        json::Object{{"arg", 0}, {"changed", true}, {"changed_elements", 64}}};
    return A;
  };
  EXPECT_EQ(check(D).Verdict, Verification::Same);
  return Out;
}

TEST(Verify, AGpusDriverIsNotLostToEachLargeMatrix) {
  LargeRounds R = largeRounds([](int64_t N) { return N * N * 4; });
  EXPECT_LE(R.Crashes, 1u);
  EXPECT_GE(R.Compared, 3u);
}

TEST(Verify, LargeRoundsOnAGpuBeginWithBuffersThatDo) {
  LargeRounds R = largeRounds([](int64_t N) { return N * 8; });
  EXPECT_EQ(R.Crashes, 0u);
  EXPECT_GE(R.Largest, 4096);
}

/// A device whose kernel has two buffers, of which one may begin within the
/// other, and whose new version crashes where an argument has one of \p
/// Members.
static FakeDevice crashingWith(std::vector<StringRef> Members) {
  FakeDevice D;
  D.Args.push_back(D.Args.front());
  D.PartAlign = 1;
  D.OnRun = [Members](const json::Object &Job) {
    bool Crashes = false;
    for (const json::Value &Each : *Job.getArray("args"))
      for (StringRef Name : Members) {
        const json::Object &A = *Each.getAsObject();
        const json::Object *Buffer = A.getObject("buffer");
        Crashes |= A.get(Name) || (Buffer && Buffer->get(Name));
      }
    return Crashes && !versions(Job, New).empty()
               ? problem(opencl::DeviceAnswer::Crashed, "crashed (SIGSEGV)")
               : answer();
  };
  return D;
}

TEST(Verify, ACrashOnAnOverlapIsADifference) {
  FakeDevice D = crashingWith({"offset"});
  Verification V = check(D);
  EXPECT_EQ(V.Verdict, Verification::Different);
  EXPECT_EQ(V.Evidence.find("the new version crashed (SIGSEGV), the original"),
            0u)
      << V.Evidence;
}

TEST(Verify, ACrashWhereNoBufferBeginsIsNone) {
  FakeDevice D = crashingWith({"offset", "align"});
  Verification V = check(D);
  EXPECT_EQ(V.Verdict, Verification::Same);
  EXPECT_EQ(V.Evidence, "bit-identical on 34 rounds on fake");
  EXPECT_EQ(V.Rounds.back().Result,
            "no valid inputs: the new version crashed (SIGSEGV) at addresses "
            "that are aligned to one element alone")
      << "no more of them are tried";
}

TEST(Verify, ADeadDeviceIsNoVerdict) {
  for (auto [Status, Text] :
       {std::pair(opencl::DeviceAnswer::Crashed, "crashed (SIGBUS)"),
        std::pair(opencl::DeviceAnswer::TimedOut, "exceeded 60 s")}) {
    FakeDevice D;
    D.OnRun = [&, S = Status, T = Text](const json::Object &) {
      return problem(S, T);
    };
    Verification V = check(D);
    EXPECT_EQ(V.Verdict, Verification::Unknown);
    EXPECT_TRUE(V.DeviceFailed);
    EXPECT_EQ(V.Evidence, std::string("the device program ") + Text);
    EXPECT_LE(D.Runs, 3u) << "it is not asked again and again";
  }
}

// Each launch of the kernel takes all the time that it gets.
TEST(Verify, TheDeadlineHolds) {
  FakeDevice D;
  D.OnRun = [](const json::Object &Job) {
    if (!versions(Job, "probe").empty())
      return answer();
    std::this_thread::sleep_for(
        std::chrono::duration<double>(*Job.getNumber("limit_s")));
    return problem(opencl::DeviceAnswer::TimedOut, "exceeded its limit");
  };
  VerifyOptions Options;
  Options.Seconds = 2;
  auto Start = std::chrono::steady_clock::now();
  Verification V = check(D, Options);
  std::chrono::duration<double> Took = std::chrono::steady_clock::now() - Start;
  EXPECT_LT(Took.count(), 3);
  EXPECT_EQ(V.Verdict, Verification::Unknown);
  EXPECT_FALSE(V.DeviceFailed);
  EXPECT_EQ(V.Evidence, "a launch took longer than the limit of 2 s");
}

TEST(Verify, ADeviceThatHangsIsToldBeforeTheDeadline) {
  FakeDevice D;
  double Asked = 0;
  D.OnRun = [&](const json::Object &Job) {
    Asked += *Job.getNumber("limit_s");
    return problem(opencl::DeviceAnswer::TimedOut, "exceeded its limit");
  };
  Verification V = check(D);
  EXPECT_TRUE(V.DeviceFailed);
  EXPECT_EQ(D.Runs, 2u) << "the kernel, and one with which nothing is wrong";
  EXPECT_GT(Asked, 10) << "nothing was waited for here";
}

TEST(Verify, AnOriginalThatCrashesIsUnknown) {
  FakeDevice D;
  D.OnRun = [](const json::Object &Job) {
    return versions(Job, "probe").empty()
               ? problem(opencl::DeviceAnswer::Crashed, "crashed (SIGSEGV)")
               : answer();
  };
  Verification V = check(D);
  EXPECT_EQ(V.Verdict, Verification::Unknown);
  EXPECT_FALSE(V.DeviceFailed);
  EXPECT_EQ(V.Evidence, "no valid inputs were found: the original's launch "
                        "crashed (SIGSEGV)");
}

TEST(Verify, OddImagesAndUnknownStructuresAreDeclined) {
  FakeDevice D;
  auto argument = [&](const char *Type, const char *Address,
                      json::Value Access) {
    D.Args = json::Array{json::Object{{"name", "x"},
                                      {"type", Type},
                                      {"address", Address},
                                      {"access", std::move(Access)}}};
    return check(D).Evidence;
  };
  EXPECT_EQ(argument("image2d_depth_t", "global", "read_only"),
            "argument 0 'x' is an image of type image2d_depth_t");
  EXPECT_EQ(argument("int", "global", "read_only"), "argument 0 'x' is a pipe");
  EXPECT_EQ(argument("image_size", "private", nullptr),
            "argument 0 'x' is a structure of unknown size");
  EXPECT_EQ(D.Runs, 0u);
}

TEST(Verify, WithoutADeviceItSaysSo) {
  ChosenDevice None;
  None.Absent = "no OpenCL device";
  Verification V = verify::verify({}, {}, "k", nullptr, None, {});
  EXPECT_EQ(V.Verdict, Verification::Unknown);
  EXPECT_EQ(V.Evidence, "no OpenCL device");
}

/// The global sizes of the versions of \p Job that are \p Which.
static std::set<int64_t> sizesOf(const json::Object &Job, StringRef Which) {
  std::set<int64_t> Out;
  for (int64_t I : versions(Job, Which)) {
    const json::Object &V =
        *(*Job.getArray("versions"))[size_t(I)].getAsObject();
    const json::Array *Own = V.getArray("global");
    Out.insert(*(Own ? *Own : *Job.getArray("global")).front().getAsInteger());
  }
  return Out;
}

TEST(Verify, ANewVersionIsLaunchedAsItsHostMust) {
  FakeDevice D;
  unsigned Jobs = 0;
  D.OnRun = [&](const json::Object &Job) {
    int64_t Old4 = *sizesOf(Job, Old).begin();
    if (versions(Job, New).empty())
      return answer(); // how long does a large launch take?
    EXPECT_EQ(sizesOf(Job, New), std::set<int64_t>{Old4 / 4});
    EXPECT_EQ(Old4 % 4, 0);
    ++Jobs;
    return answer();
  };
  VerifyOptions Options;
  Options.Change.Factors = {4};
  EXPECT_EQ(check(D, Options).Evidence, "bit-identical on 32 rounds on fake");
  EXPECT_GE(Jobs, 32u);
}

TEST(Verify, ALaunchThatDoesNotFitIsLeftOutOutLoud) {
  FakeDevice D;
  D.OnRun = [](const json::Object &) { return answer(); };
  VerifyOptions Options;
  Options.Change.Factors = {4};
  Options.Launches.resize(2);
  Options.Launches[0].Global = {64};
  Options.Launches[1].Global = {62};
  Verification V = check(D, Options);
  EXPECT_EQ(V.Verdict, Verification::Unknown);
  EXPECT_EQ(V.Evidence,
            "1 of the 2 launches that are given never ran: a launch does not "
            "fit the new version: its global size in dimension 0, 62, is not "
            "a multiple of 4");
}

TEST(Verify, ADifferenceAtOtherSizesCanBeReplayed) {
  FakeDevice D;
  D.OnRun = [](const json::Object &Job) { return answer(versions(Job, New)); };
  VerifyOptions Options;
  Options.Change.Factors = {2};
  Verification V = check(D, Options);
  ASSERT_EQ(V.Verdict, Verification::Different);
  Expected<json::Value> Job = json::parse(V.Replay);
  ASSERT_TRUE(bool(Job));
  const json::Object &O = *Job->getAsObject();
  EXPECT_EQ(*sizesOf(O, Old).begin(), 2 * *sizesOf(O, New).begin());
}
