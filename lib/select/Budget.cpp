// The text of --budget is read and checked.
#include "select/Budget.h"

using namespace llvm;

namespace clrewrite::select {

Expected<SearchLimits> parseBudget(StringRef Text) {
  SearchLimits L;
  StringRef Number = Text;
  if (Number.consume_back("s")) {
    if (!Number.getAsDouble(L.Seconds) && L.Seconds > 0)
      return L;
  } else if (!Number.getAsInteger(10, L.Alternatives)) {
    return L;
  }
  return createStringError("a budget is a number of alternatives (200), or "
                           "seconds (30s), not '" +
                           Text + "'");
}

} // namespace clrewrite::select
