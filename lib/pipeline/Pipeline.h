// The whole story: files in, report out.
#pragma once

#include "cache/DiskCache.h"
#include "measure/Meter.h"
#include "pipeline/Unit.h"
#include "pipeline/Verifying.h"
#include "process/Child.h"
#include "report/Progress.h"
#include "report/Report.h"

namespace clrewrite::rewrite {
struct Rewrite;
} // namespace clrewrite::rewrite

namespace clrewrite::advice {
struct AdviceSort;
} // namespace clrewrite::advice

namespace clrewrite::pipeline {

struct PipelineOptions {
  /// What a search is told, but its Progress. Launches are those that the user
  /// names; a file's comments add to them.
  select::SelectOptions Search;
  std::vector<const rewrite::Rewrite *> Rewrites;
  /// The sorts of advice to give; notes are no edits, and Lines limits none.
  std::vector<const advice::AdviceSort *> Advise = {};
  /// Lines to which edits are limited, of every file; empty: all.
  std::vector<LineRange> Lines;
  /// The texts are built with the options of their builds and no others, so
  /// that an edit need not hold with those.
  bool OnlyTheseBuilds = false;
  /// Make launches up for kernels of which none is known.
  bool GuessLaunches = false;
  /// Work on this kernel only; empty: on all.
  std::string Kernel = {};
  /// Fill in FileReport::Live.
  bool WantPressure = false;
  /// Fill in FileReport::Work.
  bool WantWork = false;
  /// Fill in FileReport::Curves.
  bool WantCurves = false;
  /// Fill in FileReport::Accounts.
  bool WantAccounts = false;
  /// Write what pays into the files.
  bool Fix = false;
  /// Write suppressions of what pays into them instead.
  bool AddSuppressions = false;
  bool Colour = false;
  /// The user wants the run to end: what is not begun yet is left.
  std::function<bool()> Interrupted = {};
  process::ChildLimits Limits;
  /// Where results are kept from run to run; null for nowhere.
  const cache::DiskCache *Cache = nullptr;
  VerifySettings Verify;
  /// Messages that are ready for the user: diagnostics, errors.
  std::function<void(const std::string &)> Tell;
  /// Called with the name of each phase and the seconds that it took.
  std::function<void(llvm::StringRef, double)> Took;
  /// A line of progress; replaced by the next.
  std::function<void(const report::ProgressNote &)> Progress;
};

/// How a unit is worked on.
struct Setup {
  measure::Meter *Measures = nullptr;
  PipelineOptions Options;
  /// Why it can't be worked on, which the user has been told; empty where it
  /// can. Options.Tell is set in either case.
  std::string Problem;
};

/// The user wants what \p S is for to end.
bool isInterrupted(const Setup &S);

/// The report on a file whose turn did not come.
report::FileReport notBegun(const Unit &U);

/// Runs everything for \p Units, each as the setup of its number says. What
/// fails for one is told and noted in its FileReport, and the others go on.
/// Where one changes, those that come later are adapted to it (noteChange): in
/// the end all of \p Units are as they would be with all changes. Those that
/// are not begun when the user interrupts the run are only noted as that.
report::Report run(llvm::MutableArrayRef<Unit> Units,
                   llvm::ArrayRef<const Setup *> Setups);

} // namespace clrewrite::pipeline
