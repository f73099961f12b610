// Build options are joined into one string, as clBuildProgram takes them.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace clrewrite {

/// \p Words as clBuildProgram takes them; those with spaces in double quotes,
/// which is all that drivers know.
std::string joinOptions(llvm::ArrayRef<std::string> Words);

/// The option string \p Given with \p More behind it; either may be empty.
std::string withOptions(llvm::StringRef Given, llvm::StringRef More);

} // namespace clrewrite
