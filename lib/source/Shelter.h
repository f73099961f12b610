// Lines that the compilers of some GPUs alone read, since what helps there may
// cost time elsewhere:
//
//   #ifdef __AMDGCN__ // clrewrite: 6 -> 8 waves on gfx906
//   __attribute__((opencl_unroll_hint(1)))
//   #endif
//
// Where they stand in the place of others, these follow, and there may be lines
// for other GPUs between them:
//
//   #ifdef __AMDGCN__ // clrewrite: 3 -> 5 waves on gfx906
//   sum += load(a, i);
//   #elif defined(__NVPTX__) // clrewrite: 1.30 times as fast on sm_90
//   sum += vload4(i, a).x;
//   #else
//   sum += a[i];
//   #endif
//
// The comment tells such a shelter from what a user wrote for some GPUs. Its
// lines hold neither a directive nor the border of a block comment, and none of
// them goes on in the next.
//
// Whose lines they are is said by the name of a macro that these compilers
// define and no others.
#pragma once

#include "source/Edit.h"

namespace clrewrite {

/// \p E, which applies to \p Text, with a shelter for compilers that define the
/// macro \p For around what it adds. None where that is not one line by itself.
std::optional<Edit> sheltered(const Edit &E, llvm::StringRef For,
                              llvm::StringRef Text);

/// The line that begins the lines for \p For, without its end: the first of a
/// shelter's, or one that follows.
std::string shelterLine(llvm::StringRef For, bool IsFirst);

/// The line may stand in a shelter.
bool mayBeSheltered(llvm::StringRef Line);

/// \p Line is one with the next.
bool goesOn(llvm::StringRef Line);

/// Where the comment ends in \p Added, which an edit of sheltered() adds: more
/// words may follow there. None for the text of another edit.
std::optional<size_t> endOfShelterComment(llvm::StringRef Added);

/// Some byte of \p E, or the place where it inserts, is in a shelter of
/// \p Text.
bool isInShelter(const Edit &E, llvm::StringRef Text);

/// The macros of all shelters of \p Text, each once, in order.
std::vector<std::string> sheltersIn(llvm::StringRef Text);

/// \p Text as compilers read it that define the macro \p For, or none of all
/// where it is empty. Lines keep their numbers.
std::string withShelters(llvm::StringRef Text, llvm::StringRef For);

/// The same without the shelters: only what these compilers read of them is
/// left.
std::string readBy(llvm::StringRef Text, llvm::StringRef For);

} // namespace clrewrite
