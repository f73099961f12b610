// The lines of a unified diff are split at its heads, and edits are assigned to
// hunks by their lines.
#include "report/Hunks.h"
#include "source/Lines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace clrewrite::report {

std::vector<Hunk> hunksOf(StringRef Diff) {
  static const Regex Head("^(@@ -([0-9]+)(,([0-9]+))? [^@]*@@)");
  std::vector<Hunk> Out;
  SmallVector<StringRef> Lines, Found;
  Diff.split(Lines, '\n');
  if (!Lines.empty() && Lines.back().empty())
    Lines.pop_back(); // split() sees another line after the last
  for (StringRef Line : Lines) {
    if (!Head.match(Line, &Found)) {
      if (!Out.empty())
        Out.back().Lines.push_back(Line);
      continue;
    }
    unsigned First = 0, Count = 1;
    Found[2].getAsInteger(10, First);
    Found[4].getAsInteger(10, Count);
    Out.push_back({First, First + Count - 1, Found[1]});
  }
  return Out;
}

bool touches(const select::Outcome &O, StringRef Given, unsigned First,
             unsigned Last) {
  if (!O.Changes)
    return O.Line >= First && O.Line <= Last;
  return any_of(*O.Changes, [&](const Edit &E) {
    return lineAt(Given, E.Offset) <= Last && lineAt(Given, E.end()) >= First;
  });
}

} // namespace clrewrite::report
