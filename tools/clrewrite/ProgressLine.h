// A line of progress on a terminal; nothing elsewhere.
#pragma once

#include "report/Progress.h"

namespace clrewrite::cli {

/// How wide the terminal behind file descriptor \p Terminal is, in characters;
/// 80 where it does not say.
unsigned columnsOf(int Terminal);

class ProgressLine {
public:
  /// Replaces what is shown.
  void show(const report::ProgressNote &Note);
  void clear();

private:
  bool Shown = false;
};

} // namespace clrewrite::cli
