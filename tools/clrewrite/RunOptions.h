// What a run's options amount to, and what can be wrong with them that no
// option knows by itself.
#pragma once

#include "config/Options.h"
#include "config/Resolve.h"
#include "report/Roofline.h"

namespace clrewrite::cli {

/// The error of options that exclude each other; empty where there is none.
std::string badOptions(const config::Options &O);

/// What \p O says in place of a configuration, with the build options that
/// follow "--".
llvm::Expected<config::Config> givenSettings(const config::Options &O);

/// What only the options say and no configuration, but for what a run adds.
llvm::Expected<pipeline::PipelineOptions>
commonOptions(const config::Options &O);

/// All that a file gets for which \p C is resolved: \p Common, and what \p C
/// says.
llvm::Expected<pipeline::PipelineOptions>
pipelineOptions(const config::Options &O, pipeline::PipelineOptions Common,
                const config::Config &C);

/// The launches of --launch, where givenSettings has taken them.
std::vector<measure::Launch> givenLaunches(const config::Options &O);

/// The peaks that `roofline` is given.
llvm::Expected<report::GivenPeaks> givenPeaks(const config::Options &O);

} // namespace clrewrite::cli
