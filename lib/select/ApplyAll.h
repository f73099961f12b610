// With --no-measure every legal edit is applied, and no figures judge it.
#pragma once

#include "select/Evaluator.h"

namespace clrewrite::select {

/// Applies the first allowed alternative of every site of \p From. Those that
/// can't be applied go to \p Rejected.
Variant applyAll(Variant From, const Finder &Find, const Evaluator &Eval,
                 std::vector<Outcome> &Rejected);

} // namespace clrewrite::select
