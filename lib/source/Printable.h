// Text of somebody else's on its way to a terminal or a log.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace clrewrite {

/// \p Text with control characters in the form \x1b: a terminal would obey
/// them, and a new line could begin with a command of the log's reader
/// (::add-mask:: on GitHub). Characters that turn the direction of text are
/// escaped, too. With \p KeepLines line ends stay; with \p KeepColours so do
/// the sequences that set colours. Tabs stay.
std::string printable(llvm::StringRef Text, bool KeepLines = false,
                      bool KeepColours = false);

/// Whether printable(Text) is another text.
bool hasControls(llvm::StringRef Text);

} // namespace clrewrite
