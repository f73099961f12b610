// The output of a run: its report, its warnings, its times.
#pragma once

#include "config/Options.h"
#include "pipeline/Pipeline.h"
#include "report/Roofline.h"

namespace clrewrite::cli {

/// $NO_COLOR is set.
bool noColour();

/// Fails where --output names what is worked on, which the report would
/// overwrite.
llvm::Error checkOutput(const config::Options &O,
                        llvm::ArrayRef<pipeline::Unit> Units);

/// To stdout, or to the file that --output names. \p Peaks are for a roofline.
llvm::Error printReport(const report::Report &R, const config::Options &O,
                        const report::GivenPeaks &Peaks, bool Colour);

/// Launches that the user gave, and an alternative, that no file has: slips
/// of the pen.
void warnOfUnused(const config::Options &O, const report::Report &R);

} // namespace clrewrite::cli
