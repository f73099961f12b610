// Unified diffs, by the system's diff program.
#pragma once

#include "llvm/Support/Error.h"
#include <string>

namespace clrewrite::pipeline {

/// What `diff -u` prints for the two texts, labelled a/Path and b/Path; empty
/// where they are equal. Fails where there is no diff program.
llvm::Expected<std::string> unifiedDiff(llvm::StringRef Path,
                                        llvm::StringRef Before,
                                        llvm::StringRef After);

} // namespace clrewrite::pipeline
