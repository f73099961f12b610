// Paths of files, with links followed: by them files are told apart.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace clrewrite {

/// \p Path with links followed; as it is where it leads nowhere.
std::string realPath(llvm::StringRef Path);

/// \p Real as seen from the working folder, where it is below.
std::string shortPath(llvm::StringRef Real);

/// The real path of the folder that \p Path stands in.
std::string folderOf(llvm::StringRef Path);

/// Whether \p Path stands in \p Folder or further down; both are real paths.
bool isBelow(llvm::StringRef Path, llvm::StringRef Folder);

/// The folder above \p Path that is a repository's; empty for none.
std::string repositoryOf(llvm::StringRef Path);

/// Whether \p Real is the user's home, or what that lies in.
bool holdsHome(llvm::StringRef Real);

/// The real path of the work tree that \p Folder is in, or of itself where it
/// is in none: headers lie beside each other there. Empty where \p Folder is
/// not there, or holds the home; nor does a work tree count that holds it.
std::string treeOf(llvm::StringRef Folder);

} // namespace clrewrite
