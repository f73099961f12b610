// Counts of work are written as JSON and read again, and turned into the rates
// of a roofline.
#include "measure/Work.h"
#include "source/BoundedJson.h"
#include <algorithm>

using namespace llvm;

namespace clrewrite::measure {

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

static json::Value toJSON(const MemoryWork &M) {
  return json::Object{{"loads", M.Loads},
                      {"stores", M.Stores},
                      {"load_bytes", M.LoadBytes},
                      {"store_bytes", M.StoreBytes}};
}

static bool fromJSON(const json::Value &V, MemoryWork &M, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("loads", M.Loads) && O.map("stores", M.Stores) &&
         O.map("load_bytes", M.LoadBytes) && O.map("store_bytes", M.StoreBytes);
}

static json::Value toJSON(const LoopGuess &G) {
  return json::Object{{"line", G.Line},
                      {"trips", G.Trips},
                      {"bound", G.Bound},
                      {"arguments", json::Array(G.Arguments)}};
}

static bool fromJSON(const json::Value &V, LoopGuess &G, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("line", G.Line) && O.map("trips", G.Trips) &&
         O.map("bound", G.Bound) && O.map("arguments", G.Arguments);
}

json::Value toJSON(const KernelWork &W) {
  json::Array Guesses;
  for (const LoopGuess &G : W.Guesses)
    Guesses.push_back(toJSON(G));
  return json::Object{{"kernel", W.Kernel},
                      {"problem", json::fixUTF8(W.Problem)},
                      {"wave_lanes", W.WaveLanes},
                      {"global", toJSON(W.Global)},
                      {"uniform", toJSON(W.Uniform)},
                      {"local", toJSON(W.Local)},
                      {"private", toJSON(W.Private)},
                      {"images", toJSON(W.Images)},
                      {"atomics", W.Atomics},
                      {"flops", W.Flops},
                      {"half_flops", W.HalfFlops},
                      {"double_flops", W.DoubleFlops},
                      {"int_ops", W.IntOps},
                      {"conditional", toJSON(W.Conditional)},
                      {"conditional_flops", W.ConditionalFlops},
                      {"wave_bytes", W.WaveBytes},
                      {"guesses", std::move(Guesses)},
                      {"told", W.Told}};
}

bool fromJSON(const json::Value &V, KernelWork &W, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("kernel", W.Kernel) && O.map("problem", W.Problem) &&
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

json::Value toJSON(const WorkReport &R) {
  json::Array Kernels;
  for (const KernelWork &W : R.Kernels)
    Kernels.push_back(toJSON(W));
  return json::Object{{"kernels", std::move(Kernels)},
                      {"problem", json::fixUTF8(R.Problem)}};
}

bool fromJSON(const json::Value &V, WorkReport &R, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("kernels", R.Kernels) && O.map("problem", R.Problem);
}

} // namespace clrewrite::measure
