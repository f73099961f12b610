// Build options are joined into one string, as clBuildProgram takes them.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace clrewrite {

/// \p Words as clBuildProgram takes them; those with spaces in double quotes,
/// which is all that drivers know.
std::string joinOptions(llvm::ArrayRef<std::string> Words);

} // namespace clrewrite
