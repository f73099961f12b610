// A capture instead of files: --capture.
#pragma once

#include "config/Options.h"
#include "pipeline/Captured.h"
#include "plan/Plan.h"

namespace clrewrite::run {

struct CaptureInput {
  capture::Capture Run;
  pipeline::CapturedUnits Found;
  /// The device whose kernels took longest, as --target names it; empty where
  /// no kernel was launched.
  std::string Target;

  /// The share of each kernel in the search's budget, over its even share.
  std::map<std::string, double> weights() const;
};

/// What --capture names, where it was given; its notes go to stderr. Where
/// files are given, only their units.
llvm::Expected<std::optional<CaptureInput>>
captureInput(const config::Options &O);

/// Writes the rewritten programs into the capture's folder, and says where.
llvm::Error keepRewritten(const CaptureInput &In, const report::Report &R);

/// Writes \p P to the file \p Path.
llvm::Error writePlanFile(const plan::Plan &P, const std::string &Path);

/// Writes the plan of what \p R kept into the file \p Path, and says how to use
/// it.
llvm::Error keepPlan(const CaptureInput &In, const report::Report &R,
                     const std::string &Path);

} // namespace clrewrite::run
