// The options that say how a run works: which edits, how kernels are built and
// measured, how results are verified.
#pragma once

#include "config/Resolve.h"

namespace clrewrite::cli {

/// What is wrong with the options' values; empty where nothing is.
std::string badOption(bool OnlyMeasure);

/// Edits are limited to some lines, which are of one file.
bool limitsLines();

/// What the command line says in the place of a configuration; \p AfterDashes
/// are build options.
llvm::Expected<config::Config>
givenOptions(llvm::ArrayRef<std::string> AfterDashes);

/// What only the command line says, but for what main() adds: modes, cache,
/// output.
llvm::Expected<pipeline::PipelineOptions> commonOptions(bool Colour);

/// What --launch gives, where givenOptions has taken it.
std::vector<measure::Launch> givenLaunches();

/// The device that --verify=WANTED means.
verify::LazyDevice verifyingDevice(const std::string &Wanted);

/// --no-cache was not given.
bool wantsCache();
/// --device-libs; empty where it was not given.
std::string libraryDir();

/// The message for a rewrite that does not exist.
std::string unknownRewrite(llvm::StringRef Name);

} // namespace clrewrite::cli
