// Writing comments that suppress what would be edited.
#pragma once

#include "select/Select.h"
#include <set>

namespace clrewrite::pipeline {

/// A place that is not to be edited.
struct UnwantedSite {
  std::string Rewrite;
  unsigned Offset = 0; ///< bytes

  bool operator<(const UnwantedSite &O) const {
    return std::tie(Offset, Rewrite) < std::tie(O.Offset, O.Rewrite);
  }
};

/// The insertions into \p Text, with its line endings, that suppress \p Sites:
/// names in the comment that a line has already, else a comment line before it,
/// or where that would be none (in a macro's continuation, or behind a comment
/// that goes on there) a comment right before the site.
Edits suppressionsFor(llvm::StringRef Text,
                      const std::set<UnwantedSite> &Sites);

/// A text with suppressions that were added.
struct Suppressed {
  Source Text;
  /// What a search of it gives; it changes nothing.
  select::Selection Left;
  unsigned Added = 0; ///< sites
};

/// Finds the edits of a text that pay, within ranges of it.
using Chooser = std::function<llvm::Expected<select::Selection>(
    const Source &, const rewrite::Findings &, const std::optional<Ranges> &)>;

/// Suppresses what \p Chosen applies to \p Text, whose sites are \p Found, and
/// what is applied then, until nothing is. Fails where that can't be, and where
/// a comment would change a kernel's code.
llvm::Expected<Suppressed> addSuppressions(Source Text, rewrite::Findings Found,
                                           select::Selection Chosen,
                                           std::optional<Ranges> Within,
                                           const select::Finder &Find,
                                           const Chooser &Choose);

} // namespace clrewrite::pipeline
