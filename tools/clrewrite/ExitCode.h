// What a run's exit code says.
#pragma once

#include "config/Options.h"
#include "report/Report.h"

namespace clrewrite::cli {

/// As Ruff and clang-format have them.
enum Exit { Clean = 0, FindingsLeft = 1, Failed = 2 };

/// Of a run: failed files, whatever else there is; then what --exit-zero and
/// --exit-non-zero-on-fix make of edits that are left or were made, and
/// --fail-on-regression of kernels that got worse.
int exitCode(const report::Report &R, const config::Options &O);

} // namespace clrewrite::cli
