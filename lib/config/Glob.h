// Patterns of file names, as .gitignore has them.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace clrewrite::config {

/// What is wrong with \p Pattern; empty where nothing is.
std::string badGlob(llvm::StringRef Pattern);

/// Whether \p Pattern names \p Path, a path with '/' relative to the folder
/// that the pattern counts from, or a folder that it lies in.
///
/// `*` and `?` stop at '/', `**` does not, `[a-z]` and `[!a-z]` are one
/// character, `{a,b}` one of several texts. A pattern with a '/' other than at
/// its end counts from the folder; any other names files and folders at any
/// depth.
bool globMatches(llvm::StringRef Pattern, llvm::StringRef Path);

/// One of \p Patterns does.
bool anyGlobMatches(llvm::ArrayRef<std::string> Patterns, llvm::StringRef Path);

} // namespace clrewrite::config
