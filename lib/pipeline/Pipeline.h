// The whole story: files in, report out.
#pragma once

#include "cache/DiskCache.h"
#include "measure/Meter.h"
#include "pipeline/Verifying.h"
#include "process/Child.h"
#include "report/Report.h"

namespace clrewrite {

struct Rewrite;

struct PipelineOptions {
  /// What a search is told, but its Progress. Launches are those that the user
  /// names; a file's comments add to them.
  SelectOptions Search;
  std::vector<const Rewrite *> Rewrites;
  /// For the front end, as parseBuildOptions gives them.
  std::vector<std::string> BuildOptions;
  /// For drivers, as the host gives them.
  std::string DeviceOptions;
  /// Fill in FileReport::Live.
  bool WantPressure = false;
  /// Write what pays into the files.
  bool Fix = false;
  /// Fill in FileReport::Diff.
  bool WantDiff = false;
  bool Colour = false;
  ChildLimits Limits;
  /// Where results are kept from run to run; null for nowhere.
  const DiskCache *Cache = nullptr;
  VerifySettings Verify;
  /// Messages that are ready for the user: diagnostics, errors.
  std::function<void(const std::string &)> Tell;
  /// Called with the name of each phase and the seconds that it took.
  std::function<void(llvm::StringRef, double)> Took;
  /// A line of progress; replaced by the next.
  std::function<void(const std::string &)> Progress;
};

/// Runs everything for \p Paths. What fails for one file is told and noted in
/// its FileReport, and the others go on.
Report run(llvm::ArrayRef<std::string> Paths, Meter &M,
           const PipelineOptions &Options);

} // namespace clrewrite
