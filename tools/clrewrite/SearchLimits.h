// When the search ends before it is done: a budget, a clock, the user.
#pragma once

#include "report/Report.h"
#include "select/Budget.h"
#include <functional>

namespace clrewrite::cli {

/// Makes the first Ctrl-C or SIGTERM end the search with the best so far, and
/// the run after this file; the second one ends the program. Gives back what
/// says that the search must end.
std::function<bool()> watchForTheEnd(const select::SearchLimits &Limits);

/// The signal that asked the run to end; 0 for none.
int interruptedBy();

/// Tells how many files were not begun because of it.
void tellNotBegun(const report::Report &R);

} // namespace clrewrite::cli
