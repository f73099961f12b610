// Places in a text, as an editor counts them: lines from 0, and columns in
// UTF-16 code units, which is what the Language Server Protocol has unless both
// sides agree on another.
#pragma once

#include "lsp/Protocol.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace clrewrite::lsp {

/// Turns places of \p Text into offsets and back; it must outlive this.
class Positions {
public:
  explicit Positions(llvm::StringRef Text);

  /// The place of byte \p Offset; of one in the middle of a character, where
  /// that starts; past the end, the end.
  Position at(size_t Offset) const;
  Range range(size_t Begin, size_t End) const { return {at(Begin), at(End)}; }
  /// The byte at \p P; past the end of its line, that end; past the last line,
  /// the end of the text. Negative numbers count as 0.
  size_t offset(Position P) const;
  /// The code of line \p Line, from 1, without the blanks around it; of no line
  /// of the text, its start.
  Range line(unsigned Line) const;

private:
  llvm::StringRef Text;
  std::vector<size_t> Starts; ///< offset of each line

  llvm::StringRef textOf(size_t Line) const; ///< without its end
};

/// \p Text after \p Change, which replaces all of it where it has no range.
std::string changed(std::string Text, const ContentChange &Change);

/// Bytes at the front and the back of two texts that are the same, in whole
/// lines; they overlap in neither.
struct SameLines {
  size_t Front = 0, Back = 0;
};
SameLines sameLines(llvm::StringRef A, llvm::StringRef B);

/// The edits that make \p After of \p Before: the lines that differ, in one
/// piece; none where nothing does.
std::vector<TextEdit> editsBetween(llvm::StringRef Before,
                                   llvm::StringRef After);

} // namespace clrewrite::lsp
