// The parts of a text to which its edits are limited.
#pragma once

#include "source/Edit.h"

namespace clrewrite {

/// From Begin to before End. What ends with the text ends one byte after it,
/// so that insertions at the text's end lie within.
struct Range {
  size_t Begin = 0, End = 0;
};

/// In order, none touching the next.
using Ranges = std::vector<Range>;

/// A range of lines: 1-based, Last is in it.
struct LineRange {
  size_t First = 1, Last = 1;
};

/// "3, 7-8": lines side by side as one range, and of more than ten ranges the
/// first ten, " and 3 more places".
std::string lineNumbers(llvm::ArrayRef<LineRange> Lines);

/// The bytes of \p Lines of \p Text, as far as it has them.
Ranges bytesOf(llvm::StringRef Text, llvm::ArrayRef<LineRange> Lines);

/// The lines of \p Text in ranges from one directive of an #if to the next, as
/// far as they hold code: more than directives and comments.
std::vector<LineRange>
linesSkipped(llvm::StringRef Text,
             llvm::ArrayRef<std::pair<unsigned, unsigned>> Skipped);

/// All bytes that \p E takes or puts in lie within one of \p List. An insertion
/// before a line belongs to that line.
bool liesWithin(const Edit &E, const Ranges &List);

/// Moves \p List along with \p Applied, of which all but shared insertions lie
/// within. What they insert there is within.
void moveAlong(Ranges &List, llvm::ArrayRef<Edit> Applied);

} // namespace clrewrite
