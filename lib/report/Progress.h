// The text of the progress line on a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace clrewrite::report {

/// The work that is being done.
struct ProgressNote {
  std::string Path, What;
  /// Which text of how many, from 1; 0 of 0 where there is but one.
  size_t Number = 0, Of = 0;
};

/// \p Note in at most \p Width columns of a terminal: a bar where there is room
/// for one, "[3/17]", the file (its end, if need be), what is done.
std::string progressText(const ProgressNote &Note, unsigned Width);

} // namespace clrewrite::report
