// A line of progress on a terminal; a line each minute elsewhere.
#pragma once

#include "report/Progress.h"
#include <chrono>

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
  std::chrono::steady_clock::time_point Logged =
      std::chrono::steady_clock::now();

  void log(const report::ProgressNote &Note);
};

} // namespace clrewrite::cli
