// Edits in the style of the project: as its .clang-format has its code.
#pragma once

#include "source/Edit.h"
#include "llvm/ADT/StringRef.h"

namespace clrewrite::frontend {

/// \p List, edits of \p Text, with what they insert laid out as \p Config says,
/// the text of a .clang-format file. Only blanks and ends of lines change, and
/// only within what an edit inserts. An edit stays as it is where the line that
/// it begins in is not laid out so itself, where it holds a directive, where it
/// is shared with other sites, and where clang-format would change more than
/// blanks; all stay where \p Config can't be read, and where clang-format
/// crashes or takes more than some seconds: it runs in a child process.
Edits inStyle(llvm::StringRef Config, llvm::StringRef Text, Edits List);

} // namespace clrewrite::frontend
