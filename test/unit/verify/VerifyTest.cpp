// Verification with a device that does what the test says: every verdict, and
// what the original may do wrong before one is given.
#include "verify/Verify.h"
#include "verify/Versions.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace llvm;

namespace {

constexpr StringRef Old = "old", New = "new";

/// A channel whose launches are answered by OnRun.
class FakeDevice : public DeviceChannel {
public:
  using Handler = std::function<DeviceAnswer(const json::Object &)>;
  Handler OnRun;
  /// Arguments of the one kernel, k.
  json::Array Args{json::Object{{"name", "p"},
                                {"type", "int*"},
                                {"address", "global"},
                                {"access", nullptr}}};
  unsigned Runs = 0;
  std::string LastArgs;

  DeviceAnswer call(json::Object Job) override {
    DeviceAnswer A;
    if (Job.getString("job") == "build") {
      A.Body["kernels"] =
          json::Array{json::Object{{"name", "k"}, {"args", json::Array(Args)}}};
      return A;
    }
    ++Runs;
    raw_string_ostream(LastArgs = "")
        << json::Value(json::Array(*Job.getArray("args")));
    return OnRun(Job);
  }
};

DeviceAnswer problem(DeviceAnswer::Kind Status, const char *Text) {
  DeviceAnswer A;
  A.Status = Status;
  A.Problem = Text;
  return A;
}

/// The versions of \p Job whose text contains \p Text.
std::vector<int64_t> versions(const json::Object &Job, StringRef Text) {
  std::vector<int64_t> Out;
  int64_t I = 0;
  for (const json::Value &V : *Job.getArray("versions")) {
    if (V.getAsObject()->getString("source")->contains(Text))
      Out.push_back(I);
    ++I;
  }
  return Out;
}

/// An answer in which \p Differing leave other results.
DeviceAnswer answer(ArrayRef<int64_t> Differing = {}) {
  DeviceAnswer A;
  A.Body["buffers"] = json::Array{json::Object{{"arg", 0}, {"changed", true}}};
  json::Array List;
  for (int64_t V : Differing)
    List.push_back(json::Object{{"version", V},
                                {"arg", 0},
                                {"element", 5},
                                {"expected", "0a"},
                                {"actual", "0b"}});
  A.Body["differences"] = std::move(List);
  return A;
}

DeviceAnswer outside(int64_t Version, int64_t Offset) {
  DeviceAnswer A = answer();
  A.Body["out_of_bounds"] = json::Array{json::Object{{"version", Version},
                                                     {"arg", 0},
                                                     {"offset", Offset},
                                                     {"bytes", 256},
                                                     {"kind", "write"}}};
  return A;
}

Verification check(FakeDevice &Device, VerifyOptions Options = {}) {
  Source Before, After;
  Before.Text = Old.str();
  After.Text = New.str();
  ChosenDevice D;
  D.Channel = &Device;
  D.Name = "fake";
  return verify(Before, After, "k", nullptr, D, Options);
}

} // namespace

TEST(Verify, EqualLaunchesAreTheSame) {
  FakeDevice D;
  D.OnRun = [](const json::Object &) { return answer(); };
  Verification V = check(D);
  EXPECT_EQ(V.Verdict, Verification::Same);
  EXPECT_EQ(V.Evidence, "bit-identical on 12 rounds on fake");
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
  EXPECT_EQ(check(D, Options).Evidence, "bit-identical on 24 rounds on fake");
  EXPECT_EQ(Seen, (std::map<int64_t, unsigned>{{320, 12}, {640, 12}}));
}

TEST(Verify, ADifferenceHasItsWitness) {
  FakeDevice D;
  D.OnRun = [](const json::Object &Job) { return answer(versions(Job, New)); };
  Verification V = check(D);
  ASSERT_EQ(V.Verdict, Verification::Different);
  EXPECT_EQ(V.Evidence, "argument 0 'p', element 5: 0b instead of 0a (round 1, "
                        "small inputs, on fake)");
  ASSERT_TRUE(V.How);
  EXPECT_EQ(V.How->Kernel, "k");
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

/// An answer in which each version is so many ulps away from version 0, in
/// argument 0; none for those at 0.
static DeviceAnswer ulps(ArrayRef<int64_t> Apart) {
  DeviceAnswer A = answer();
  json::Array List;
  for (size_t V = 0; V < Apart.size(); ++V)
    if (Apart[V])
      List.push_back(json::Object{{"version", int64_t(V)},
                                  {"arg", 0},
                                  {"element", 5},
                                  {"expected", "0a"},
                                  {"actual", "0b"},
                                  {"max_ulps", Apart[V]},
                                  {"max_relative", double(Apart[V]) / 1e7}});
  A.Body["differences"] = std::move(List);
  return A;
}

static VerifyOptions declared(StringRef Text) {
  VerifyOptions Options;
  Options.Rounds = 2;
  Options.Allowed.Declared = cantFail(parseTolerance(Text));
  return Options;
}

/// A device whose original is \p Own ulps apart from itself, and the new
/// version \p New from the original.
static FakeDevice::Handler apart(int64_t Own, int64_t New) {
  return [=](const json::Object &Job) {
    std::vector<int64_t> List(Job.getArray("versions")->size(), Own);
    List.front() = 0;
    for (int64_t V : versions(Job, ::New))
      List[size_t(V)] = New;
    return ulps(List);
  };
}

TEST(Verify, ARacingOriginalIsComparedWithinTheDeclaredTolerance) {
  FakeDevice D;
  D.OnRun = apart(3, 2);
  EXPECT_EQ(check(D).Verdict, Verification::Unknown) << "as ever without one";
  Verification V = check(D, declared("4"));
  EXPECT_EQ(V.Verdict, Verification::Same);
  EXPECT_EQ(V.Evidence,
            "not bit-identical: on 2 rounds on fake the original differs from "
            "itself by up to 3 ulps, and the versions agree within the "
            "declared tolerance of 4 ulps (up to 2 ulps apart)");
  V = check(D, declared("1e-6"));
  EXPECT_EQ(V.Verdict, Verification::Same);
  EXPECT_NE(V.Evidence.find("by up to 3e-07 relative"), std::string::npos);
}

TEST(Verify, BeyondTheDeclaredToleranceIsDifferent) {
  FakeDevice D;
  D.OnRun = apart(3, 5);
  Verification V = check(D, declared("4ulp"));
  EXPECT_EQ(V.Verdict, Verification::Different);
  EXPECT_EQ(V.Evidence,
            "argument 0 'p', element 5: 0b instead of 0a (5 ulps apart, "
            "allowed 4 ulps) (round 1, small inputs, on fake)");
}

TEST(Verify, AnOriginalBeyondTheToleranceProvesNothing) {
  FakeDevice D;
  D.OnRun = apart(5, 2);
  Verification V = check(D, declared("4"));
  EXPECT_EQ(V.Verdict, Verification::Unknown);
  EXPECT_EQ(V.Evidence, "the original's results differ between two runs of "
                        "itself beyond the declared tolerance of 4 ulps: a "
                        "race, or sums whose order is not fixed");
}

TEST(Verify, TheToleranceDoesNotLoosenSteadyRounds) {
  FakeDevice D;
  D.OnRun = apart(0, 1);
  EXPECT_EQ(check(D, declared("100")).Verdict, Verification::Different);
}

TEST(Verify, NorSteadyBuffersOfRacingRounds) {
  FakeDevice D;
  D.OnRun = [](const json::Object &Job) {
    DeviceAnswer A = apart(1, 1)(Job);
    for (int64_t V : versions(Job, New))
      A.Body.getArray("differences")
          ->push_back(json::Object{{"version", V},
                                   {"arg", 1},
                                   {"element", 7},
                                   {"expected", "0c"},
                                   {"actual", "0d"},
                                   {"max_ulps", 1}});
    return A;
  };
  Verification V = check(D, declared("4"));
  EXPECT_EQ(V.Verdict, Verification::Different);
  EXPECT_EQ(V.Evidence.find("argument 1 '', element 7: 0d instead of 0c ("),
            0u);
}

TEST(Verify, ARaceThatShowsLateIsToleratedToo) {
  FakeDevice D;
  D.OnRun = [](const json::Object &Job) {
    bool Early = Job.getArray("versions")->size() < 6;
    return apart(Early ? 0 : 3, 2)(Job);
  };
  EXPECT_EQ(check(D, declared("4")).Verdict, Verification::Same);
  EXPECT_EQ(check(D, declared("2")).Verdict, Verification::Unknown);
}

TEST(Verify, OneLaunchBeyondTheToleranceIsNoAgreement) {
  FakeDevice D;
  D.OnRun = [](const json::Object &Job) {
    return apart(1, Job.getArray("versions")->size() < 6 ? 9 : 1)(Job);
  };
  EXPECT_EQ(check(D, declared("4")).Verdict, Verification::Unknown);
}

TEST(Verify, IntegersHaveNoTolerance) {
  FakeDevice D;
  D.OnRun = [](const json::Object &) { return answer({1, 2}); };
  EXPECT_EQ(check(D, declared("4")).Verdict, Verification::Unknown);
}

TEST(Verify, ApproximateEditsAreHeldToTheirBound) {
  VerifyOptions Options;
  Options.Allowed.Bound.Ulps = 16;
  Options.Rounds = 3;
  FakeDevice D;
  D.OnRun = apart(0, 15);
  Verification V = check(D, Options);
  EXPECT_EQ(V.Verdict, Verification::Same);
  EXPECT_EQ(V.Evidence,
            "not bit-identical, as an edit is approximate, but within its "
            "bound of 16 ulps on 3 rounds on fake: up to 15 ulps apart in "
            "floating point, the same in all else");
  D.OnRun = apart(0, 0);
  EXPECT_EQ(check(D, Options).Evidence,
            "bit-identical on 3 rounds on fake; an edit is approximate, so "
            "that other inputs may give other bits");
  D.OnRun = apart(0, 17);
  EXPECT_EQ(check(D, Options).Verdict, Verification::Different);
  D.OnRun = apart(1, 1);
  EXPECT_EQ(check(D, Options).Verdict, Verification::Unknown)
      << "the bound is not for originals that race";
  D.OnRun = [](const json::Object &Job) { return answer(versions(Job, New)); };
  EXPECT_EQ(check(D, Options).Verdict, Verification::Different)
      << "integers are compared exactly";
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
               : problem(DeviceAnswer::Crashed, "crashed (SIGSEGV)");
  };
  Verification V = check(D);
  EXPECT_EQ(V.Verdict, Verification::Different);
  EXPECT_EQ(V.Evidence.find("the new version crashed (SIGSEGV), the original"),
            0u);
}

TEST(Verify, ADeadDeviceIsNoVerdict) {
  for (auto [Status, Text] :
       {std::pair(DeviceAnswer::Crashed, "crashed (SIGBUS)"),
        std::pair(DeviceAnswer::TimedOut, "exceeded 60 s")}) {
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

TEST(Verify, AnOriginalThatCrashesIsUnknown) {
  FakeDevice D;
  D.OnRun = [](const json::Object &Job) {
    return versions(Job, "probe").empty()
               ? problem(DeviceAnswer::Crashed, "crashed (SIGSEGV)")
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
  Verification V = verify({}, {}, "k", nullptr, None, {});
  EXPECT_EQ(V.Verdict, Verification::Unknown);
  EXPECT_EQ(V.Evidence, "no OpenCL device");
}

TEST(Versions, TheExactOneHasNoContractionAndKeepsItsLines) {
  Source S;
  S.Text = "\xef\xbb\xbfkernel void k() {}";
  S.Options = {"-D", "N=1", "-cl-mad-enable", "-Wall", "-cl-std=CL1.2"};
  json::Object Exact = deviceProgram(S, Arithmetic::Exact);
  EXPECT_EQ(Exact.getString("source"),
            "#pragma OPENCL FP_CONTRACT OFF\n#line 1\nkernel void k() {}");
  EXPECT_EQ(Exact.getString("options"), "-D N=1 -cl-std=CL1.2");
  json::Object Given = deviceProgram(S, Arithmetic::Given);
  EXPECT_EQ(Given.getString("source"), "kernel void k() {}");
  EXPECT_EQ(Given.getString("options"), "-D N=1 -cl-mad-enable -cl-std=CL1.2");
  S.Text = "// \xff";
  EXPECT_TRUE(deviceProgram(S, Arithmetic::Given).getString("source_base64"));
}
