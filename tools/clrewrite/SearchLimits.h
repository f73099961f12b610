// When the search ends before it is done: a budget, a clock, the user.
#pragma once

#include "llvm/Support/Error.h"
#include <functional>

namespace clrewrite {

struct SearchLimits {
  /// Alternatives for each kernel that can gain; 0 is no limit.
  unsigned Alternatives = 0;
  /// Seconds for the whole run; 0 is no limit.
  double Seconds = 0;
};

/// Reads --budget: "200" alternatives, or "30s".
llvm::Expected<SearchLimits> parseBudget(llvm::StringRef Text);

/// Makes the first Ctrl-C end the search with the best so far, and the second
/// one the program. Gives back what says that the search must end.
std::function<bool()> watchForTheEnd(const SearchLimits &Limits);

} // namespace clrewrite
