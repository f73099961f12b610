// What is said of a site in an included file.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace clrewrite::rewrite {

/// The reason why a site in line \p Line of \p Header is declined.
std::string includedIn(llvm::StringRef Header, unsigned Line);

/// Whether \p Reason is that, of any line of \p Header.
bool isIncludedIn(llvm::StringRef Reason, llvm::StringRef Header);

/// \p Reason without the option that would edit the header.
std::string withoutHint(llvm::StringRef Reason);

} // namespace clrewrite::rewrite
