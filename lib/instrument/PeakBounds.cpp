// A table of the results that a compute unit gives per clock, and the peak that
// follows from it.
#include "instrument/PeakBounds.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::instrument {

namespace {

/// Results of multiply-add a clock and multiprocessor.
struct Throughput {
  StringLiteral Capability;
  /// By MadType; 0: several instructions, or none.
  unsigned Results[4];
};

// CUDA C++ Programming Guide, "Throughput of Native Arithmetic Instructions",
// the rows for add, multiply, multiply-add of 32, 16 and 64-bit floating point
// and for 32-bit integer multiply-add. The guide's figure for halves is that of
// pairs of them (half2).
constexpr Throughput Nvidia[] = {
    {"5.0", {128, 0, 4, 0}},    {"5.2", {128, 0, 4, 0}},
    {"5.3", {128, 256, 4, 0}},  {"6.0", {64, 128, 32, 0}},
    {"6.1", {128, 2, 4, 0}},    {"6.2", {128, 256, 4, 0}},
    {"7.0", {64, 128, 32, 64}}, {"7.2", {64, 128, 32, 64}},
    {"7.5", {64, 128, 2, 64}},  {"8.0", {64, 256, 32, 64}},
    {"8.6", {128, 128, 2, 64}}, {"8.7", {128, 128, 2, 64}},
    {"8.9", {128, 128, 2, 64}}, {"9.0", {128, 256, 64, 64}},
};

/// Results a compute unit and clock; 0 where unknown, and \p Why says why.
unsigned resultsPerClock(const DeviceFacts &D, MadType Type, std::string &Why) {
  if (!D.ComputeCapability.empty()) {
    for (const Throughput &T : Nvidia)
      if (T.Capability == D.ComputeCapability) {
        Why = "no native instruction";
        return T.Results[size_t(Type)];
      }
    Why = "compute capability " + D.ComputeCapability + " is not in the table";
    return 0;
  }
  if (D.Simds && D.SimdWidth && D.SimdInstructionWidth) {
    Why = "the driver tells the width for float only";
    return Type == MadType::Float
               ? unsigned(*D.Simds * *D.SimdWidth * *D.SimdInstructionWidth)
               : 0;
  }
  Why = "the driver does not tell what a compute unit does in a clock";
  return 0;
}

} // namespace

PeakBound peakBound(const DeviceFacts &D, MadType Type) {
  PeakBound B;
  unsigned Results = resultsPerClock(D, Type, B.From);
  if (!Results)
    return B;
  if (!D.ComputeUnits || !D.ClockMHz || *D.ClockMHz <= 0) {
    B.From = "the driver tells no clock";
    return B;
  }
  B.Gops = double(*D.ComputeUnits) * Results * double(*D.ClockMHz) * 2 / 1000;
  B.From = formatv("{0} units x {1} a clock x {2} MHz x 2", *D.ComputeUnits,
                   Results, *D.ClockMHz);
  return B;
}

} // namespace clrewrite::instrument
