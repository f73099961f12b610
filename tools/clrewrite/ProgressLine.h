// A line of progress on a terminal; nothing elsewhere.
#pragma once

#include "report/Progress.h"

namespace clrewrite {

class ProgressLine {
public:
  /// Replaces what is shown.
  void show(const ProgressNote &Note);
  void clear();

private:
  bool Shown = false;
};

} // namespace clrewrite
