// What a diff calls the files that stand outside of the working folder.
#pragma once

#include "report/Report.h"

namespace clrewrite::pipeline {

/// Names for the diffs of a run. Neither patch nor git apply takes a path with
/// "..", so where one is needed, all names count from a folder further up.
class DiffNames {
public:
  /// \p Paths, as given, are all that have a diff.
  explicit DiffNames(llvm::ArrayRef<std::string> Paths);

  std::string of(llvm::StringRef Path) const;
  /// Where the names count from: "" for the working folder, or "..", "../..".
  std::string folder() const;

private:
  /// How many folders up, and what leads from there to the working folder.
  size_t Up = 0;
  std::string Down;
};

} // namespace clrewrite::pipeline
