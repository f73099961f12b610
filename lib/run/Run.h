// A run: from options to a report.
//
// The command line prints what comes of it (main.cpp); the language server has
// a run for each state of a document, and shows it (LspJob.h).
#pragma once

#include "pipeline/InputUnits.h"
#include "run/CaptureInput.h"
#include "run/Settings.h"

namespace clrewrite::run {

/// Sums up the phases of a run for --timing.
class PhaseTimes {
public:
  void add(llvm::StringRef Phase, double Seconds) {
    Sums[Phase.str()] += Seconds;
  }
  void addCompilations(unsigned Ran, unsigned Cached) {
    Counts = {Counts.first + Ran, Counts.second + Cached};
  }
  /// Entries of the cache's store, of every sort.
  void addStoreHits(unsigned Hits) { StoreHits = StoreHits.value_or(0) + Hits; }
  void print() const;

private:
  std::map<std::string, double> Sums;
  std::pair<unsigned, unsigned> Counts; ///< compilations, answers of the cache
  std::optional<unsigned> StoreHits;
};

/// What surrounds a run.
struct World {
  const char *Argv0 = "";
  /// What the file "-" is; none where it is not among the files.
  std::optional<pipeline::StdinText> Stdin = std::nullopt;
  /// Messages may be coloured.
  bool Colour = false;
  /// Asks the cache's store, if there is one. An editor does not wait for it.
  bool WithStore = true;
  /// Shows a line of progress, which the next one replaces.
  std::function<void(const report::ProgressNote &)> Progress;
  /// Removes that line, so that something else can be printed.
  std::function<void()> ClearProgress;
  PhaseTimes Times = {};
};

/// The results of a run.
struct RunResult {
  report::Report Report;
  std::vector<pipeline::Unit> Units; ///< those of the report, as they are now
  std::optional<CaptureInput> Captured;
  std::vector<std::string> UnusedLaunches = {}; ///< unusedLaunches()

  /// The only text, which stood in W.Stdin, with its edits; none where
  /// something failed.
  std::optional<std::string> document(const World &W) const;
};

/// The configurations of a run's files.
llvm::Expected<Configs> configsOf(const config::Options &O,
                                  const std::optional<CaptureInput> &Captured);

/// Runs. What is wrong with single files is told, and noted in the report; an
/// error is one of the whole run.
llvm::Expected<RunResult> run(const config::Options &O, World &W);

} // namespace clrewrite::run
