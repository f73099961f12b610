// What a first run says at its end.
#pragma once

#include "config/Options.h"
#include "report/Report.h"

namespace clrewrite::cli {

/// On a terminal, after the report of a project that has no .clrewrite.yaml:
/// that `clrewrite init` writes one. Once for each project; the cache keeps that
/// it was said, so that nothing is said where there is no cache.
void offerInit(const report::Report &R, const config::Options &O);

} // namespace clrewrite::cli
