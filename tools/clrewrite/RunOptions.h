// The options that say how a run works: which edits, how kernels are built and
// measured, how results are verified.
#pragma once

#include "pipeline/Pipeline.h"

namespace clrewrite {

/// What is wrong with the options' values; empty where nothing is.
std::string badOption(bool OnlyMeasure);

/// Edits are limited to some lines, which are of one file.
bool limitsLines();

/// All of the pipeline's options but what main() adds: modes, cache, output.
/// \p AfterDashes are build options; with \p OnlyMeasure no rewrite is tried.
/// \p Captured is the target where none is given; empty for the usual ones.
llvm::Expected<PipelineOptions>
pipelineOptions(llvm::ArrayRef<std::string> AfterDashes, bool Colour,
                bool OnlyMeasure, const std::string &Captured);

/// How edits are verified; \p Device must outlive the run.
llvm::Expected<VerifySettings>
verifySettings(std::optional<LazyDevice> &Device);

/// --no-cache was not given.
bool wantsCache();
/// --device-libs; empty where it was not given.
std::string libraryDir();

/// The message for a rewrite that does not exist.
std::string unknownRewrite(llvm::StringRef Name);

} // namespace clrewrite
