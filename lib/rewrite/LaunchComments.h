// Tying launch comments to the kernels that they stand before.
#pragma once

#include "frontend/Parse.h"
#include "rewrite/Candidate.h"
#include <map>

namespace clrewrite::rewrite {

/// Gives each of \p Comments that says how a kernel is launched to the kernel
/// of \p Into whose declaration follows it: nothing but comments and the
/// declaration's own words (attributes, `kernel void`) stands between it and
/// the kernel's name. A kernel may have several. Comments that follow no such
/// rule, and those that say something else, become warnings.
/// \p NameOffsets: where each kernel's name stands in the main file.
void attachLaunches(llvm::ArrayRef<frontend::ToolComment> Comments,
                    const std::map<std::string, unsigned> &NameOffsets,
                    const clang::ASTContext &Context, Findings &Into);

/// Adds to \p A the edits by which the launch comments of \p K have the sizes
/// that its Launch asks for. Fails on a launch that can't be changed so.
llvm::Error changeLaunches(const KernelInfo &K, Alternative &A);

} // namespace clrewrite::rewrite
