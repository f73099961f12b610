// Contents of buffers and images that are too large to be carried about in
// jobs: jobs name them, and they are read when a device program needs them.
#pragma once

#include "llvm/Support/Error.h"
#include <functional>
#include <string>

namespace clrewrite::opencl {

using ReadContents = std::function<llvm::Expected<std::string>()>;

/// The fill of a buffer or image ("contents:NAME") whose bytes \p Read gives.
/// \p Name stands for these bytes and no others, such as the hash of them, and
/// has letters and digits alone; what it was given before is forgotten.
std::string fillBy(llvm::StringRef Name, ReadContents Read);

/// The name in \p Fill; empty where it is another sort of fill.
llvm::StringRef contentsIn(llvm::StringRef Fill);

/// "base64:..." for the contents \p Name; the error says why there are none.
llvm::Expected<std::string> contentsOf(llvm::StringRef Name);

} // namespace clrewrite::opencl
