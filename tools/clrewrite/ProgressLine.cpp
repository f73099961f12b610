// The line is written on stderr. On a terminal it is erased before other
// output; elsewhere one stays each minute, so that a log shows that work goes
// on.
#include "ProgressLine.h"
#include "source/Printable.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/ioctl.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite::cli {

unsigned columnsOf(int Terminal) {
  constexpr unsigned Usual = 80;
  // LLVM knows COLUMNS alone, which shells keep to themselves.
  winsize Size{};
  bool Known = ::ioctl(Terminal, TIOCGWINSZ, &Size) == 0 && Size.ws_col;
  return Known ? Size.ws_col : Usual;
}

void ProgressLine::show(const report::ProgressNote &Note) {
  if (!errs().is_displayed())
    return log(Note);
  clear();
  // A full last column would begin a new line on some terminals.
  errs() << printable(report::progressText(Note, columnsOf(STDERR_FILENO) - 1));
  Shown = true;
}

void ProgressLine::log(const report::ProgressNote &Note) {
  constexpr unsigned Width = 200;
  constexpr std::chrono::minutes Between(1);
  auto Now = std::chrono::steady_clock::now();
  if (Now - Logged < Between)
    return;
  errs() << "clrewrite: " << printable(report::progressText(Note, Width))
         << "\n";
  Logged = Now;
}

void ProgressLine::clear() {
  if (Shown)
    errs() << "\r\033[K";
  Shown = false;
}

} // namespace clrewrite::cli
