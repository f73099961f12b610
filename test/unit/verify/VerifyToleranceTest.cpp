// Verification of results that need not be bit-identical.
#include "FakeDevice.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::verify;
using namespace llvm;

/// An answer in which each version is so many ulps away from version 0, in
/// argument 0; none for those at 0.
static opencl::DeviceAnswer ulps(ArrayRef<int64_t> Apart) {
  opencl::DeviceAnswer A = answer();
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
/// version \p Changed from the original.
static FakeDevice::Handler apart(int64_t Own, int64_t Changed) {
  return [=](const json::Object &Job) {
    std::vector<int64_t> List(Job.getArray("versions")->size(), Own);
    List.front() = 0;
    for (int64_t V : versions(Job, New))
      List[size_t(V)] = Changed;
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
    opencl::DeviceAnswer A = apart(1, 1)(Job);
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
            "not bit-identical, as a change is approximate, but within its "
            "bound of 16 ulps on 3 rounds on fake: up to 15 ulps apart in "
            "floating point, the same in all else");
  D.OnRun = apart(0, 0);
  EXPECT_EQ(check(D, Options).Evidence,
            "bit-identical on 3 rounds on fake; a change is approximate, so "
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

namespace {

/// An original that races, whose spread is told by \p Members of its buffer.
FakeDevice::Handler varying(json::Object Members) {
  return [=](const json::Object &Job) {
    if (!Job.get("spread"))
      return apart(5, 5)(Job);
    json::Object B{{"arg", 0},
                   {"elements", 64},
                   {"varying", 60},
                   {"max_absolute", 3e-7},
                   {"max_relative", 2e-7}};
    for (const auto &[Name, Value] : Members)
      B[Name] = Value;
    opencl::DeviceAnswer A;
    A.Body["spread"] = json::Object{{"runs", *Job.getInteger("spread")},
                                    {"buffers", json::Array{std::move(B)}}};
    return A;
  };
}

VerifyOptions heldToSpread() {
  VerifyOptions Options;
  Options.Rounds = 2;
  Options.Allowed.Varying = true;
  LaunchShape Shape;
  Shape.Global = {64};
  Options.Launches = {Shape};
  return Options;
}

} // namespace

TEST(VerifySpread, IsAVerdictOfItsOwn) {
  FakeDevice D;
  D.OnRun = varying(json::Object{{"outside", 2}, {"excess", 1.26}});
  Verification V = check(D, heldToSpread());
  EXPECT_EQ(V.Verdict, Verification::Varying);
  EXPECT_EQ(name(V.Verdict), "within-spread");
  EXPECT_EQ(V.Evidence,
            "agrees within the run-to-run spread of the original, on 2 rounds "
            "of 16 runs on fake: 60 of 64 elements vary by up to 3e-07 (2e-07 "
            "of the larger value), and those of the new version reach 1.3 "
            "times as far as is usual beyond that");
}

TEST(VerifySpread, NeedsTheOptionAndALaunch) {
  FakeDevice D;
  D.OnRun = varying({});
  VerifyOptions Options = heldToSpread();
  Options.Allowed.Varying = false;
  Verification V = check(D, Options);
  EXPECT_EQ(V.Verdict, Verification::Unknown);
  EXPECT_NE(V.Evidence.find("--allow-varying"), std::string::npos);
  Options = heldToSpread();
  Options.Launches.clear();
  EXPECT_EQ(check(D, Options).Verdict, Verification::Unknown);
}

TEST(VerifySpread, OutsideOfItIsDifferentWithAWitness) {
  FakeDevice D;
  D.OnRun = varying(
      json::Object{{"outside", 1},
                   {"excess", 90},
                   {"apart", 1},
                   {"apart_excess", 90},
                   {"element", json::Object{{"index", 7},
                                            {"old", json::Array{"1", "2"}},
                                            {"new", json::Array{"9", "9"}}}}});
  Verification V = check(D, heldToSpread());
  EXPECT_EQ(V.Verdict, Verification::Different);
  EXPECT_EQ(V.Evidence, "outside the run-to-run spread of the original: "
                        "argument 0, element 7: 9 in 64 runs, where 64 runs of "
                        "the original leave 1 to 2 ('p') (round 1, small "
                        "inputs, on fake)");
  ASSERT_TRUE(V.How);
  EXPECT_EQ(V.How->Element, 7u);
  EXPECT_FALSE(V.Replay.empty());
}

TEST(VerifySpread, WhatCannotBeToldIsUnknown) {
  FakeDevice D;
  D.OnRun = varying(json::Object{{"permuted", true}});
  EXPECT_EQ(check(D, heldToSpread()).Verdict, Verification::Unknown);
  D.OnRun = varying(json::Object{{"outside", 1}, {"excess", 90}});
  EXPECT_EQ(check(D, heldToSpread()).Verdict, Verification::Unknown);
}

TEST(VerifySpread, AKernelThatRacesLateIsHeldToIt) {
  FakeDevice D;
  D.OnRun = [](const json::Object &Job) {
    if (Job.get("spread"))
      return varying({})(Job);
    if (Job.getArray("versions")->size() < 6)
      return answer(versions(Job, New));
    return answer({3, 4});
  };
  EXPECT_EQ(check(D, heldToSpread()).Verdict, Verification::Varying);
}

TEST(VerifySpread, TheWorseOfTwoVerdictsCounts) {
  using V = Verification;
  EXPECT_EQ(worse(V::Same, V::Varying), V::Varying);
  EXPECT_EQ(worse(V::Unknown, V::Varying), V::Unknown);
  EXPECT_EQ(worse(V::Different, V::Unknown), V::Different);
  EXPECT_EQ(worse(V::Same, V::Same), V::Same);
}
