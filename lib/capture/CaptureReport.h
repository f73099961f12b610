// What a capture saw, for people and as JSON.
#pragma once

#include "capture/Capture.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace clrewrite::capture {

/// One kernel on one device, with the launches of all its shapes.
struct CaptureRow {
  size_t Kernel, Device;
  std::vector<size_t> Launches; // indices, the longest in all first
  uint64_t Count = 0, Refused = 0;
  /// As CapturedLaunch::totalNs; none where no launch was timed.
  std::optional<double> Ns;
  /// Of the time of all rows; none where nothing was timed.
  std::optional<double> Share;
};

/// The rows, the longest in all first; those without a time come last.
std::vector<CaptureRow> captureRows(const Capture &C);

/// What the kernels need on one target.
struct CaptureColumn {
  std::string Target;
  /// By kernel; empty or null where it was not asked for or is not known.
  std::vector<std::string> Cells;
  std::vector<llvm::json::Value> Figures;
  /// Why some are not known, for the user.
  std::vector<std::string> Problems;
};

void writeCaptureText(const Capture &C, llvm::ArrayRef<CaptureColumn> Columns,
                      llvm::raw_ostream &OS);
void writeCaptureJson(const Capture &C, llvm::ArrayRef<CaptureColumn> Columns,
                      llvm::raw_ostream &OS);

} // namespace clrewrite::capture
