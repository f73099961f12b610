// Comparing a run with a baseline, and writing that.
#pragma once

#include "report/Report.h"

namespace clrewrite::cli {

/// What is wrong with the options; empty where nothing is.
std::string badBaselineOption(bool NoMeasure);

/// The file that --baseline names, read; none without the option. Before a run,
/// so that a damaged file costs no search.
llvm::Expected<std::optional<report::Baseline>> givenBaseline();

/// Fills in Report::Against. With --update-baseline writes the file; a failure
/// to do so is the error. \p Paths are the command line's.
llvm::Error compareWithBaseline(report::Report &R, const report::Baseline &Old,
                                llvm::ArrayRef<std::string> Paths);

/// Prints the comparison on stderr for modes whose stdout is no report
/// (\p NoReport), and the diff where the format has no place for it.
void tellBaseline(const report::Report &R, bool NoReport);

/// --fail-on-regression was given, and something got worse.
bool failsOnRegression(const report::Report &R);

} // namespace clrewrite::cli
