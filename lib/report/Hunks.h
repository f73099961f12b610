// The hunks of a unified diff, each with the edits that made it.
#pragma once

#include "report/Report.h"

namespace clrewrite::report {

struct Hunk {
  /// The lines of the given text that it shows, 1-based; Last may be before
  /// First where there are none.
  unsigned First = 0, Last = 0;
  /// "@@ -3,7 +3,9 @@".
  llvm::StringRef Head;
  /// The lines with their first character: ' ', '-', '+', or '\' for a note.
  std::vector<llvm::StringRef> Lines = {};
};

/// The hunks of \p Diff, of one file, into which the result points.
std::vector<Hunk> hunksOf(llvm::StringRef Diff);

/// Lines \p First to \p Last of \p Given have to do with \p O: an edit of it is
/// there or, where its edits have no place in \p Given, its site.
bool touches(const select::Outcome &O, llvm::StringRef Given, unsigned First,
             unsigned Last);

} // namespace clrewrite::report
