// Build options that are tried on a text, with a meter of made-up times.
#include "select/BuildChoice.h"
#include "measure/device/DeviceTargets.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::select;

namespace {

/// The speed-up of each kernel by the option that it is built with; kernels
/// without one spill where the option is "-spills".
class OptionMeter : public measure::Meter {
public:
  std::map<std::string, std::map<std::string, double>> Speedups;
  /// Of the kernels for which the driver takes no limit.
  std::map<std::string, unsigned> Registers;
  std::vector<measure::TimeRequest> Timed;

  std::vector<measure::Measurement>
  measure(llvm::ArrayRef<measure::MeasureRequest> Requests) override {
    std::vector<measure::Measurement> Out;
    for (const measure::MeasureRequest &R : Requests) {
      measure::Measurement &M = Out.emplace_back();
      for (const std::string &Name : R.Kernels) {
        measure::KernelUsage K;
        K.Kernel = Name;
        K.Figures.VgprSpills = R.What.DeviceOptions == "-spills" ? 8 : 0;
        auto Fixed = Registers.find(Name);
        K.Figures.Vgprs = Fixed == Registers.end() ? 24 : Fixed->second;
        M.Kernels.push_back(K);
      }
    }
    return Out;
  }
  std::vector<measure::Timing>
  time(llvm::ArrayRef<measure::TimeRequest> Requests) override {
    std::vector<measure::Timing> Out;
    for (const measure::TimeRequest &R : Requests) {
      Timed.push_back(R);
      auto &By = Speedups[R.Shape.Kernel];
      auto It = By.find(R.After.DeviceOptions);
      double Ratio = It == By.end() ? 1 : It->second;
      Out.push_back(
          {measure::PairedTime{100, 100 / Ratio, Ratio, Ratio, Ratio}, ""});
    }
    return Out;
  }
};

struct Trial : OptionMeter {
  SelectOptions O;
  Source Text{"/k.cl", "text", {}};
  std::vector<std::string> Kernels;

  Trial() {
    O.JudgedBy.Goal = Objective::Auto;
    O.Targets = {{"gpu", "", &measure::deviceFamily()}};
    O.Targets[0].Model = "GPU";
    O.Targets[0].TakesNvidiaOptions = true;
    for (const char *Option : {"-a", "-b"})
      O.BuildOptions.push_back({Option});
    add("f");
    add("g");
  }
  void add(const char *Kernel) {
    Kernels.push_back(Kernel);
    O.Launches.push_back(launch::Launch{{{64}, {}}, Kernel, {}, {}});
  }
  std::vector<BuildChoice> choices() {
    return tryBuildOptions({Text}, Kernels, *this, O);
  }
};

} // namespace

TEST(BuildChoice, TheOneThatGainsMostComesFirst) {
  Trial T;
  T.Speedups = {{"f", {{"-a", 1.2}, {"-b", 2}}}, {"g", {{"-b", 1}}}};
  std::vector<BuildChoice> List = T.choices();
  ASSERT_EQ(List.size(), 2u);
  EXPECT_EQ(List[0].Option.Text, "-b");
  EXPECT_TRUE(List[0].Pays && List[1].Pays);
  EXPECT_FALSE(List[0].Kept) << "nobody has verified it";
  EXPECT_EQ(List[0].Device, "GPU");
  EXPECT_NEAR(List[0].speedup(), 1.414, 1e-3);
  EXPECT_EQ(List[0].sentence(),
            "build with -b on gpu: 1.41x; the host must pass the option, since "
            "no edit of the source can");
  for (const measure::TimeRequest &R : T.Timed) {
    EXPECT_EQ(R.Before.DeviceOptions, "");
    EXPECT_FALSE(R.MayDiffer);
  }
}

TEST(BuildChoice, AllKernelsTogetherGainAndNoneLoses) {
  Trial T;
  T.Speedups = {{"f", {{"-a", 2}, {"-b", 1.2}}}, {"g", {{"-a", 0.9}}}};
  std::vector<BuildChoice> List = T.choices();
  EXPECT_TRUE(List[0].Pays);
  EXPECT_EQ(List[0].Option.Text, "-b");
  EXPECT_FALSE(List[1].Pays);
  EXPECT_EQ(List[1].Reason, "time rises, 0.1 -> 0.1 us (0.90x, 0.90 to "
                            "0.90)");
  // Two are a little slower each, within what counts as the same.
  T.add("h");
  T.Speedups = {
      {"f", {{"-a", 1.015}}}, {"g", {{"-a", 0.991}}}, {"h", {{"-a", 0.991}}}};
  List = T.choices();
  EXPECT_FALSE(List[0].Pays || List[1].Pays);
  EXPECT_EQ(List[1].Reason,
            "one kernel is faster, but not all of them together");
}

TEST(BuildChoice, AKernelThatIsNotTimedMustNotGetWorse) {
  Trial T;
  T.O.BuildOptions = {{"-spills"}};
  T.Speedups["f"]["-spills"] = 2;
  EXPECT_TRUE(T.choices()[0].Pays) << "time decides for both";
  T.O.Launches.pop_back();
  std::vector<BuildChoice> List = T.choices();
  EXPECT_FALSE(List[0].Pays);
  EXPECT_EQ(List[0].Reason, "spills rise from 0 to 8");
}

TEST(BuildChoice, IsTriedWhereADeviceTakesItAndTimeDecides) {
  Trial T;
  EXPECT_TRUE(triesBuildOptions(T.O));
  for (BuildOption &O : T.O.BuildOptions)
    O.NvidiaOnly = true;
  EXPECT_TRUE(triesBuildOptions(T.O));
  T.O.Targets[0].TakesNvidiaOptions = false;
  EXPECT_FALSE(triesBuildOptions(T.O));
  EXPECT_TRUE(T.choices().empty());
  T = Trial();
  T.O.JudgedBy.Goal = Objective::Occupancy;
  EXPECT_FALSE(triesBuildOptions(T.O));
  EXPECT_TRUE(T.choices().empty());
  T = Trial();
  T.O.Launches.clear();
  EXPECT_FALSE(triesBuildOptions(T.O));
}

TEST(BuildChoice, KernelsAreLaunchedAsTheEditsAsk) {
  Trial T;
  launch::LaunchChange Half = cantFail(launch::parseLaunchChange("2"));
  tryBuildOptions({T.Text, {{"f", Half}}}, {"f"}, T, T.O);
  ASSERT_FALSE(T.Timed.empty());
  EXPECT_EQ(T.Timed[0].OfBefore, Half);
  EXPECT_EQ(T.Timed[0].OfAfter, Half);
}

TEST(BuildChoice, ApproximateOptionsMayLeaveOtherResults) {
  Trial T;
  T.O.BuildOptions = {{"-a", rewrite::Safety::Approximate}};
  T.choices();
  ASSERT_FALSE(T.Timed.empty());
  EXPECT_TRUE(T.Timed[0].MayDiffer);
}

TEST(BuildChoice, WhatTheClockLeavesOutIsTold) {
  Trial T;
  T.O.Stop = [&] { return !T.Timed.empty(); };
  T.Speedups["f"]["-a"] = 2;
  std::vector<BuildChoice> List = T.choices();
  ASSERT_EQ(List.size(), 2u);
  EXPECT_TRUE(List[0].Pays);
  EXPECT_EQ(List[1].Reason, "not tried: the time for the search was over");
}

TEST(BuildChoice, LimitsThatTheDriverDoesNotTakeAreNotTimed) {
  Trial T;
  T.O.BuildOptions = cantFail(buildOptionsNamed({"registers"}));
  T.O.BuildOptions.push_back({"-a"});
  T.Registers = {{"f", 30}, {"g", 72}};
  T.Speedups["f"] = {{"-cl-nv-maxrregcount=80", 2}, {"-a", 1.5}};
  std::vector<BuildChoice> List = T.choices();
  ASSERT_EQ(List.size(), 12u);
  EXPECT_EQ(List[0].Option.Text, "-a");
  EXPECT_TRUE(List[0].Pays);
  EXPECT_FALSE(List[1].Pays);
  EXPECT_TRUE(List[1].Tried);
  EXPECT_EQ(List[1].Reason,
            "the driver takes no limit for these kernels: with "
            "-cl-nv-maxrregcount=24 g has 72 registers, as it does where the "
            "source has reqd_work_group_size");
  for (const measure::TimeRequest &R : T.Timed)
    EXPECT_EQ(R.After.DeviceOptions, "-a");
  // Where one kernel takes them they may do something.
  T.Registers = {{"f", 30}};
  EXPECT_EQ(T.choices()[0].Option.Text, "-cl-nv-maxrregcount=80");
}

TEST(BuildChoice, OptionsAreNamed) {
  auto Texts = [](llvm::ArrayRef<std::string> Words) {
    std::string Out;
    for (const BuildOption &O : cantFail(buildOptionsNamed(Words)))
      Out += O.Text + (O.NvidiaOnly ? "! " : " ");
    return Out;
  };
  EXPECT_EQ(cantFail(buildOptionsNamed({"registers"})).size(), 11u);
  EXPECT_EQ(Texts({"-cl-nv-maxrregcount=80", "-cl-mad-enable"}),
            "-cl-nv-maxrregcount=80! -cl-mad-enable ");
  EXPECT_EQ(Texts({"registers", "off"}), "");
  for (const char *Wrong : {"-cl-nv-maxrregcount=8", "-DN=1", "", "-O3"})
    EXPECT_TRUE(
        llvm::errorToBool(buildOptionsNamed({std::string(Wrong)}).takeError()))
        << Wrong;
}
