// Programs of several files, and the headers that they include: --program,
// --fix-headers.
#pragma once

#include "pipeline/InputUnits.h"
#include "pipeline/Pipeline.h"

namespace clrewrite {

/// What is wrong with these options beside others; empty where nothing is.
std::string badProgramOptions(bool NotFiles);

/// What to rewrite of \p Files.
llvm::Expected<std::vector<Unit>>
givenUnits(llvm::ArrayRef<std::string> Files, const Build &How,
           std::vector<std::string> &Notes,
           const std::optional<StdinText> &Stdin);

/// Runs the pipeline, for headers too where they are asked for: \p Units are
/// then those of the report.
Report runGiven(std::vector<Unit> &Units, Meter &M,
                const PipelineOptions &Options);

} // namespace clrewrite
