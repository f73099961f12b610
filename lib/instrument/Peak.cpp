// The copies and the multiply-adds are timed, the widths and numbers of chains
// in turns, and the best of each is taken.
#include "instrument/Peak.h"
#include "opencl/ResultHash.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace clrewrite::instrument {

uint64_t copyBytes(const DeviceFacts &D) {
  uint64_t Most =
      uint64_t(D.GlobalBytes.value_or(int64_t(1) << 30)) / (D.isCpu() ? 16 : 8);
  if (D.MaxAllocBytes)
    Most = std::min(Most, uint64_t(*D.MaxAllocBytes));
  uint64_t Cache = uint64_t(D.CacheBytes.value_or(0));
  uint64_t Wanted = D.isCpu() ? std::max(Cache * 3 / 4, uint64_t(64) << 20)
                              : std::max(Cache * 2, uint64_t(256) << 20);
  Most = std::clamp(Most, LeastCopyBytes, MostCopyBytes);
  return llvm::bit_floor(std::min<uint64_t>(
      llvm::bit_ceil(std::min(Wanted, MostCopyBytes)), Most));
}

std::optional<double> bestCopy(const PeakResult &R) {
  std::optional<double> Best;
  for (const CopyRow &Row : R.Copies)
    if (Row.Problem.empty() && !Row.Way.Driver && Row.Way.Stride == 1)
      Best = std::max(Best.value_or(0), Row.best());
  return Best;
}

std::optional<double> bestMad(const PeakResult &R, MadType Type) {
  std::optional<double> Best;
  for (const MadRow &Row : R.Mads)
    if (Row.Problem.empty() && Row.Type == Type)
      Best = std::max(Best.value_or(0), Row.best());
  return Best;
}

namespace {

/// Work-items of a group: 256, or what the device takes.
unsigned groupSize(const DeviceFacts &D) {
  int64_t Most = std::clamp<int64_t>(D.MaxGroup.value_or(64), 1, 256);
  return unsigned(llvm::bit_floor(uint64_t(Most)));
}

/// Whether the device program has the job `copy` (docs/device-protocol.md).
Error checkProgram(Session &S) {
  opencl::DeviceAnswer A = S.call(json::Object{{"job", "hello"}}, S.left());
  const json::Array *Jobs = A.ok() ? A.Body.getArray("jobs") : nullptr;
  if (Jobs && is_contained(*Jobs, json::Value("copy")))
    return Error::success();
  return createStringError("the device program has no job 'copy': it is older "
                           "than this clrewrite, install the same version "
                           "there");
}

/// Does the ways of \p Rows in one job, which may take a \p Part-th of the
/// time that is left; false where it took longer.
bool measureTogether(Session &S, const PeakOptions &Options, uint64_t Bytes,
                     MutableArrayRef<CopyRow> Rows, unsigned Part) {
  json::Array Ways;
  for (CopyRow &Row : Rows) {
    Row.Bytes = Bytes * 2;
    Ways.push_back(wayJson(Row.Way, Bytes, groupSize(S.Device)));
  }
  unsigned Limit = std::max(1u, S.left() / Part);
  opencl::DeviceAnswer A = S.call(json::Object{{"job", "copy"},
                                               {"bytes", int64_t(Bytes)},
                                               {"ways", std::move(Ways)},
                                               {"warmup", 2},
                                               {"repeat", Options.Repeat},
                                               {"seconds", Limit / 2}},
                                  Limit);
  const json::Array *Told = A.ok() ? A.Body.getArray("ways") : nullptr;
  for (size_t I = 0; I < Rows.size(); ++I) {
    CopyRow &Row = Rows[I];
    const json::Object *One =
        Told && I < Told->size() ? (*Told)[I].getAsObject() : nullptr;
    std::optional<SampledTime> T = One ? sampledTime((*Told)[I]) : std::nullopt;
    if (!A.ok())
      Row.Problem = opencl::reasonOf(A);
    else if (!T)
      Row.Problem = "the device gave no times";
    else if (!One->getBoolean("same").value_or(false))
      Row.Problem = "the bytes that were copied are not the same";
    else
      Row.Time = *T;
  }
  return A.Status != opencl::DeviceAnswer::TimedOut;
}

/// All without strides, in turns.
void measureCopies(Session &S, const PeakOptions &Options, PeakResult &R) {
  for (const CopyWay &W : copyWays()) {
    R.Copies.emplace_back();
    R.Copies.back().Way = W;
  }
  MutableArrayRef<CopyRow> Rows(R.Copies);
  S.say("copying");
  measureTogether(S, Options, R.BufferBytes,
                  Rows.take_while([](auto &Row) { return Row.Way.Stride < 2; }),
                  /*Part=*/2);
}

/// One by one: each may be much slower than the one before.
void measureStrides(Session &S, const PeakOptions &Options, PeakResult &R) {
  unsigned TooSlow = 0;
  for (CopyRow &Row : R.Copies) {
    if (Row.Way.Stride < 2)
      continue;
    S.say(formatv("copying with stride {0}", Row.Way.Stride));
    if (TooSlow)
      Row.Problem = formatv("not tried: stride {0} took too long", TooSlow);
    else if (!S.left())
      Row.Problem = "not tried: the budget is spent";
    else if (!measureTogether(S, Options, R.BufferBytes, Row, /*Part=*/3))
      TooSlow = Row.Way.Stride;
  }
}

/// Multiply-adds of one type.
class MadPeak {
  Session &S;
  const PeakOptions &Options;
  MadType Type;
  unsigned Width, Group, Items;

public:
  MadPeak(Session &S, const PeakOptions &Options, MadType Type);
  std::vector<MadRow> measure();

private:
  Expected<json::Object> run(ArrayRef<unsigned> Chains, unsigned Loops,
                             unsigned Repeat);
  Expected<unsigned> calibrate();
  std::string hashOf(const std::vector<uint32_t> &Words) const;
};

unsigned widthOf(const DeviceFacts &D, MadType Type) {
  const unsigned Widths[] = {D.FloatWidth, D.HalfWidth, D.DoubleWidth,
                             D.IntWidth};
  return Widths[size_t(Type)];
}

/// As many work-items as fill a GPU's compute units (2,048 on most), or keep a
/// CPU's busy.
MadPeak::MadPeak(Session &S, const PeakOptions &Options, MadType Type)
    : S(S), Options(Options), Type(Type),
      Width(llvm::bit_floor(widthOf(S.Device, Type))) {
  unsigned Units =
      unsigned(std::clamp<int64_t>(S.Device.ComputeUnits.value_or(1), 1, 4096));
  Group = S.Device.isCpu() ? 16 : groupSize(S.Device);
  Items = Units * (S.Device.isCpu() ? 64 : 2048) / Group * Group;
}

Expected<json::Object> MadPeak::run(ArrayRef<unsigned> Chains, unsigned Loops,
                                    unsigned Repeat) {
  json::Array Versions;
  std::string Text = madKernels(Type, Width);
  for (unsigned K : Chains) {
    json::Object V = opencl::programOf(Text, "");
    V["kernel"] = "mad" + std::to_string(K);
    Versions.push_back(std::move(V));
  }
  auto scalar = [](StringRef OfType, json::Value Value) {
    return json::Object{{"scalar", json::Object{{"type", OfType},
                                                {"value", std::move(Value)}}}};
  };
  json::Object Out{{"buffer", json::Object{{"bytes", int64_t(Items) * 4},
                                           {"fill", "zeros"}}}};
  json::Object Job{{"job", "run"},
                   {"versions", std::move(Versions)},
                   {"global", json::Array{Items}},
                   {"local", json::Array{Group}},
                   {"args", json::Array{std::move(Out), scalar("uint", Loops),
                                        scalar("float", MadAddend)}},
                   {"time", true},
                   {"hash_timed", true},
                   {"warmup", 1},
                   {"repeat", Repeat}};
  opencl::DeviceAnswer A = S.call(std::move(Job), S.left());
  if (!A.ok())
    return createStringError(opencl::reasonOf(A));
  return std::move(A.Body);
}

static const json::Array *timesOf(const json::Object &Answer) {
  const json::Object *Time = Answer.getObject("time");
  return Time ? Time->getArray("versions") : nullptr;
}

/// The number of iterations with which one chain takes long enough.
Expected<unsigned> MadPeak::calibrate() {
  constexpr unsigned MostLoops = 8192;
  const double EnoughNs = S.Device.isCpu() ? 4e6 : 1e6;
  for (unsigned Loops = 32;; Loops *= 4) {
    Expected<json::Object> A = run({1}, Loops, 2);
    if (!A)
      return A.takeError();
    const json::Array *Times = timesOf(*A);
    auto T =
        Times && !Times->empty() ? sampledTime(Times->front()) : std::nullopt;
    if (!T)
      return createStringError("the device gave no times");
    if (T->MinNs >= EnoughNs || Loops >= MostLoops || !S.left())
      return Loops;
  }
}

std::string MadPeak::hashOf(const std::vector<uint32_t> &Words) const {
  std::vector<uint32_t> All(Items);
  for (unsigned I = 0; I < Items; ++I)
    All[I] = Words[I % MadSeeds];
  return opencl::hashBytes(reinterpret_cast<const uint8_t *>(All.data()),
                           All.size() * sizeof All[0]);
}

std::vector<MadRow> MadPeak::measure() {
  std::vector<MadRow> Rows(std::size(MadChains));
  for (size_t I = 0; I < Rows.size(); ++I) {
    Rows[I].Type = Type;
    Rows[I].Width = Width;
    Rows[I].Chains = MadChains[I];
  }
  auto fail = [&](const std::string &Why) {
    for (MadRow &Row : Rows)
      Row.Problem = Why;
    return Rows;
  };
  S.say("multiply-add of " + nameOf(Type).str());
  Expected<unsigned> Loops = calibrate();
  if (!Loops)
    return fail(toString(Loops.takeError()));
  Expected<json::Object> A = run(MadChains, *Loops, Options.Repeat);
  if (!A)
    return fail(toString(A.takeError()));
  const json::Array *Times = timesOf(*A);
  const json::Array *Buffers = A->getArray("buffers");
  const json::Object *Out =
      Buffers && !Buffers->empty() ? Buffers->front().getAsObject() : nullptr;
  const json::Array *Left = Out ? Out->getArray("timed_hash") : nullptr;
  if (!Times || Times->size() != Rows.size() || !Left ||
      Left->size() != Rows.size())
    return fail("the device gave no times or no results");
  auto Fused = madResults(Type, Width, *Loops, true);
  auto Apart = madResults(Type, Width, *Loops, false);
  for (size_t I = 0; I < Rows.size(); ++I) {
    MadRow &Row = Rows[I];
    Row.Operations = 2.0 * Items * Width * Row.Chains * *Loops * MadUnroll;
    auto T = sampledTime((*Times)[I]);
    StringRef Hash = (*Left)[I].getAsString().value_or("");
    if (Type != MadType::Int && Hash == hashOf(Fused[I]))
      Row.Operation = "fma";
    else if (Hash == hashOf(Apart[I]))
      Row.Operation = "mul+add";
    else
      Row.Problem = "the results are neither those of fma nor of multiply and "
                    "add";
    if (!T)
      Row.Problem = "the device gave no times";
    else
      Row.Time = *T;
  }
  return Rows;
}

} // namespace

Expected<PeakResult> measurePeaks(Session &S, const PeakOptions &Options) {
  if (Error E = checkProgram(S))
    return std::move(E);
  PeakResult R;
  R.BufferBytes =
      Options.BufferBytes ? Options.BufferBytes : copyBytes(S.Device);
  measureCopies(S, Options, R);
  for (MadType Type :
       {MadType::Float, MadType::Half, MadType::Double, MadType::Int}) {
    if ((Type == MadType::Half && !S.Device.Half) ||
        (Type == MadType::Double && !S.Device.Double))
      continue;
    if (!S.left()) {
      R.Stopped = ("the budget is spent: " + nameOf(Type) +
                   " and what follows were not measured")
                      .str();
      break;
    }
    append_range(R.Mads, MadPeak(S, Options, Type).measure());
  }
  measureStrides(S, Options, R);
  return R;
}

} // namespace clrewrite::instrument
