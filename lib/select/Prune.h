// Pruning: the set of edits that pays is made smaller, until the gain needs
// each of them.
#pragma once

#include "select/Evaluator.h"

namespace clrewrite::select {

/// Takes out each step of \p V in turn; drops what the gain does not need:
/// nothing gets worse anywhere without it. Starts again after each that no time
/// is measured for, so that the deltas of what remains are those beside the
/// final rest. What is dropped goes to \p Rejected. A step of which another one
/// edits what it inserted can't be taken out alone: it stays, with its delta to
/// the text before it.
void prune(Variant &V, const Evaluator &Eval, std::vector<Outcome> &Rejected);

} // namespace clrewrite::select
