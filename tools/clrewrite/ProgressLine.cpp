// The line of progress, on stderr.
#include "ProgressLine.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace clrewrite {

void ProgressLine::show(const ProgressNote &Note) {
  constexpr unsigned Usual = 80;
  if (!errs().is_displayed())
    return;
  unsigned Columns = sys::Process::StandardErrColumns();
  clear();
  // A full last column would begin a new line on some terminals.
  errs() << progressText(Note, (Columns ? Columns : Usual) - 1);
  Shown = true;
}

void ProgressLine::clear() {
  if (Shown)
    errs() << "\r\033[K";
  Shown = false;
}

} // namespace clrewrite
