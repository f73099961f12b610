// Comparing a run with a baseline, and writing that.
#pragma once

#include "config/Options.h"
#include "report/Report.h"

namespace clrewrite::cli {

/// The error of the options; empty where there is none.
std::string badBaselineOption(const config::Options &O);

/// The file that --baseline names, read; none without the option. Before a run,
/// so that a damaged file costs no search.
llvm::Expected<std::optional<report::Baseline>>
givenBaseline(const config::Options &O);

/// \p B, the baseline \p From, as it stands in \p To: both name files from
/// their own folders.
report::Baseline movedTo(report::Baseline B, llvm::StringRef From,
                         llvm::StringRef To);

/// Fills in Report::Against. With --update-baseline writes the file; a failure
/// to do so is the error.
llvm::Error compareWithBaseline(report::Report &R, const report::Baseline &Old,
                                const config::Options &O);

/// Prints the comparison on stderr for modes whose stdout is no report
/// (\p NoReport), and the diff where the format has no place for it.
void tellBaseline(const report::Report &R, const config::Options &O,
                  bool NoReport);

} // namespace clrewrite::cli
