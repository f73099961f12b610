// Lists of strings as bytes, for what processes ask one another.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace clrewrite::process {

/// \p Fields one after the other, each behind its length: texts may hold any
/// bytes, which JSON may not.
std::string packFields(llvm::ArrayRef<std::string> Fields);

/// The opposite; nullopt where \p Bytes are no such list.
std::optional<std::vector<std::string>> unpackFields(llvm::StringRef Bytes);

} // namespace clrewrite::process
