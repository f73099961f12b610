// When the search ends before it is done: a budget, a clock, the user.
#pragma once

#include "select/Budget.h"
#include <chrono>

namespace clrewrite::run {

/// Makes the first Ctrl-C or SIGTERM end the search with the best so far, and
/// the run after this file; the second one ends the program.
void watchForInterrupts();

/// When the time of \p Limits, which begins now, is over.
std::chrono::steady_clock::time_point endOf(const select::SearchLimits &Limits);

/// The signal that asked the run to end; 0 for none.
int interruptedBy();

} // namespace clrewrite::run
