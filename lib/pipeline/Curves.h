// The occupancy curves of a file's kernels.
#pragma once

#include "measure/occupancy/OccupancyCurves.h"
#include "select/Select.h"

namespace clrewrite::pipeline {

/// By target, then kernel, before and after the edits of \p S. Kernels that
/// could not be measured, and targets of which nothing is known, have none.
std::vector<std::map<std::string, measure::OccupancyCurves>>
curvesOf(const select::Selection &S, llvm::ArrayRef<measure::Target> Targets,
         const process::ChildLimits &Limits);

} // namespace clrewrite::pipeline
