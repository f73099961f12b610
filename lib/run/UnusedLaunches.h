// Launches of a configuration that are for no kernel at all.
#pragma once

#include "report/Report.h"
#include "run/Settings.h"

namespace clrewrite::run {

/// For each launch of the configurations \p All of the files of \p R that names
/// a kernel which none of them has, and of which no other file below the
/// configuration says a word: the configuration, and the kernel. A run of a few
/// files leaves the launches of the others unused, which is no mistake. Nothing
/// where a file has failed, since its kernels are not known.
std::vector<std::string> unusedLaunches(Configs &All, const report::Report &R);

} // namespace clrewrite::run
