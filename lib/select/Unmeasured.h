// --no-measure: every legal edit, without the gate.
#pragma once

#include "select/Evaluator.h"

namespace clrewrite::select {

/// \p From with the first allowed alternative of every site. What is left out
/// goes to \p Rejected.
Variant applyAll(Variant From, const Finder &Find, const Evaluator &Eval,
                 std::vector<Outcome> &Rejected);

} // namespace clrewrite::select
