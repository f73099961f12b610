// --no-measure: every legal edit, without the gate.
#pragma once

#include "select/Bench.h"

namespace clrewrite::select {

/// \p From with the first allowed alternative of every site. What is left out
/// goes to \p Rejected.
Version applyAll(Version From, const Finder &Find, const Bench &B,
                 std::vector<Outcome> &Rejected);

} // namespace clrewrite::select
