// Text on its way to stderr, which may be a terminal or a log that obeys what
// stands in it.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace clrewrite::cli {

/// Remembers that messages may hold \p Path, whose line ends are no ends of
/// lines.
void rememberName(llvm::StringRef Path);

/// \p Text with control characters escaped, but for its own line ends and
/// colours.
std::string shown(llvm::StringRef Text);

} // namespace clrewrite::cli
