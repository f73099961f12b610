// Launches that the user gave and that are for no kernel at all.
#pragma once

#include "report/Report.h"
#include "run/Settings.h"

namespace clrewrite::run {

/// A sentence for each launch whose kernel no file of \p R has: of the command
/// line's, \p O, which are in the place of all others, and else of the
/// configurations', \p All. There a run of a few files leaves the launches of
/// other files unused, which is no mistake, so that these count alone if no
/// file below the configuration says a word of the kernel. Nothing where a file
/// has failed, since its kernels are not known.
std::vector<std::string> unusedLaunches(const config::Options &O, Configs &All,
                                        const report::Report &R);

} // namespace clrewrite::run
