// A file that counts for all that stand below its folder, as configurations do.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace clrewrite {

/// The file \p Name that counts for \p File, which need not exist: the nearest
/// in its folder or one above; empty where there is none. One that belongs to
/// somebody else, who is not root and not the owner of \p File, does not count,
/// and \p Foreign, unless null, is the last of those. Root takes all.
std::string nearestFile(llvm::StringRef File, llvm::StringRef Name,
                        std::string *Foreign = nullptr);

} // namespace clrewrite
