// Which lines differ between two texts.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace clrewrite {

/// Lines of an old text, from OldBegin to before OldEnd, in the place of which
/// a new one has others. One of the two ranges may be empty.
struct Hunk {
  size_t OldBegin = 0, OldEnd = 0, NewBegin = 0, NewEnd = 0;
};

/// The lines of \p Text, each with its end.
std::vector<llvm::StringRef> linesOf(llvm::StringRef Text);

/// A shortest list of hunks that makes \p New of \p Old, in order; between two
/// there is a line that both have. Texts that differ in very many lines have
/// one hunk.
std::vector<Hunk> differences(llvm::ArrayRef<llvm::StringRef> Old,
                              llvm::ArrayRef<llvm::StringRef> New);

} // namespace clrewrite
