// Sources with the text of a header in the place of its #include.
#pragma once

#include "frontend/Inclusions.h"
#include "process/Child.h"

namespace clrewrite::pipeline {

/// inclusionsOf, in a child process.
frontend::Inclusions scan(const Source &S, const frontend::Arch &A,
                          const process::ChildLimits &Limits);

/// What stands before and behind the text of a header.
struct Surrounding {
  std::string Before, After;
  /// Why there is none; a part of a sentence that begins with the includer.
  std::string Problem = {};
};

/// What \p S, which includes \p Seen, has around the file \p Real. \p Read
/// gives the texts of files.
Surrounding
surrounding(const Source &S, const frontend::Inclusions &Seen,
            llvm::StringRef Real,
            llvm::function_ref<std::string(const std::string &)> Read);

} // namespace clrewrite::pipeline
