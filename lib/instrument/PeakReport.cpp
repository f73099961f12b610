// The peaks, for people and for programs.
#include "instrument/Peak.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace clrewrite::instrument {

static std::string nameOf(const CopyWay &W) {
  if (W.Driver)
    return "driver's own copy";
  if (W.Stride > 1)
    return "float, stride " + std::to_string(W.Stride);
  return "float" + (W.Width > 1 ? std::to_string(W.Width) : "");
}

/// Bytes as people write them.
static std::string size(uint64_t Bytes) {
  constexpr uint64_t MiB = uint64_t(1) << 20;
  return Bytes % MiB ? formatv("{0} KiB", Bytes >> 10).str()
                     : formatv("{0} MiB", Bytes / MiB).str();
}

/// Four significant digits or so.
static std::string rate(double Value) {
  return formatv(Value < 10     ? "{0:F2}"
                 : Value < 1000 ? "{0:F1}"
                                : "{0:F0}",
                 Value);
}

static void writeCopies(const PeakResult &R, const DeviceFacts &D,
                        raw_ostream &OS) {
  OS << formatv("copy: two buffers of {0} each, ", size(R.BufferBytes))
     << (D.CacheBytes && *D.CacheBytes > 0
             ? "the driver reports a cache of " + size(uint64_t(*D.CacheBytes))
             : "the driver reports no cache");
  OS << "\n                      GB/s    median   (bytes read and written)\n";
  for (const CopyRow &Row : R.Copies) {
    OS << formatv("  {0,-17}", nameOf(Row.Way));
    if (!Row.Problem.empty())
      OS << "  " << Row.Problem << "\n";
    else
      OS << formatv(" {0,8}  {1,8}\n", rate(Row.best()), rate(Row.median()));
  }
  std::optional<double> Kernel = bestCopy(R), Own;
  for (const CopyRow &Row : R.Copies)
    if (Row.Way.Driver && Row.Problem.empty())
      Own = Row.best();
  if (Kernel && Own)
    OS << formatv("  the fastest kernel has {0:F0} % of the rate of the "
                  "driver's own copy\n",
                  100 * *Kernel / *Own);
  if (D.CacheBytes && uint64_t(*D.CacheBytes) > R.BufferBytes)
    OS << "  the two buffers are less than twice as large as that cache: some "
          "of "
          "this\n  may be its speed\n";
}

static void writeMads(const PeakResult &R, const DeviceFacts &D,
                      raw_ostream &OS) {
  OS << "multiply-add, two operations each\n"
        "  type      chains  as       10^9 a second    median  of the bound\n";
  for (const MadRow &Row : R.Mads) {
    std::string Type = nameOf(Row.Type).str() +
                       (Row.Width > 1 ? std::to_string(Row.Width) : "");
    OS << formatv("  {0,-8}  {1,6}  ", Type, Row.Chains);
    if (!Row.Problem.empty()) {
      OS << Row.Problem << "\n";
      continue;
    }
    PeakBound B = peakBound(D, Row.Type);
    OS << formatv("{0,-7}  {1,13}  {2,8}  {3}\n", Row.Operation,
                  rate(Row.best()), rate(Row.median()),
                  B.Gops ? formatv("{0:F0} %", 100 * Row.best() / *B.Gops).str()
                         : "-");
  }
  for (MadType T :
       {MadType::Float, MadType::Half, MadType::Double, MadType::Int}) {
    if (!bestMad(R, T))
      continue;
    PeakBound B = peakBound(D, T);
    OS << "  " << nameOf(T) << ": "
       << (B.Gops ? "bound " + rate(*B.Gops) + " (" + B.From + ")"
                  : "no bound known: " + B.From)
       << "\n";
  }
  if (!D.Half)
    OS << "  half: the device has no cl_khr_fp16\n";
  if (!D.Double)
    OS << "  double: the device has no cl_khr_fp64\n";
}

void writePeakText(const PeakResult &R, const DeviceFacts &D, raw_ostream &OS) {
  OS << deviceLine(D) << "\n\n";
  writeCopies(R, D, OS);
  OS << "\n";
  writeMads(R, D, OS);
  double Most = 1;
  auto look = [&](const PeakRow &Row) {
    if (Row.Problem.empty())
      Most = std::max(Most, Row.Time.MedianNs / Row.Time.MinNs);
  };
  for_each(R.Copies, look);
  for_each(R.Mads, look);
  if (Most > Unsteady)
    OS << formatv("times vary (a median is {0:F1} times the least): something "
                  "else may use the device,\ntry again when it is idle\n",
                  Most);
  if (!R.Stopped.empty())
    OS << "ended early: " << R.Stopped << "\n";
}

/// Adds the times of \p Row, and its rates under \p Best and \p Median.
template <typename Row>
static void addRates(json::Object &O, const Row &R, StringRef Best,
                     StringRef Median) {
  bool Known = R.Problem.empty();
  auto ifKnown = [&](double N) {
    return Known ? json::Value(N) : json::Value(nullptr);
  };
  O["min_ns"] = ifKnown(R.Time.MinNs);
  O["median_ns"] = ifKnown(R.Time.MedianNs);
  O[Best] = ifKnown(Known ? R.best() : 0);
  O[Median] = ifKnown(Known ? R.median() : 0);
  O["problem"] =
      Known ? json::Value(nullptr) : json::Value(json::fixUTF8(R.Problem));
}

static json::Object copyJson(const PeakResult &R, const DeviceFacts &D) {
  json::Array Rows;
  for (const CopyRow &Row : R.Copies) {
    auto ofKernel = [&](unsigned N) {
      return Row.Way.Driver ? json::Value(nullptr) : json::Value(N);
    };
    json::Object O{{"what", Row.Way.Driver ? "driver" : "kernel"},
                   {"width", ofKernel(Row.Way.Width)},
                   {"stride", ofKernel(Row.Way.Stride)},
                   {"bytes", int64_t(Row.Bytes)}};
    addRates(O, Row, "gb_s", "median_gb_s");
    Rows.push_back(std::move(O));
  }
  return json::Object{{"buffer_bytes", int64_t(R.BufferBytes)},
                      {"cache_bytes", D.CacheBytes},
                      {"rows", std::move(Rows)}};
}

static json::Object madJson(const PeakResult &R, const DeviceFacts &D) {
  json::Array Rows;
  json::Object Bounds;
  for (const MadRow &Row : R.Mads) {
    PeakBound B = peakBound(D, Row.Type);
    bool Known = Row.Problem.empty();
    json::Object O{{"type", nameOf(Row.Type)},
                   {"width", Row.Width},
                   {"chains", Row.Chains},
                   {"operation",
                    Known ? json::Value(Row.Operation) : json::Value(nullptr)},
                   {"operations", Row.Operations},
                   {"bound_gop_s", B.Gops},
                   {"share", Known && B.Gops ? json::Value(Row.best() / *B.Gops)
                                             : json::Value(nullptr)}};
    addRates(O, Row, "gop_s", "median_gop_s");
    Rows.push_back(std::move(O));
    Bounds[nameOf(Row.Type)] = B.From;
  }
  return json::Object{{"rows", std::move(Rows)}, {"bounds", std::move(Bounds)}};
}

void writePeakJson(const PeakResult &R, const DeviceFacts &D, raw_ostream &OS) {
  json::Object Document{
      {"schema", 1},
      {"kind", "peak"},
      {"device", deviceJson(D)},
      {"peaks", json::Object{{"bandwidth_gb_s", bestCopy(R)},
                             {"float_gflop_s", bestMad(R, MadType::Float)},
                             {"half_gflop_s", bestMad(R, MadType::Half)},
                             {"double_gflop_s", bestMad(R, MadType::Double)},
                             {"int_gop_s", bestMad(R, MadType::Int)}}},
      {"copy", copyJson(R, D)},
      {"compute", madJson(R, D)},
      {"stopped", R.Stopped.empty() ? json::Value(nullptr)
                                    : json::Value(json::fixUTF8(R.Stopped))}};
  OS << formatv("{0:2}\n", json::Value(std::move(Document)));
}

} // namespace clrewrite::instrument
