// Plans (docs/plans.md): what a run over a capture kept, and their files.
#pragma once

#include "pipeline/Captured.h"
#include "plan/Plan.h"
#include <set>

namespace clrewrite::pipeline {

/// The plan in \p Path; fails, with the path first, where there is none.
llvm::Expected<plan::Plan> readPlanFile(llvm::StringRef Path);

/// What \p R kept of the programs of \p C, for each device and build that was
/// seen. \p Found are the units as the run left them. What can't be planned is
/// told in \p Notes.
plan::Plan planOf(const capture::Capture &C, const CapturedUnits &Found,
                  const report::Report &R, std::vector<std::string> &Notes);

/// \p P without the kernels \p Names, and without programs that have no others.
plan::Plan withoutKernels(plan::Plan P, const std::set<std::string> &Names);

} // namespace clrewrite::pipeline
