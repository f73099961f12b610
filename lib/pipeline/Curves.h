// The occupancy of a file's kernels: curves, and what limits it.
#pragma once

#include "measure/occupancy/OccupancyAccount.h"
#include "measure/occupancy/OccupancyCurves.h"
#include "select/Select.h"

namespace clrewrite::pipeline {

/// By target, then kernel, before and after the edits of \p S. Kernels that
/// could not be measured, and targets of which nothing is known, have none.
std::vector<std::map<std::string, measure::OccupancyCurves>>
curvesOf(const select::Selection &S, llvm::ArrayRef<measure::Target> Targets,
         const process::ChildLimits &Limits);

/// By target, what limits each kernel before and after the edits of \p S. The
/// work-group's size is that of one of \p Launches, where the kernel requires
/// none.
std::vector<measure::TargetAccounts>
accountsOf(const select::Selection &S, llvm::ArrayRef<measure::Target> Targets,
           llvm::ArrayRef<measure::Launch> Launches,
           const process::ChildLimits &Limits);

} // namespace clrewrite::pipeline
