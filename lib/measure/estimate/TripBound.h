// The most that a loop with cut bounds can run.
#pragma once

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include <optional>

namespace clrewrite::measure {

/// An upper bound of \p Count in integers without limits: 6 for
/// `min(4, w - x) - max(-3, -x) - 1`. None where a part of it has no bound.
std::optional<int64_t> upperBound(const llvm::SCEV *Count);

} // namespace clrewrite::measure
