// Devices of several machines, which fakes stand for.
#include "measure/device/FarmMeter.h"
#include "measure/device/DeviceTargets.h"
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>

using namespace clrewrite;
using namespace clrewrite::measure;
using namespace llvm;

namespace {

/// A device that takes as long as it is told.
class FakeMachine : public opencl::DeviceChannel {
public:
  std::vector<double> References{100}; ///< us; the last one stays
  unsigned BusyTimes = 0;
  std::function<void()> InRun = [] {};

  opencl::DeviceAnswer call(json::Object Job) override {
    opencl::DeviceAnswer A;
    if (Job.getString("job") == "build") {
      A.Body = json::Object{
          {"kernels", json::Array{json::Object{{"name", "k"},
                                               {"args", json::Array()},
                                               {"usage", json::Object()}}}}};
      return A;
    }
    const json::Array &Versions = *Job.getArray("versions");
    if (Versions.size() == 1) {
      double Now = References.front();
      if (References.size() > 1)
        References.erase(References.begin());
      A.Body["time"] = json::Object{
          {"versions", json::Array{json::Object{{"min_ns", Now * 1e3}}}}};
      return A;
    }
    if (BusyTimes) {
      --BusyTimes;
      A.Status = opencl::DeviceAnswer::Refused;
      A.Body["name"] = "BUSY";
      return A;
    }
    InRun();
    A.Body["same"] = true;
    A.Body["time"] = json::Object{
        {"versions", json::Array{json::Object{{"median_ns", 2e3}},
                                 json::Object{{"median_ns", 1e3}}}},
        {"ratios",
         json::Array{nullptr, json::Array(std::vector<double>(20, 2.0))}}};
    return A;
  }
};

TimeRequest on(const char *Host, bool IsCpu = false) {
  TimeRequest R;
  R.Before.Text = "kernel void k() {}";
  R.After.Text = "kernel void k() { }";
  R.On = cantFail(parseTarget("device"));
  R.On.Host = Host;
  R.On.IsCpu = IsCpu;
  R.Shape.Kernel = "k";
  R.Shape.Global = {64};
  return R;
}

/// A farm of one machine, which is \p Given.
std::unique_ptr<FarmMeter> farmOf(std::unique_ptr<FakeMachine> Given) {
  auto Farm = std::make_unique<FarmMeter>();
  Farm->add("a", std::move(Given));
  return Farm;
}

} // namespace

TEST(FarmMeter, MachinesWorkAtTheSameTime) {
  FarmMeter Farm;
  std::mutex Lock;
  std::condition_variable Changed;
  unsigned Inside = 0;
  for (const char *Host : {"a", "b"}) {
    auto M = std::make_unique<FakeMachine>();
    M->InRun = [&] {
      std::unique_lock<std::mutex> Held(Lock);
      ++Inside;
      Changed.notify_all();
      EXPECT_TRUE(Changed.wait_for(Held, std::chrono::seconds(20),
                                   [&] { return Inside == 2; }));
    };
    Farm.add(Host, std::move(M));
  }
  std::vector<Timing> Out = Farm.time({on("b"), on("nobody"), on("a")});
  ASSERT_EQ(Out.size(), 3u);
  EXPECT_TRUE(Out[0].Time) << Out[0].Problem;
  EXPECT_EQ(Out[1].Problem, "nothing runs there");
  EXPECT_TRUE(Out[2].Time) << Out[2].Problem;
  EXPECT_EQ(Out[0].Time->Ratio, 2);
}

TEST(FarmMeter, TimesOfADeviceThatGotSlowerAreDropped) {
  auto M = std::make_unique<FakeMachine>();
  // Before the first times, and after each: the third are taken while somebody
  // else uses the device.
  M->References = {100, 104, 98, 130, 101};
  auto Farm = farmOf(std::move(M));
  EXPECT_TRUE(Farm->time(on("a")).front().Time);
  EXPECT_TRUE(Farm->time(on("a")).front().Time);
  Timing Slow = Farm->time(on("a")).front();
  EXPECT_FALSE(Slow.Time);
  EXPECT_EQ(Slow.Problem,
            "the device is throttled, or somebody else uses it: the reference "
            "kernel takes 1.33 times as long as before");
  EXPECT_TRUE(Farm->time(on("a")).front().Time);
}

TEST(FarmMeter, AProcessorHasNoReference) {
  auto M = std::make_unique<FakeMachine>();
  M->References = {100, 900};
  auto Farm = farmOf(std::move(M));
  EXPECT_TRUE(Farm->time(on("a", /*IsCpu=*/true)).front().Time);
}

TEST(FarmMeter, ABusyDeviceIsWaitedFor) {
  auto M = std::make_unique<FakeMachine>();
  M->BusyTimes = 3;
  auto Farm = farmOf(std::move(M));
  EXPECT_TRUE(Farm->time(on("a")).front().Time);
}
