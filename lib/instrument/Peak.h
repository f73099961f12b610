// How fast a device copies and computes: the two peaks of a roofline.
//
// Both are measured by event profiling, with launches that are not counted
// first, in turns, so that a clock that changes meets all alike; the best of
// the repeats is the peak, and the median beside it says how steady it was.
// Every result is checked, of launches that were timed: a copy byte for byte,
// the others by a hash of all that they left. What is wrong does not count.
#pragma once

#include "instrument/CopyKernels.h"
#include "instrument/PeakBounds.h"
#include "llvm/Support/raw_ostream.h"

namespace clrewrite::instrument {

inline constexpr uint64_t LeastCopyBytes = uint64_t(1) << 16;
inline constexpr uint64_t MostCopyBytes = uint64_t(1) << 36;

struct PeakOptions {
  unsigned Repeat = 7;
  /// Bytes of each buffer, a power of two from LeastCopyBytes to
  /// MostCopyBytes; 0: chosen by copyBytes.
  uint64_t BufferBytes = 0;
};

/// What both sorts of rows have. Time counts only where Problem is empty.
struct PeakRow {
  SampledTime Time;
  std::string Problem;
};

struct CopyRow : PeakRow {
  CopyWay Way;
  uint64_t Bytes = 0; ///< read and written in one launch

  double best() const { return double(Bytes) / Time.MinNs; } ///< GB/s
  double median() const { return double(Bytes) / Time.MedianNs; }
};

struct MadRow : PeakRow {
  MadType Type = MadType::Float;
  unsigned Width = 1, Chains = 1;
  /// "fma" or "mul+add", as the results tell; "mul+add" for integers.
  std::string Operation;
  double Operations = 0; ///< of one launch, two for each multiply-add

  double best() const { return Operations / Time.MinNs; } ///< 10^9 a second
  double median() const { return Operations / Time.MedianNs; }
};

struct PeakResult {
  uint64_t BufferBytes = 0;
  std::vector<CopyRow> Copies;
  std::vector<MadRow> Mads;
  /// Why it ended early; empty where it did not.
  std::string Stopped;
};

/// Bytes of each buffer, a power of two. On GPUs the two are at least four
/// times as large as the cache that the driver reports, and 256 MiB each, since
/// the last cache is seldom reported. On CPUs, which tell the last one and
/// where copies are slow, they are at least one and a half times as large, and
/// 64 MiB each. Never more than can be allocated, and than an eighth (CPUs: a
/// sixteenth) of the memory.
uint64_t copyBytes(const DeviceFacts &D);

/// Measures both. Fails where the device program is too old.
llvm::Expected<PeakResult> measurePeaks(Session &S, const PeakOptions &Options);

/// The best rate of the rows without a problem; nullopt where there is none.
std::optional<double> bestCopy(const PeakResult &R);
std::optional<double> bestMad(const PeakResult &R, MadType Type);

void writePeakText(const PeakResult &R, const DeviceFacts &D,
                   llvm::raw_ostream &OS);
/// One JSON document (docs/device-tools.md).
void writePeakJson(const PeakResult &R, const DeviceFacts &D,
                   llvm::raw_ostream &OS);

} // namespace clrewrite::instrument
