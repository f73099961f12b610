// The budget of a search, as the user writes it: a number of alternatives, or
// seconds.
#pragma once

#include "llvm/Support/Error.h"

namespace clrewrite::select {

struct SearchLimits {
  /// Alternatives for each kernel that can gain; 0 is no limit.
  unsigned Alternatives = 0;
  /// Seconds for the whole run; 0 is no limit.
  double Seconds = 0;
};

/// Reads --budget: "200" alternatives, or "30s".
llvm::Expected<SearchLimits> parseBudget(llvm::StringRef Text);

} // namespace clrewrite::select
