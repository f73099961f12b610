// Names of edits, by which the user grants or demotes them.
#pragma once

#include "rewrite/Candidate.h"
#include "llvm/Support/Error.h"

namespace clrewrite::select {

/// Edits of a rewrite: all of them, or those of one alternative, of one class,
/// or both. Written REWRITE[/ALTERNATIVE][:CLASS], such as "narrow-index" or
/// "split-vector/halves:assumes".
struct EditName {
  std::string Rewrite;
  std::string Alternative = {};              ///< empty: each
  std::optional<rewrite::Safety> Class = {}; ///< none: each

  bool covers(llvm::StringRef OfRewrite,
              const clrewrite::rewrite::Alternative &A) const;
  std::string text() const;
};

/// Whether \p Rewrite exists is not asked.
llvm::Expected<EditName> parseEditName(llvm::StringRef Text);

bool anyCovers(llvm::ArrayRef<EditName> List, llvm::StringRef Rewrite,
               const rewrite::Alternative &A);

} // namespace clrewrite::select
