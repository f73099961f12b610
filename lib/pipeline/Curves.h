// The occupancy curves of a file's kernels.
#pragma once

#include "measure/OccupancyCurves.h"
#include "select/Select.h"

namespace clrewrite {

/// By target, then kernel, before and after the edits of \p S. Kernels that
/// could not be measured, and targets of which nothing is known, have none.
std::vector<std::map<std::string, OccupancyCurves>>
curvesOf(const Selection &S, llvm::ArrayRef<Target> Targets,
         const ChildLimits &Limits);

} // namespace clrewrite
