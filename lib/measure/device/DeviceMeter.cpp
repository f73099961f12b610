// Measuring on devices: jobs out, figures in.
#include "measure/device/DeviceMeter.h"
#include "measure/LaunchArguments.h"
#include "measure/nvptx/NvidiaLimits.h"
#include "opencl/Spread.h"
#include "ptxas/PtxasLog.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::measure {

/// After so many jobs in a row that ended with the device program dead, the
/// device is taken for lost.
static constexpr unsigned MostFailures = 3;

Usage deviceUsage(const json::Object &Figures, StringRef Arch) {
  auto count = [&](StringRef Name) -> std::optional<unsigned> {
    auto V = Figures.getInteger(Name);
    return V && *V >= 0 ? std::optional<unsigned>(unsigned(*V)) : std::nullopt;
  };
  Usage U;
  U.Vgprs = count("vgprs");
  U.Agprs = count("agprs");
  U.Sgprs = count("sgprs");
  U.VgprSpills = count("vgpr_spills");
  U.SgprSpills = count("sgpr_spills");
  U.LdsBytes = count("lds_bytes");
  for (StringRef Name : {"scratch_bytes", "stack_bytes", "private_bytes"})
    if (!U.ScratchBytes)
      U.ScratchBytes = count(Name);
  // NVIDIA's stack frame holds the spills; Intel counts them apart.
  if (auto Spilled = count("spill_bytes"); Spilled && !count("stack_bytes"))
    U.ScratchBytes = U.ScratchBytes.value_or(0) + *Spilled;
  // Of AMD's metadata; Intel's is the width of a SIMD instruction.
  if (U.Sgprs)
    U.WaveSize = count("simd_width");
  if (const json::Array *Required =
          Figures.getArray("compile_work_group_size")) {
    unsigned GroupSize = 1;
    for (const json::Value &N : *Required)
      GroupSize *= unsigned(N.getAsInteger().value_or(1));
    U.GroupMin = U.GroupMax = GroupSize;
  }
  if (!Arch.empty())
    addNvidiaOccupancy(U, Arch, U.GroupMax.value_or(AssumedGroupSize));
  return U;
}

/// Asks channel \p On. What fails on another than the first, which may lack the
/// memory for both, is done on the first.
opencl::DeviceAnswer DeviceMeter::call(json::Object Job, size_t On) {
  opencl::DeviceAnswer A;
  if (On)
    if (A = Others[On - 1]->Channel->call(Job); A.ok())
      return A;
  if (FailuresInARow >= MostFailures) {
    A.Status = opencl::DeviceAnswer::Crashed;
    A.Problem = "given up after " + utostr(MostFailures) +
                " failures in a row: " + LastFailure;
    return A;
  }
  A = Channel.call(std::move(Job));
  if (A.ok() || A.Status == opencl::DeviceAnswer::Refused) {
    FailuresInARow = 0;
    return A;
  }
  ++FailuresInARow;
  LastFailure = A.Problem;
  return A;
}

static std::string keyOf(const Source &S, const Target &On) {
  return utohexstr(hash(S)) + ":" + utostr(On.Device);
}

static json::Object buildJob(const Source &S, const Target &On) {
  json::Object Job = opencl::programOf(S.Text, S.DeviceOptions);
  Job["job"] = "build";
  Job["device"] = On.Device;
  return Job;
}

const DeviceMeter::Built &DeviceMeter::build(const Source &S,
                                             const Target &On) {
  std::string Key = keyOf(S, On);
  if (auto It = Builds.find(Key); It != Builds.end())
    return It->second;
  if (!FirstBuild)
    FirstBuild = buildJob(S, On);
  return Builds[Key] = read(call(buildJob(S, On)));
}

/// What a driver says of a build.
DeviceMeter::Built DeviceMeter::read(const opencl::DeviceAnswer &A) {
  Built Out;
  if (!A.ok()) {
    Out.Figures.Problem = opencl::reasonOf(A);
    return Out;
  }
  auto Log = ptxas::parsePtxasLog(A.Body.getString("log").value_or("").str());
  StringRef Code = A.Body.getString("code").value_or("");
  const json::Array *Kernels = A.Body.getArray("kernels");
  for (const json::Value &Each : Kernels ? *Kernels : json::Array()) {
    const json::Object *O = Each.getAsObject();
    const json::Object *Figures = O ? O->getObject("usage") : nullptr;
    if (!Figures)
      continue;
    KernelUsage K;
    K.Kernel = O->getString("name").value_or("").str();
    K.Figures = deviceUsage(*Figures, Log[K.Kernel].Arch);
    K.CodeHash = Code.str();
    if (const json::Array *Parameters = O->getArray("args"))
      Out.Parameters[K.Kernel] = *Parameters;
    Out.Figures.Kernels.push_back(std::move(K));
  }
  llvm::sort(Out.Figures.Kernels,
             [](const KernelUsage &A, const KernelUsage &B) {
               return A.Kernel < B.Kernel;
             });
  return Out;
}

DeviceMeter::~DeviceMeter() {
  // What its thread has started ends where it was started.
  for (std::unique_ptr<Other> &O : Others)
    O->Thread.async([&O] { O->Channel.reset(); });
}

/// The device memory that the buffers of a `run` take, in bytes.
static uint64_t bytesOf(const json::Object &Run) {
  uint64_t Sum = 0;
  if (const json::Array *Arguments = Run.getArray("args"))
    for (const json::Value &Each : *Arguments)
      if (const json::Object *O = Each.getAsObject())
        if (const json::Object *B = O->getObject("buffer"))
          Sum += uint64_t(B->getInteger("bytes").value_or(0));
  return Sum;
}

void DeviceMeter::startOthers() {
  if (FirstRun && bytesOf(*FirstRun) > MostBytes)
    More = nullptr;
  while (More && FirstRun && Others.size() + 1 < Channels) {
    std::unique_ptr<opencl::DeviceChannel> Another = More();
    if (!Another) {
      More = nullptr;
      return;
    }
    Other &O = *Others.emplace_back(std::make_unique<Other>());
    O.Channel = std::move(Another);
    O.Thread.async([&O, Build = *FirstBuild, Run = *FirstRun] {
      O.Ready = O.Channel->call(Build).ok() && O.Channel->call(Run).ok();
    });
  }
}

/// Builds those of \p Requests that are not known yet, on all channels that are
/// ready. What fails is left to build(), which asks the first channel.
void DeviceMeter::buildTogether(ArrayRef<MeasureRequest> Requests) {
  std::map<std::string, const MeasureRequest *> New;
  for (const MeasureRequest &R : Requests)
    if (std::string Key = keyOf(R.What, R.On); !Builds.count(Key))
      New.emplace(std::move(Key), &R);
  if (New.size() < 2)
    return;
  startOthers();
  using Job = std::pair<std::string, opencl::DeviceAnswer>;
  std::vector<std::vector<Job>> Lists(1 + Others.size());
  std::vector<size_t> Ready = {0};
  for (size_t I = 0; I < Others.size(); ++I)
    if (Others[I]->Ready)
      Ready.push_back(I + 1);
  if (Ready.size() < 2)
    return;
  for (auto &[Key, R] : New)
    Lists[Ready[Next++ % Ready.size()]].push_back({Key, {}});
  auto build = [&](opencl::DeviceChannel &On, std::vector<Job> &List) {
    for (auto &[Key, A] : List)
      A = On.call(buildJob(New.at(Key)->What, New.at(Key)->On));
  };
  for (size_t I : drop_begin(Ready))
    Others[I - 1]->Thread.async(
        [&, I] { build(*Others[I - 1]->Channel, Lists[I]); });
  build(Channel, Lists[0]);
  for (size_t I : drop_begin(Ready))
    Others[I - 1]->Thread.wait();
  for (size_t I : Ready)
    for (auto &[Key, A] : Lists[I])
      if (A.ok()) {
        Builds[Key] = read(A);
        Builds[Key].Home = I;
      }
}

std::vector<Measurement>
DeviceMeter::measure(ArrayRef<MeasureRequest> Requests) {
  buildTogether(Requests);
  std::vector<Measurement> Out;
  for (const MeasureRequest &R : Requests) {
    Measurement M = build(R.What, R.On).Figures;
    if (!R.Kernels.empty())
      llvm::erase_if(M.Kernels, [&](const KernelUsage &K) {
        return !is_contained(R.Kernels, K.Kernel);
      });
    Out.push_back(std::move(M));
  }
  return Out;
}

/// What speaks against the times of a `run`: a launch that touches memory
/// outside its buffers.
static std::string unfit(const json::Object &Answer) {
  if (const json::Array *Outside = Answer.getArray("out_of_bounds");
      Outside && !Outside->empty())
    if (const json::Object *First = Outside->front().getAsObject())
      return ("the launch touches memory outside its buffers (" +
              First->getString("kind").value_or("access") + " at byte " +
              Twine(First->getInteger("offset").value_or(0)) + " of " +
              Twine(First->getInteger("bytes").value_or(0)) + ", argument " +
              Twine(First->getInteger("arg").value_or(0)) +
              "): give larger buffers or smaller scalars")
          .str();
  return "";
}

/// What speaks against timing the versions of \p Job, which have left different
/// results: nothing where the first one does so by itself, and the second may
/// and stays within that.
std::string DeviceMeter::whyDifferent(json::Object Job, bool MayVary,
                                      size_t On) {
  Job.erase("time");
  if (MayVary) {
    opencl::SpreadVerdict V = opencl::compareSpread(
        Job, [&](json::Object Each) { return call(std::move(Each), On); });
    switch (V.Is) {
    case opencl::SpreadVerdict::Agrees:
      return "";
    case opencl::SpreadVerdict::Permuted:
    case opencl::SpreadVerdict::Failed:
      return "the two versions leave different results, and no run-to-run "
             "spread can be told: " +
             V.What;
    case opencl::SpreadVerdict::Beyond:
    case opencl::SpreadVerdict::Differs:
      return V.Varying ? "the results lie outside the run-to-run spread of the "
                         "original: " +
                             V.What
                       : "the two versions leave different results";
    }
  }
  json::Array Originals;
  for (unsigned I = 0; I < 3; ++I)
    Originals.push_back((*Job.getArray("versions"))[0]);
  Job["versions"] = std::move(Originals);
  opencl::DeviceAnswer A = call(std::move(Job), On);
  bool Varies = A.ok() && !A.Body.getBoolean("same").value_or(true);
  return Varies ? "the original's own results differ from run to run "
                  "(--allow-varying holds exact edits to how far they do)"
                : "the two versions leave different results";
}

static Timing timesIn(const json::Object &Answer) {
  Timing Out;
  Out.Problem = "the device gave no times";
  const json::Object *Time = Answer.getObject("time");
  const json::Array *Versions = Time ? Time->getArray("versions") : nullptr;
  const json::Array *Ratios = Time ? Time->getArray("ratios") : nullptr;
  if (!Versions || !Ratios || Versions->size() != 2 || Ratios->size() != 2 ||
      !(*Ratios)[1].getAsArray())
    return Out;
  PairedTime T;
  std::vector<double> Rounds;
  for (const json::Value &R : *(*Ratios)[1].getAsArray())
    if (auto N = R.getAsNumber())
      Rounds.push_back(*N);
  double *Into[] = {&T.BeforeNs, &T.AfterNs};
  for (unsigned I = 0; I < 2; ++I) {
    const json::Object *V = (*Versions)[I].getAsObject();
    auto Median = V ? V->getNumber("median_ns") : std::nullopt;
    if (!Median)
      return Out;
    *Into[I] = *Median;
  }
  if (!summarise(Rounds, T)) {
    Out.Problem = "too few rounds were timed";
    return Out;
  }
  return {T, ""};
}

/// Whether a launch was tried for \p A.
static bool hasRun(const opencl::DeviceAnswer &A) {
  StringRef Where = A.Body.getString("where").value_or("");
  return A.Status != opencl::DeviceAnswer::Refused ||
         (Where != "request" && Where != "clBuildProgram");
}

/// After so many seconds eight rounds are enough. Twenty rounds of two short
/// launches never take so long; long ones are made fewer times, so that one
/// trial does not use up the search's time.
static constexpr int64_t EnoughSeconds = 2;

/// Launches of tens of microseconds vary by some per cent. Up to a hundred
/// rounds of them take less than so many milliseconds, which a build of the
/// version takes as well.
static constexpr int64_t MoreMilliseconds = 60;

Timing DeviceMeter::timeOne(const TimeRequest &R) {
  const Built &B = build(R.Before, R.On);
  if (!B.Figures.Problem.empty())
    return {std::nullopt, B.Figures.Problem};
  auto It = B.Parameters.find(R.Shape.Kernel);
  if (It == B.Parameters.end())
    return {std::nullopt,
            "the driver tells no parameters of kernel " + R.Shape.Kernel};
  Expected<json::Array> Arguments =
      R.Shape.Recorded ? Expected<json::Array>(json::Array(*R.Shape.Recorded))
                       : launchArguments(R.Shape, It->second);
  if (!Arguments)
    return {std::nullopt, toString(Arguments.takeError())};
  json::Array Versions;
  for (auto [S, Change] :
       {std::pair(&R.Before, &R.OfBefore), {&R.After, &R.OfAfter}}) {
    json::Object V = opencl::programOf(S->Text, S->DeviceOptions);
    V["kernel"] = R.Shape.Kernel;
    if (Error E = Change->addTo(V, R.Shape))
      return {std::nullopt, "the launch does not fit the new version: " +
                                toString(std::move(E))};
    Versions.push_back(std::move(V));
  }
  json::Object Job = R.Shape.sizes();
  Job["job"] = "run";
  Job["device"] = R.On.Device;
  Job["versions"] = std::move(Versions);
  Job["args"] = std::move(*Arguments);
  Job["guard"] = Job["time"] = Job["reuse"] = true;
  Job["enough_s"] = EnoughSeconds;
  Job["more_ms"] = MoreMilliseconds;
  json::Object Asked = Job;
  auto Known = Builds.find(keyOf(R.After, R.On));
  size_t Home = Known == Builds.end() ? 0 : Known->second.Home;
  opencl::DeviceAnswer A = call(std::move(Job), Home);
  if (A.ok() && !FirstRun)
    FirstRun = Asked;
  std::string Problem = A.ok() ? unfit(A.Body) : reasonOf(A);
  if (!Problem.empty() && !R.Shape.MadeUp.empty())
    Problem += "; its buffers had made-up contents, since " + R.Shape.MadeUp;
  if (Problem.empty() && !R.MayDiffer &&
      !A.Body.getBoolean("same").value_or(true))
    Problem = whyDifferent(std::move(Asked), R.MayVary, Home);
  Timing T = Problem.empty() ? timesIn(A.Body) : Timing{std::nullopt, Problem};
  T.Ran = hasRun(A);
  return T;
}

std::vector<Timing> DeviceMeter::time(ArrayRef<TimeRequest> Requests) {
  std::vector<Timing> Out;
  for (const TimeRequest &R : Requests)
    Out.push_back(timeOne(R));
  return Out;
}

} // namespace clrewrite::measure
