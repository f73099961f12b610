// Counts of work are written as JSON and read again, and turned into the rates
// of a roofline.
#include "measure/Work.h"
#include "source/JsonMembers.h"
#include <algorithm>

using namespace llvm;

namespace clrewrite::measure {

using json_members::fromJSON;
using json_members::toJSON;

static double share(double PerItem, unsigned Lanes) {
  return Lanes ? PerItem / Lanes : PerItem;
}

double KernelWork::requestedBytes() const {
  return Global.bytes() + share(Uniform.bytes(), WaveLanes) + Images.bytes();
}

double KernelWork::movedBytes() const { return share(WaveBytes, WaveLanes); }

std::optional<RooflineRate> rateFor(double Bytes, const KernelWork &Work,
                                    const Peaks &P) {
  double Floats = Work.Flops - Work.HalfFlops - Work.DoubleFlops;
  double ByMemory = Bytes / (P.GBytesPerSecond * 1e9);
  double ByFlops =
      (Floats / P.GFlops + Work.HalfFlops / P.GHalfs.value_or(P.GFlops) +
       Work.DoubleFlops / P.GDoubles.value_or(P.GFlops)) /
      1e9;
  double Seconds = std::max(ByMemory, ByFlops);
  if (Seconds <= 0)
    return std::nullopt;
  return RooflineRate{1 / Seconds, ByMemory >= ByFlops};
}

Expected<Peaks> parsePeaks(StringRef Path, StringRef Text) {
  auto Wrong = [&](const Twine &Why) {
    return createStringError(Path + ": " + Why +
                             "; give what 'clrewrite peak --format=json' "
                             "printed");
  };
  Expected<json::Value> V = parseJson(Text);
  if (!V) {
    consumeError(V.takeError());
    return Wrong("is not JSON");
  }
  const json::Object *All = V->getAsObject();
  const json::Object *Known = All ? All->getObject("peaks") : nullptr;
  if (!Known || All->getString("kind") != "peak")
    return Wrong("holds no peaks");
  auto Number = [&](StringRef Name) { return Known->getNumber(Name); };
  std::optional<double> Bandwidth = Number("bandwidth_gb_s"),
                        Floats = Number("float_gflop_s");
  if (!Bandwidth || !Floats || *Bandwidth <= 0 || *Floats <= 0)
    return Wrong("has no peak bandwidth or no peak of floats (null: they could "
                 "not be measured)");
  Peaks Out{*Bandwidth, *Floats, Number("half_gflop_s"),
            Number("double_gflop_s")};
  const json::Object *Device = All->getObject("device");
  std::optional<StringRef> Name =
      Device ? Device->getString("name") : std::nullopt;
  Out.From = ("measured on " + Name.value_or("a device")).str();
  return Out;
}

template <typename Io> static bool mapMembers(Io &O, MemoryWork &M) {
  return O.map("loads", M.Loads) && O.map("stores", M.Stores) &&
         O.map("load_bytes", M.LoadBytes) && O.map("store_bytes", M.StoreBytes);
}

template <typename Io> static bool mapMembers(Io &O, LoopGuess &G) {
  return O.map("line", G.Line) && O.map("trips", G.Trips) &&
         O.map("bound", G.Bound) && O.map("arguments", G.Arguments);
}

template <typename Io> static bool mapMembers(Io &O, KernelWork &W) {
  return O.map("kernel", W.Kernel) && O.map("problem", W.Problem) &&
         O.map("wave_lanes", W.WaveLanes) && O.map("global", W.Global) &&
         O.map("uniform", W.Uniform) && O.map("local", W.Local) &&
         O.map("private", W.Private) && O.map("images", W.Images) &&
         O.map("atomics", W.Atomics) && O.map("flops", W.Flops) &&
         O.map("half_flops", W.HalfFlops) &&
         O.map("double_flops", W.DoubleFlops) && O.map("int_ops", W.IntOps) &&
         O.map("conditional", W.Conditional) &&
         O.map("conditional_flops", W.ConditionalFlops) &&
         O.map("wave_bytes", W.WaveBytes) && O.map("guesses", W.Guesses) &&
         O.map("told", W.Told);
}

json::Value toJSON(const KernelWork &W) { return written(W); }
bool fromJSON(const json::Value &V, KernelWork &W, json::Path P) {
  return readInto(W, V, P);
}

} // namespace clrewrite::measure
