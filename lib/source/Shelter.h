// Lines that the compilers of some GPUs alone read, since what helps there may
// cost time elsewhere:
//
//   #ifdef __AMDGCN__ // clrewrite: 6 -> 8 waves on gfx906
//   __attribute__((opencl_unroll_hint(1)))
//   #endif
//
// The comment tells such a shelter from what a user wrote for some GPUs. There
// is one line or more in it, and neither a directive nor a block comment.
#pragma once

#include "source/Edit.h"

namespace clrewrite {

/// \p E, which applies to \p Text, with a shelter for compilers that define
/// \p Macro around what it adds. None where that is not one line by itself.
std::optional<Edit> sheltered(const Edit &E, llvm::StringRef Macro,
                              llvm::StringRef Text);

/// Where the comment ends in \p Added, which an edit of sheltered() adds: more
/// words may follow there. None for the text of another edit.
std::optional<size_t> endOfShelterComment(llvm::StringRef Added);

/// \p Text as those compilers read it that read the shelters' lines, if
/// \p Open, or as the others do. Lines keep their numbers.
std::string withShelters(llvm::StringRef Text, bool Open);

/// \p Text without its shelters and the lines in them.
std::string withoutShelters(llvm::StringRef Text);

} // namespace clrewrite
