// Text on its way to stderr, which may be a terminal or a log that obeys what
// stands in it.
#pragma once

#include "llvm/ADT/Twine.h"
#include <string>

namespace clrewrite::run {

/// Remembers that messages may hold \p Path, whose line ends are no ends of
/// lines.
void rememberName(llvm::StringRef Path);

/// \p Text with control characters escaped, but for its own line ends and
/// colours.
std::string shown(llvm::StringRef Text);

/// Prints \p Text, which has no control characters, as a note.
void note(const llvm::Twine &Text);

/// Prints \p Text, as shown() gives it, as an error.
void error(const llvm::Twine &Text);

} // namespace clrewrite::run
