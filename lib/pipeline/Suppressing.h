// Keeping edits away from what a text's comments suppress.
#pragma once

#include "advice/Advice.h"
#include "frontend/Suppressions.h"
#include "pipeline/Unit.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>

namespace clrewrite::pipeline {

/// The suppressions of \p Text as \p Builds have it: its own, and behind those
/// what the text's surroundings in any build make hold in it.
frontend::Suppressions suppressionsIn(llvm::StringRef Text,
                                      llvm::ArrayRef<Build> Builds);

/// Sifts the findings of a text, and of the texts that a search makes of it.
/// Those have the same suppressions in the same order, since no edit may touch
/// a comment with one, nor part it from its line.
class Suppressing {
public:
  /// Leaves out of \p F, found in \p Text by one build, what \p Of says, the
  /// suppressions of \p Text. Sites of which nothing is left are declined, and
  /// the reason has the comment's line by \p LineOf.
  void sift(rewrite::Findings &F, llvm::StringRef Text,
            const frontend::Suppressions &Of,
            llvm::function_ref<unsigned(unsigned)> LineOf);

  /// Leaves out of \p Notes what \p Of says: a comment without names keeps
  /// advice away too, as it keeps everything away.
  void sift(std::vector<advice::Advice> &Notes,
            const frontend::Suppressions &Of);

  /// What is wrong with \p Given, those of the first text, where \p Known are
  /// the names of all rewrites and \p Tried of those that were looked for; and
  /// which have suppressed nothing in any build and text. \p Advice are the
  /// names of sorts of advice, which may stand there too.
  std::vector<rewrite::Warning>
  warnings(const frontend::Suppressions &Given,
           llvm::ArrayRef<llvm::StringRef> Known,
           llvm::ArrayRef<llvm::StringRef> Tried,
           llvm::ArrayRef<llvm::StringRef> Advice = {}) const;

private:
  struct Use {
    std::set<std::string> By; ///< the rewrites that it kept away
    bool Compiled = false;    ///< in some build it isn't all preprocessed away
  };
  std::vector<Use> Uses; ///< of the suppressions, in order

  Use *useOf(size_t I, const frontend::Suppressions &Of);
  bool holdBack(rewrite::Candidate &C, llvm::StringRef Text,
                const frontend::Suppressions &Of, std::string &Why,
                llvm::function_ref<unsigned(unsigned)> LineOf);
};

} // namespace clrewrite::pipeline
