// When the search ends before it is done: a budget, a clock, the user.
#pragma once

#include "select/Budget.h"
#include <functional>

namespace clrewrite {

/// Makes the first Ctrl-C end the search with the best so far, and the second
/// one the program. Gives back what says that the search must end.
std::function<bool()> watchForTheEnd(const SearchLimits &Limits);

} // namespace clrewrite
