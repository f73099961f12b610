// The roofline: what work-items do beside what a device can do, in tables per
// target.
#pragma once

#include "report/Report.h"

namespace clrewrite::report {

/// Peaks that the user gives instead of a target's table.
struct GivenPeaks {
  std::optional<measure::Peaks> All = std::nullopt;
  std::optional<double> GBytesPerSecond = std::nullopt, GFlops = std::nullopt;

  /// The peaks for a target whose table is \p Table.
  measure::Peaks over(const measure::Peaks &Table) const;
};

/// A kernel on a target.
struct RooflineRow {
  const FileReport *File;
  const rewrite::KernelInfo *Kernel;
  llvm::StringRef Target;
  const measure::KernelWork *Work;
  measure::Peaks Limits;
  /// The rate where memory gives what work-items ask for, and where what a wave
  /// shares is moved once; none without bytes and operations.
  std::optional<measure::RooflineRate> Requested, Moved;
  /// Work-items a second, as a device ran the kernel, and that device.
  std::optional<double> Measured = std::nullopt;
  llvm::StringRef Device = "";
  /// Why it was not timed although it was asked for.
  std::string Untimed = {};
};

/// The rows by target in the order of the report, then by file and kernel.
std::vector<RooflineRow> rooflineRows(const Report &R, const GivenPeaks &Given);

/// For people: a table a target, and below it what the counts rest on.
void writeRoofline(const Report &R, const GivenPeaks &Given,
                   llvm::raw_ostream &OS);

/// Writes one JSON document, which docs/roofline.md describes.
void writeRooflineJson(const Report &R, const GivenPeaks &Given,
                       llvm::raw_ostream &OS);

} // namespace clrewrite::report
