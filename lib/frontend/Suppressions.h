// Comments that keep edits away from code: what they say, and where it holds.
#pragma once

#include "source/Ranges.h"

namespace clrewrite::frontend {

/// What a comment suppresses, or a pair of comments.
struct Suppression {
  enum Forms {
    Off,      ///< clrewrite-off, to clrewrite-on or the end of the text
    ThisLine, ///< NOCLREWRITE
    NextLine, ///< NOCLREWRITENEXTLINE
    Block,    ///< NOCLREWRITEBEGIN, to NOCLREWRITEEND
  };
  Forms Form = Off;
  unsigned Line = 0; ///< of the word, 1-based; 0 where it is in another text
  /// The names as they stand there; none: all rewrites.
  std::vector<std::string> Rules = {};
  size_t RulesEnd = 0; ///< where the ) stands, if Rules has any
  /// What is not edited: of a line all of it, and what is between the comment
  /// and the line.
  Range Covers = {};
  unsigned Target = 0;     ///< of ThisLine and NextLine: the line
  bool FromBefore = false; ///< what it covers starts before the text
  bool Elsewhere = false;  ///< it may be for what another text holds

  bool names(llvm::StringRef Rewrite) const;
  bool ofLine() const { return Form == ThisLine || Form == NextLine; }
  /// As it stands there, without a reason.
  std::string spelled() const;
};

struct Suppressions {
  struct Mark {
    Range At;
    unsigned Line;
  };
  struct Problem {
    unsigned Line;
    std::string Message;
    bool Unpaired = false; ///< that it has no other end
  };
  std::vector<Suppression> List; ///< by where they start
  std::vector<Mark> Marks;       ///< the comments themselves
  std::vector<Problem> Problems;
};

/// The suppressions of \p Text, which is OpenCL C as it stands, not
/// preprocessed: those that an #if leaves out count too.
///
/// A word counts where it comes first in a comment or in a line of one, or
/// after another // in it.
Suppressions suppressionsIn(llvm::StringRef Text);

/// A line of its own can be put in before the line that starts at \p Start and
/// is then a comment, if it says so: no comment, literal, or directive goes on
/// there from the line before.
bool takesCommentLine(llvm::StringRef Text, size_t Start);

} // namespace clrewrite::frontend
