// The figures of the kernels of a capture, by target: each program compiled as
// the captured run built it.
#pragma once

#include "cache/DiskCache.h"
#include "capture/CaptureReport.h"
#include "config/Options.h"

namespace clrewrite::cli {

/// One column for each of \p Targets, for the kernels that were launched.
/// Fails where a target is not known, or nothing can measure for it.
llvm::Expected<std::vector<capture::CaptureColumn>>
captureFigures(const config::Options &O, const capture::Capture &C,
               const std::vector<std::string> &Targets, const char *Argv0);

} // namespace clrewrite::cli
