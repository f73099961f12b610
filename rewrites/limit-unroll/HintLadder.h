// The lines of an #if that choose the hint of the loop below them:
//
//   #if defined(MANY)
//   #pragma unroll 8
//   #elif defined(FEW)
//   #pragma unroll 2
//   #endif
//   for (...)
//
// A hint may get another number where it stands, since other builds do not read
// that arm. Where no arm is read, and each has a hint, an #else is one more.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace clrewrite::rewrite::limit_unroll {

/// `#pragma unroll`, with a number or without, or `#pragma nounroll`, and
/// nothing else on the line.
bool isUnrollPragma(llvm::StringRef Line);

/// How many bytes of \p Text an attribute takes that is an unroll hint and
/// nothing else; 0 where it does not start with one.
size_t lengthOfHint(llvm::StringRef Text);

struct HintLadder {
  /// Offsets of the lines of the #if and of its #endif.
  size_t If = 0, EndIf = 0;
  /// Each arm is one hint, and no arm is an #else: where none of the hints is
  /// in force, no arm is.
  bool OnlyHints = false;
};

/// The ladder above the loop at \p Loop, of which an arm ends with a hint, and
/// whose #endif stands right above the loop, comments and other hints aside.
std::optional<HintLadder> ladderAbove(llvm::StringRef Text, size_t Loop);

} // namespace clrewrite::rewrite::limit_unroll
