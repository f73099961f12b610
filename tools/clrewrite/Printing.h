// What a run prints: its report, its warnings, its times.
#pragma once

#include "pipeline/Pipeline.h"
#include "llvm/Support/CommandLine.h"

namespace clrewrite::cli {

extern llvm::cl::opt<bool> ShowDiff, Check, Verbose, ExplainOccupancy;
extern llvm::cl::opt<std::string> OutputFile;

/// $NO_COLOR is set.
bool noColour();

/// Sums up the phases of a run for --timing.
class PhaseTimes {
public:
  void add(llvm::StringRef Phase, double Seconds) {
    Sums[Phase.str()] += Seconds;
  }
  void addCompilations(unsigned Ran, unsigned Cached) {
    Counts = {Counts.first + Ran, Counts.second + Cached};
  }
  void print() const;

private:
  std::map<std::string, double> Sums;
  std::pair<unsigned, unsigned> Counts; ///< compilations, answers of the cache
};

/// Fails where --output names what is worked on, which the report would
/// overwrite.
llvm::Error checkOutput(llvm::ArrayRef<pipeline::Unit> Units);

/// To stdout, or to the file that --output names.
llvm::Error printReport(const report::Report &R, bool Colour);

/// Launches (\p Given by the user), and an alternative, that no file has: slips
/// of the pen.
void warnOfUnused(llvm::ArrayRef<measure::Launch> Given,
                  llvm::StringRef Alternative, const report::Report &R);

} // namespace clrewrite::cli
