// When the search ends before it is done: a budget, a clock, the user.
#pragma once

#include "select/Budget.h"
#include <functional>

namespace clrewrite::run {

/// Makes the first Ctrl-C or SIGTERM end the search with the best so far, and
/// the run after this file; the second one ends the program. Gives back what
/// says for how many seconds the search may go on: 0 or less once it must end.
std::function<double()> watchForTheEnd(const select::SearchLimits &Limits);

/// The signal that asked the run to end; 0 for none.
int interruptedBy();

} // namespace clrewrite::run
