// Measuring on devices, against a fake channel with made-up answers.
#include "measure/device/DeviceMeter.h"
#include "measure/device/DeviceTargets.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <atomic>
#include <gtest/gtest.h>
#include <thread>

using namespace clrewrite;
using namespace clrewrite::measure;
using namespace llvm;

namespace {

/// Answers each sort of job with a fixed text, or fails.
class FakeChannel : public opencl::DeviceChannel {
public:
  std::map<std::string, std::string> Answers;
  /// To a `run` with "spread", and to one without "time"; empty: as to others.
  std::string Spread, Untimed;
  opencl::DeviceAnswer::Kind Status = opencl::DeviceAnswer::Ok;
  std::string Problem;
  std::vector<std::string> Jobs;
  std::atomic<unsigned> Done = 0;

  opencl::DeviceAnswer call(json::Object Job) override {
    std::string Name = Job.getString("job")->str();
    std::string Other = Job.get("spread")                   ? Spread
                        : Name == "run" && !Job.get("time") ? Untimed
                                                            : "";
    Jobs.push_back(formatv("{0}", json::Value(std::move(Job))));
    opencl::DeviceAnswer A;
    A.Status = Status;
    A.Problem = Problem;
    if (Answers.count(Name))
      A.Body = *cantFail(json::parse(Other.empty() ? Answers[Name] : Other))
                    .getAsObject();
    ++Done;
    return A;
  }
};

const char *Three = R"({"devices": [
  {"index": 0, "name": "Some CPU", "type": "cpu",
   "platform": {"name": "Portable Computing Language"}},
  {"index": 1, "name": "NVIDIA H200", "type": "gpu",
   "platform": {"name": "NVIDIA CUDA"}},
  {"index": 2, "name": "NVIDIA H200", "type": "gpu",
   "platform": {"name": "NVIDIA CUDA"}}]})";

/// "name=index" of each target that \p Names mean.
std::string resolved(ArrayRef<StringRef> Names, const char *Devices = Three) {
  FakeChannel C;
  C.Answers["devices"] = Devices;
  std::vector<Target> Given;
  for (StringRef Name : Names)
    Given.push_back(cantFail(parseTarget(Name)));
  auto Known = resolveDevices(Given, C);
  if (!Known)
    return toString(Known.takeError());
  std::string Out;
  for (const Target &T : *Known)
    Out += T.Name + "=" + std::to_string(T.Device) + ";";
  return Out;
}

const char *NvidiaBuild = R"({"ok": true, "code": "0123", "log":
  "ptxas info : Compiling entry function 'k' for 'sm_90a'\n", "kernels": [
  {"name": "k", "args": [
    {"index": 0, "name": "p", "type": "int*", "address": "global",
     "qualifiers": []}],
   "usage": {"vgprs": 40, "sgprs": null, "spill_bytes": 8, "stack_bytes": 16,
             "private_bytes": 0, "lds_bytes": 0,
             "compile_work_group_size": null}},
  {"name": "a", "args": [], "usage": {"vgprs": null, "lds_bytes": 0}}]})";

Target device() {
  Target Out{"gpu", "", &deviceFamily()};
  Out.Device = 1;
  return Out;
}
Source source(const char *Text) { return {"/k.cl", Text, {}, "-DN=1"}; }

std::string runAnswer(const char *Extra, double Ratio) {
  std::string Rounds;
  for (int I = 0; I < 20; ++I)
    Rounds += (I ? "," : "") + std::to_string(Ratio);
  return R"({"same": true, "time": {"versions": [{"median_ns": 2000},
    {"median_ns": 1000}], "ratios": [null, [)" +
         Rounds + "]]}" + Extra + "}";
}

} // namespace

TEST(DeviceTargets, ProcessorsThatAreTargetsAreKnown) {
  FakeChannel C;
  C.Answers["devices"] = R"({"devices": [
    {"index": 0, "name": "NVIDIA H200",
     "vendor_units": {"compute_capability": "9.0"}},
    {"index": 1, "name": "gfx90a:sramecc+:xnack-"},
    {"index": 2, "name": "gfx9999"},
    {"index": 3, "name": "Some CPU", "vendor_units": null},
    {"index": 4, "name": "Next year's",
     "vendor_units": {"compute_capability": "99.0"}}]})";
  auto Known = resolveDevices({cantFail(parseTarget("device:all"))}, C);
  ASSERT_TRUE(bool(Known));
  std::vector<std::string> Chips;
  for (const Target &T : *Known)
    Chips.push_back(T.Chip);
  EXPECT_EQ(Chips, (std::vector<std::string>{"sm_90", "gfx90a", "", "", ""}));
}

TEST(DeviceTargets, NvidiasDriverSaysThatItTakesItsOptions) {
  FakeChannel C;
  C.Answers["devices"] = R"({"devices": [
    {"index": 0, "name": " A ", "type": "gpu",
     "extensions": ["cl_khr_fp64", "cl_nv_compiler_options"]},
    {"index": 1, "name": "B", "type": "cpu", "extensions": ["cl_khr_fp64"]},
    {"index": 2, "name": "C", "type": "cpu"}]})";
  std::vector<Target> Known =
      cantFail(resolveDevices({cantFail(parseTarget("device:all"))}, C));
  ASSERT_EQ(Known.size(), 3u);
  EXPECT_TRUE(Known[0].TakesNvidiaOptions);
  EXPECT_EQ(Known[0].Model, "A");
  EXPECT_FALSE(Known[1].TakesNvidiaOptions || Known[2].TakesNvidiaOptions);
}

TEST(DeviceTargets, NamesAndAll) {
  EXPECT_EQ(resolved({"device"}), "NVIDIA H200 #1=1;");
  EXPECT_EQ(resolved({"device:cpu"}), "Some CPU=0;");
  EXPECT_EQ(resolved({"device:portable"}), "Some CPU=0;");
  EXPECT_EQ(resolved({"device:all"}),
            "Some CPU=0;NVIDIA H200 #1=1;NVIDIA H200 #2=2;");
  EXPECT_EQ(resolved({"gfx906", "device:h200", "device:all"}),
            "gfx906=0;NVIDIA H200 #1=1;Some CPU=0;NVIDIA H200 #2=2;");
}

TEST(DeviceTargets, NoneIsAnError) {
  EXPECT_EQ(resolved({"device:amd"}),
            "target 'device:amd': no such device (there are: Some CPU, NVIDIA "
            "H200, NVIDIA H200)");
  EXPECT_EQ(resolved({"device"}, R"({"devices": []})"),
            std::string("target 'device': there is no OpenCL device: ") +
                opencl::NoDeviceRemedy +
                "; registers and waves need none, as with --target=gfx906");
}

TEST(DeviceMeter, FiguresAndUnknownOnes) {
  FakeChannel C;
  C.Answers["build"] = NvidiaBuild;
  DeviceMeter M(C);
  Measurement R = M.measure({{source("text"), device(), {}}}).front();
  ASSERT_EQ(R.Kernels.size(), 2u);
  EXPECT_EQ(R.Kernels[0].Kernel, "a");
  EXPECT_FALSE(R.Kernels[0].Figures.Vgprs);
  EXPECT_FALSE(R.Kernels[0].Figures.ScratchBytes);
  EXPECT_FALSE(R.Kernels[0].Figures.Occupancy);
  const Usage &U = R.Kernels[1].Figures;
  EXPECT_EQ(U.Vgprs, 40u);
  EXPECT_EQ(U.ScratchBytes, 16u);
  EXPECT_EQ(U.Occupancy, 48u);
  EXPECT_EQ(U.VgprsToNextStep, 8u);
  EXPECT_EQ(U.VgprsAllocated, 40u);
  EXPECT_EQ(U.WaveSize, 32u);
  EXPECT_FALSE(U.Sgprs);
  EXPECT_FALSE(U.VgprSpills);
  EXPECT_EQ(R.Kernels[1].CodeHash, "0123");
  EXPECT_NE(C.Jobs[0].find(R"("options":"-DN=1")"), std::string::npos);
  EXPECT_NE(C.Jobs[0].find(R"("device":1)"), std::string::npos);
}

TEST(DeviceMeter, BuildsAVersionOnce) {
  FakeChannel C;
  C.Answers["build"] = NvidiaBuild;
  DeviceMeter M(C);
  EXPECT_EQ(M.measure({{source("text"), device(), {"k"}}})[0].Kernels.size(),
            1u);
  M.measure({{source("text"), device(), {"a"}}});
  EXPECT_EQ(C.Jobs.size(), 1u);
  M.measure({{source("other"), device(), {"a"}}});
  EXPECT_EQ(C.Jobs.size(), 2u);
}

/// The texts that a channel was asked to build or run, and by which job.
static std::string textsOf(const FakeChannel &C) {
  std::string Out;
  for (const std::string &Job : C.Jobs)
    Out += (StringRef(Job).contains("\"build\"") ? "build" : "run") +
           std::string(StringRef(Job).contains("text 1") ? " 1" : "") +
           (StringRef(Job).contains("text 2") ? " 2" : "") +
           (StringRef(Job).contains("text 3") ? " 3" : "") + ";";
  return Out;
}

/// Waits until \p M has got the other channel ready, which a thread does.
static void waitFor(DeviceMeter &M, const std::vector<FakeChannel *> &More) {
  for (unsigned I = 0; I < 1000; ++I) {
    // Two texts are enough to ask for another channel.
    M.measure({{source(("one of " + utostr(I)).c_str()), device(), {}},
               {source(("other of " + utostr(I)).c_str()), device(), {}}});
    if (!More.empty() && More.back()->Done > 2)
      return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  FAIL() << "the other channel took no part";
}

TEST(DeviceMeter, BuildsSideBySideAndTimesWhereItBuilt) {
  FakeChannel One;
  std::vector<FakeChannel *> More;
  auto Give = [&](FakeChannel &C) {
    C.Answers["build"] = NvidiaBuild;
    C.Answers["run"] = runAnswer("", 2);
  };
  Give(One);
  DeviceMeter M(One, 2, [&] {
    auto Another = std::make_unique<FakeChannel>();
    Give(*Another);
    More.push_back(Another.get());
    return Another;
  });
  EXPECT_EQ(M.atOnce(), 2u);
  auto time = [&](const char *After) {
    launch::Launch L = cantFail(launch::parseLaunch("k:64:8"));
    L.Types[0] = "unsigned short16*";
    return M.time({{source("text 1"), source(After), device(), L}})[0];
  };
  M.measure({{source("text 1"), device(), {}}, {source("0"), device(), {}}});
  EXPECT_TRUE(More.empty()); // nothing was timed yet
  EXPECT_TRUE(time("text 1").Time.has_value());
  M.measure({{source("00"), device(), {}}});
  EXPECT_TRUE(More.empty()); // one text needs no other
  waitFor(M, More);
  ASSERT_EQ(More.size(), 1u);
  // The other has done first what others are timed against: the same jobs, word
  // for word, though what they were made of is gone.
  EXPECT_TRUE(StringRef(textsOf(*More[0])).starts_with("build 1;run 1;build"))
      << textsOf(*More[0]);
  EXPECT_EQ(More[0]->Jobs[0], One.Jobs[0]);
  auto FirstRun = find_if(
      One.Jobs, [](StringRef Job) { return Job.contains(R"("job":"run")"); });
  ASSERT_NE(FirstRun, One.Jobs.end());
  EXPECT_EQ(More[0]->Jobs[1], *FirstRun);
  M.measure({{source("text 2"), device(), {}},
             {source("text 3"), device(), {}},
             {source("text 2"), device(), {}}});
  bool SecondIsThere = StringRef(textsOf(*More[0])).contains("build 2");
  EXPECT_EQ(StringRef(textsOf(One)).contains("build 2"), !SecondIsThere);
  EXPECT_EQ(StringRef(textsOf(One)).contains("build 3"), SecondIsThere);
  EXPECT_TRUE(time("text 2").Time.has_value());
  EXPECT_EQ(StringRef(textsOf(*More[0])).contains("run 1 2"), SecondIsThere);
  EXPECT_EQ(StringRef(textsOf(One)).contains("run 1 2"), !SecondIsThere);
  EXPECT_TRUE(time("text 3").Time.has_value());
  EXPECT_EQ(StringRef(textsOf(One)).contains("run 1 3"), SecondIsThere);
}

TEST(DeviceMeter, WhatFailsBesideOthersIsDoneAlone) {
  FakeChannel One;
  std::vector<FakeChannel *> More;
  One.Answers["build"] = NvidiaBuild;
  One.Answers["run"] = runAnswer("", 2);
  DeviceMeter M(One, 2, [&] {
    auto Another = std::make_unique<FakeChannel>();
    Another->Answers = One.Answers;
    More.push_back(Another.get());
    return Another;
  });
  launch::Launch L = cantFail(launch::parseLaunch("k:64:8"));
  M.time({{source("text 1"), source("text 1"), device(), L}});
  waitFor(M, More);
  More[0]->Status = opencl::DeviceAnswer::Crashed;
  std::vector<Measurement> Out = M.measure(
      {{source("text 2"), device(), {}}, {source("text 3"), device(), {}}});
  EXPECT_EQ(Out[0].Problem + Out[1].Problem, "");
  EXPECT_NE(textsOf(One).find("build 2"), std::string::npos);
  EXPECT_NE(textsOf(One).find("build 3"), std::string::npos);
}

TEST(DeviceMeter, LargeLaunchesShareNoDevice) {
  for (uint64_t Most : {uint64_t(66559), uint64_t(66560)}) {
    FakeChannel One;
    One.Answers["build"] = NvidiaBuild;
    One.Answers["run"] = runAnswer("", 2);
    unsigned Asked = 0;
    auto Start = [&]() -> std::unique_ptr<opencl::DeviceChannel> {
      ++Asked;
      return nullptr;
    };
    DeviceMeter M(One, 2, Start, Most);
    // One buffer: an element for each work-item, and 64 KiB.
    launch::Launch L = cantFail(launch::parseLaunch("k:64:8"));
    M.time({{source("text 1"), source("text 1"), device(), L}});
    EXPECT_NE(One.Jobs.back().find("\"bytes\":66560,"), std::string::npos);
    M.measure({{source("a"), device(), {}}, {source("b"), device(), {}}});
    EXPECT_EQ(Asked, Most == 66560);
  }
}

TEST(DeviceMeter, AChannelThatFailsToPrepareTakesNoPart) {
  FakeChannel One;
  One.Answers["build"] = NvidiaBuild;
  One.Answers["run"] = runAnswer("", 2);
  unsigned Asked = 0;
  DeviceMeter M(One, 4, [&]() -> std::unique_ptr<opencl::DeviceChannel> {
    if (Asked++)
      return nullptr;
    auto Another = std::make_unique<FakeChannel>();
    Another->Status = opencl::DeviceAnswer::Crashed;
    return Another;
  });
  launch::Launch L = cantFail(launch::parseLaunch("k:64:8"));
  M.time({{source("text 1"), source("text 1"), device(), L}});
  for (const char *Text : {"text 2", "text 3"})
    EXPECT_EQ(
        M.measure(
             {{source(Text), device(), {}},
              {source((Text + std::string("b")).c_str()), device(), {}}})[1]
            .Problem,
        "");
  EXPECT_EQ(Asked, 2u);
}

TEST(DeviceMeter, IntelsSpillsAreScratch) {
  json::Object Figures{{"scratch_bytes", 64}, {"spill_bytes", 32}};
  Usage U = deviceUsage(Figures, "");
  EXPECT_EQ(U.ScratchBytes, 96u);
}

TEST(DeviceMeter, ABuildThatFailsSaysWhy) {
  FakeChannel C;
  C.Status = opencl::DeviceAnswer::Refused;
  C.Problem = "clBuildProgram failed with CL_BUILD_PROGRAM_FAILURE (-11)";
  C.Answers["build"] = R"({"log": "note\nk.cl:1: error: no such thing\n"})";
  EXPECT_EQ(DeviceMeter(C).measure({{source("t"), device(), {}}})[0].Problem,
            C.Problem + ": k.cl:1: error: no such thing");
}

TEST(DeviceMeter, AfterThreeDeathsNoMoreAreRisked) {
  FakeChannel C;
  C.Status = opencl::DeviceAnswer::TimedOut;
  C.Problem = "exceeded 60 s";
  DeviceMeter M(C);
  std::string Last;
  for (const char *Text : {"a", "b", "c", "d", "e"})
    Last = M.measure({{source(Text), device(), {}}})[0].Problem;
  EXPECT_EQ(C.Jobs.size(), 3u);
  EXPECT_EQ(Last, "the device program given up after 3 failures in a row: "
                  "exceeded 60 s");
}

TEST(DeviceMeter, Times) {
  FakeChannel C;
  C.Answers["build"] = NvidiaBuild;
  C.Answers["run"] = runAnswer("", 2);
  DeviceMeter M(C);
  TimeRequest R{source("a"), source("b"), device(),
                cantFail(launch::parseLaunch("k:64:8"))};
  Timing T = M.time({R}).front();
  ASSERT_TRUE(T.Time) << T.Problem;
  EXPECT_EQ(T.Time->BeforeNs, 2000);
  EXPECT_TRUE(T.Time->faster());
  EXPECT_NE(C.Jobs[1].find(R"("local":[8])"), std::string::npos);
}

TEST(DeviceMeter, TimesAVersionThatIsLaunchedOtherwise) {
  FakeChannel C;
  C.Answers["build"] = NvidiaBuild;
  C.Answers["run"] = runAnswer("", 2);
  DeviceMeter M(C);
  TimeRequest R{source("a"), source("b"), device(),
                cantFail(launch::parseLaunch("k:64:8"))};
  R.OfAfter.Factors = {4};
  EXPECT_TRUE(M.time({R}).front().Time);
  EXPECT_NE(C.Jobs[1].find(R"("global":[16])"), std::string::npos);
  EXPECT_NE(C.Jobs[1].find(R"("global":[64])"), std::string::npos);
  R.OfAfter.Factors = {7};
  EXPECT_EQ(M.time({R}).front().Problem,
            "the launch does not fit the new version: its global size in "
            "dimension 0, 64, is not a multiple of 7");
  EXPECT_EQ(C.Jobs.size(), 2u);
}

TEST(DeviceMeter, OriginalsThatVaryAreTimedWithinTheirSpread) {
  FakeChannel C;
  C.Answers["build"] = NvidiaBuild;
  C.Answers["run"] = runAnswer(R"(, "same": false)", 2);
  C.Untimed = R"({"same": false})";
  DeviceMeter M(C);
  TimeRequest R{source("a"), source("b"), device(),
                cantFail(launch::parseLaunch("k:64"))};
  EXPECT_EQ(M.time({R})[0].Problem,
            "the original's own results differ from run to run "
            "(--allow-varying holds exact edits to how far they do)");
  R.MayVary = true;
  auto spread = [](const char *Members) {
    return R"({"spread": {"runs": 16, "buffers": [{"arg": 1, "elements": 9,
               "varying": 3, "max_absolute": 1, "max_relative": 1)" +
           std::string(Members) + "}]}}";
  };
  C.Spread = spread(R"(, "outside": 0, "apart": 0, "excess": 0)");
  EXPECT_TRUE(M.time({R})[0].Time);
  C.Spread = spread(R"(, "outside": 1, "apart": 1, "excess": 99,
                       "apart_excess": 99)");
  EXPECT_EQ(M.time({R})[0].Problem, "the results lie outside the run-to-run "
                                    "spread of the original: argument 1");
  C.Spread = spread(R"(, "permuted": true)");
  EXPECT_NE(M.time({R})[0].Problem.find("no run-to-run spread can be told"),
            std::string::npos);
}

TEST(DeviceMeter, TimesOfWrongResultsAreNone) {
  FakeChannel C;
  C.Answers["build"] = NvidiaBuild;
  DeviceMeter M(C);
  TimeRequest R{source("a"), source("b"), device(),
                cantFail(launch::parseLaunch("k:64"))};
  C.Answers["run"] = R"({"same": false})";
  C.Untimed = R"({"same": true})";
  EXPECT_EQ(M.time({R})[0].Problem, "the two versions leave different results");
  R.MayDiffer = true;
  EXPECT_EQ(M.time({R})[0].Problem, "the device gave no times");
  C.Answers["run"] = runAnswer(
      R"(, "out_of_bounds": [{"arg": 0, "offset": 70, "bytes": 64,
          "kind": "read"}])",
      2);
  EXPECT_EQ(M.time({R})[0].Problem,
            "the launch touches memory outside its buffers (read at byte 70 "
            "of 64, argument 0): give larger buffers or smaller scalars");
  R.Shape.MadeUp = "nobody recorded them";
  EXPECT_NE(M.time({R})[0].Problem.find("; its buffers had made-up contents, "
                                        "since nobody recorded them"),
            std::string::npos);
  R.Shape.Kernel = "nope";
  EXPECT_EQ(M.time({R})[0].Problem,
            "the driver tells no parameters of kernel nope");
}
