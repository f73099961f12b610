// The output of a run: its report, its warnings, its times.
#pragma once

#include "config/Options.h"
#include "report/Roofline.h"
#include "run/Run.h"

namespace clrewrite::cli {

/// $NO_COLOR is set.
bool noColour();

/// The peaks that `roofline` is given.
llvm::Expected<report::GivenPeaks> givenPeaks(const config::Options &O);

/// To stdout, or to the file that --output names. \p Peaks are for a roofline.
llvm::Error printReport(const report::Report &R, const config::Options &O,
                        const report::GivenPeaks &Peaks, bool Colour);

/// Tells how many files were not begun because the run was interrupted.
void tellNotBegun(const report::Report &R);

/// Launches and an alternative that the user gave and no file has: slips of the
/// pen.
void warnOfUnused(const config::Options &O, const run::RunResult &Ran);

} // namespace clrewrite::cli
