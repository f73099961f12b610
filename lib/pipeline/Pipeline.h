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
  std::vector<Target> Targets;
  std::vector<const Rewrite *> Rewrites;
  /// For the front end, as parseBuildOptions gives them.
  std::vector<std::string> BuildOptions;
  /// For drivers, as the host gives them.
  std::string DeviceOptions;
  Gate Rule;
  /// How kernels are launched on devices, for times.
  std::vector<Launch> Launches;
  bool Unsafe = false, NoMeasure = false;
  std::string OnlyAlternative;
  unsigned Budget = 0; ///< alternatives to try in each file; 0 is no limit
  /// Asked between compilations: true ends the search with the best so far.
  std::function<bool()> Stop;
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
