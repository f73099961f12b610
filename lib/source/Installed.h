// Files that are installed with the program, found from where it stands, so
// that the tree it is installed in can be moved.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace clrewrite {

/// The folder of the program that runs, symbolic links resolved.
std::string programFolder();

/// The path of \p Name in ../lib/clrewrite beside the program's folder; empty
/// where there is no such file, as in a build folder, and in Debian's package,
/// which depends on others for what it needs.
std::string installed(llvm::StringRef Name);

} // namespace clrewrite
