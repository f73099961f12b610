// Text for a terminal of some width.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace clrewrite::report {

/// \p Text with its lines broken at spaces, so that each takes \p Columns at
/// most, after commas where that leaves them half full; what goes on is
/// indented by four more than its line. A word that is longer stands alone.
/// Colours take no columns, and each byte of UTF-8 that starts a character
/// takes one.
std::string wrapped(llvm::StringRef Text, unsigned Columns);

} // namespace clrewrite::report
