// The probe's kernels on a device: figures from a build, time from launches.
#include "instrument/Probe.h"
#include "measure/device/DeviceMeter.h"
#include "opencl/ResultHash.h"
#include "process/Clock.h"
#include "ptxas/PtxasLog.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;

namespace clrewrite::instrument {

namespace {

constexpr unsigned GroupSize = 64;
constexpr uint32_t FirstSeed = 12345;

class Prober {
  Session &S;
  const ProbeOptions &Options;
  unsigned Items;
  unsigned Turns = ProbeTurns;

public:
  Prober(Session &S, const ProbeOptions &Options)
      : S(S), Options(Options), Items(itemsFor(S.Device)) {}

  Error calibrate();
  ProbeStep measure(unsigned Variables, const ProbeStep *Reference);
  void describe(ProbeResult &R) const;

private:
  static unsigned itemsFor(const DeviceFacts &D);
  /// Fills in figures; says why that failed.
  std::string build(ProbeStep &Step);
  /// Times of kernels with so many variables, in turns.
  Expected<std::vector<SampledTime>> time(ArrayRef<unsigned> Variables);
  /// What must stand in the buffer.
  std::string rightHash(unsigned Variables) const;
  std::string checked(const json::Object &Answer,
                      ArrayRef<unsigned> Variables) const;
};

/// Enough that whole waves of work-groups hardly matter: four times what a
/// GPU's compute unit holds (2,048 on NVIDIA's, up to 2,560 on AMD's).
unsigned Prober::itemsFor(const DeviceFacts &D) {
  unsigned Each = D.isCpu() ? 256 : 8192;
  return unsigned(std::clamp<int64_t>(D.ComputeUnits.value_or(1), 1, 1024)) *
         Each;
}

ProbeFigures figuresOf(const json::Object &Answer) {
  ProbeFigures F;
  const json::Array *Kernels = Answer.getArray("kernels");
  if (!Kernels || Kernels->empty())
    return F;
  const json::Object *K = Kernels->front().getAsObject();
  const json::Object *Told = K ? K->getObject("usage") : nullptr;
  if (!Told)
    return F;
  auto Log = ptxas::parsePtxasLog(Answer.getString("log").value_or("").str());
  measure::Usage U = measure::deviceUsage(*Told, Log["probe"].Arch);
  F.Registers = U.Vgprs;
  F.Waves = U.Occupancy;
  F.MostWaves = U.OccupancyMax;
  // The kernels have no arrays, so that all private memory is spilled.
  if (auto Bytes = Told->getInteger("spill_bytes"))
    F.SpillBytes = unsigned(*Bytes);
  else if (U.VgprSpills)
    F.SpillBytes = std::max(*U.VgprSpills * 4, U.ScratchBytes.value_or(0));
  return F;
}

std::string Prober::build(ProbeStep &Step) {
  json::Object Job = opencl::programOf(probeKernel(Step.Variables), "");
  Job["job"] = "build";
  auto Begin = process::Clock::now();
  opencl::DeviceAnswer A = S.call(std::move(Job), Options.BuildLimit);
  Step.BuildSeconds =
      std::chrono::duration<double>(process::Clock::now() - Begin).count();
  if (A.Status == opencl::DeviceAnswer::TimedOut)
    return formatv("not built within {0:F1} s", Step.BuildSeconds);
  if (!A.ok())
    return "not built: " + opencl::reasonOf(A);
  Step.Figures = figuresOf(A.Body);
  return "";
}

std::string Prober::rightHash(unsigned Variables) const {
  std::vector<uint32_t> Words(Items);
  for (unsigned I = 0; I < Items; ++I)
    Words[I] = I < ProbeSeeds ? probeResult(Variables, Turns, FirstSeed, I)
                              : Words[I % ProbeSeeds];
  return opencl::hashBytes(reinterpret_cast<const uint8_t *>(Words.data()),
                           Words.size() * sizeof Words[0]);
}

/// Why the results don't count; empty where every byte is right, in the first
/// launches and in the last ones that were timed.
std::string Prober::checked(const json::Object &Answer,
                            ArrayRef<unsigned> Variables) const {
  const json::Array *Buffers = Answer.getArray("buffers");
  const json::Object *Out =
      Buffers && !Buffers->empty() ? Buffers->front().getAsObject() : nullptr;
  for (const char *Name : {"hash", "timed_hash"}) {
    const json::Array *Hashes = Out ? Out->getArray(Name) : nullptr;
    if (!Hashes || Hashes->size() != Variables.size())
      return "the device program tells no results: it is older than this "
             "clrewrite";
    for (size_t I = 0; I < Variables.size(); ++I)
      if ((*Hashes)[I].getAsString() != StringRef(rightHash(Variables[I])))
        return formatv("the kernel with {0} variables leaves wrong results",
                       Variables[I]);
  }
  return "";
}

Expected<std::vector<SampledTime>> Prober::time(ArrayRef<unsigned> Variables) {
  json::Array Versions;
  for (unsigned N : Variables) {
    json::Object V = opencl::programOf(probeKernel(N), "");
    V["kernel"] = "probe";
    Versions.push_back(std::move(V));
  }
  json::Object Job{
      {"job", "run"},
      {"versions", std::move(Versions)},
      {"global", json::Array{Items}},
      {"local", json::Array{GroupSize}},
      {"args",
       json::Array{
           json::Object{{"buffer", json::Object{{"bytes", Items * 4},
                                                {"fill", "zeros"}}}},
           json::Object{
               {"scalar", json::Object{{"type", "uint"}, {"value", Turns}}}},
           json::Object{{"scalar", json::Object{{"type", "uint"},
                                                {"value", FirstSeed}}}}}},
      {"time", true},
      {"hash_timed", true},
      {"warmup", 1},
      {"repeat", Options.Repeat}};
  opencl::DeviceAnswer A = S.call(std::move(Job), S.left());
  if (!A.ok())
    return createStringError("not run: " + opencl::reasonOf(A));
  if (std::string Wrong = checked(A.Body, Variables); !Wrong.empty())
    return createStringError(Wrong);
  const json::Object *Time = A.Body.getObject("time");
  const json::Array *List = Time ? Time->getArray("versions") : nullptr;
  std::vector<SampledTime> Out;
  for (const json::Value &V : List ? *List : json::Array())
    if (auto T = sampledTime(V))
      Out.push_back(*T);
  if (Out.size() != Variables.size())
    return createStringError("the device gave no times");
  return Out;
}

/// Finds the number of turns: a kernel of 16 variables shall take as long as
/// it must for the clock and the launch not to count.
Error Prober::calibrate() {
  constexpr unsigned Variables = 16, MostTurns = 8192;
  const double EnoughNs = S.Device.isCpu() ? 2e6 : 1e6;
  for (Turns = ProbeTurns;; Turns *= 2) {
    S.say(formatv("finding the number of turns: {0}", Turns));
    Expected<std::vector<SampledTime>> T = time({Variables});
    if (!T)
      return T.takeError();
    if (T->front().MinNs >= EnoughNs || Turns >= MostTurns || !S.left())
      return Error::success();
  }
}

ProbeStep Prober::measure(unsigned Variables, const ProbeStep *Reference) {
  ProbeStep Step;
  Step.Variables = Variables;
  S.say(formatv("{0} variables: building", Variables));
  Step.Problem = build(Step);
  if (!Step.Problem.empty())
    return Step;
  S.say(formatv("{0} variables: timing", Variables));
  std::vector<unsigned> Kernels{Variables};
  if (Reference)
    Kernels.push_back(Reference->Variables);
  Expected<std::vector<SampledTime>> T = time(Kernels);
  if (!T) {
    Step.Problem = toString(T.takeError());
    return Step;
  }
  // What seems slower may have met something else that ran: once more, and
  // the least of all launches counts.
  constexpr unsigned Again = 2;
  auto ratio = [&] {
    return T->front().MinNs / Variables / (T->back().MinNs / Kernels.back());
  };
  for (unsigned I = 0; I < Again && ratio() > Options.Slower && S.left(); ++I) {
    Expected<std::vector<SampledTime>> More = time(Kernels);
    if (!More) {
      consumeError(More.takeError());
      break;
    }
    for (size_t K = 0; K < T->size(); ++K)
      (*T)[K].MinNs = std::min((*T)[K].MinNs, (*More)[K].MinNs);
  }
  Step.Ns = T->front().MinNs;
  Step.MedianNs = T->front().MedianNs;
  Step.Ratio = ratio();
  return Step;
}

void Prober::describe(ProbeResult &R) const {
  R.Turns = Turns;
  R.Items = Items;
  R.Group = GroupSize;
  R.Repeat = Options.Repeat;
}

} // namespace

Expected<ProbeResult> probeDevice(Session &S, const ProbeOptions &Options) {
  Prober P(S, Options);
  if (Error E = P.calibrate())
    return std::move(E);
  ProbeResult R = searchRegisters(
      Options,
      [&](unsigned N, const ProbeStep *Reference) {
        return P.measure(N, Reference);
      },
      [&] { return S.left() == 0; });
  P.describe(R);
  return R;
}

} // namespace clrewrite::instrument
