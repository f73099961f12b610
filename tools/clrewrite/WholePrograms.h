// Programs of several files, and the headers that they include: --program,
// --fix-headers.
#pragma once

#include "config/Options.h"
#include "pipeline/InputUnits.h"
#include "pipeline/Pipeline.h"

namespace clrewrite::cli {

/// What is wrong with these options beside others; empty where nothing is.
std::string badProgramOptions(const config::Options &O, bool NotFiles);

/// What to rewrite of the given files, as inputUnits has it.
llvm::Expected<std::vector<pipeline::Unit>>
givenUnits(const config::Options &O, std::vector<std::string> &Notes,
           const std::optional<pipeline::StdinText> &Stdin,
           const std::function<bool(const std::string &)> &Excluded);

/// The file whose settings \p U has: its own, or of one
/// program the first.
const std::string &settingsFile(const pipeline::Unit &U,
                                const config::Options &O);

/// Runs the pipeline, for headers too where they are asked for: \p Units are
/// then those of the report.
report::Report runGiven(const config::Options &O,
                        std::vector<pipeline::Unit> &Units,
                        std::vector<const pipeline::Setup *> Setups);

} // namespace clrewrite::cli
