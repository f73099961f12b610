// Launches for kernels of which none is known, so that they can be timed.
#pragma once

#include "pipeline/Pipeline.h"

namespace clrewrite::pipeline {

/// Gives each kernel of \p Out that \p Of's builds have no launch of one that
/// is made up (verify/GuessLaunch.h), and says in \p Out's warnings what it is,
/// or why there is none. Rewrites and verification don't know of it: what a
/// kernel is launched with is not known by it. Fails without a device to try it
/// on.
llvm::Error guessLaunches(Unit &Of, const BuiltText &Text,
                          const PipelineOptions &Options,
                          report::FileReport &Out);

} // namespace clrewrite::pipeline
