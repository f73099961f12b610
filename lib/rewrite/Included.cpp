// The sentence for sites in included files.
#include "rewrite/Included.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite::rewrite {

static constexpr const char *Hint = "; --fix-headers edits it";
static constexpr const char *Start = "stands in an included file, ";

/// As people write it.
static std::string shown(StringRef Path) {
  SmallString<256> Out(Path);
  sys::path::remove_dots(Out, /*remove_dot_dot=*/true);
  return Out.str().str();
}

std::string includedIn(StringRef Header, unsigned Line) {
  return Start + shown(Header) + ":" + std::to_string(Line) + Hint;
}

bool isIncludedIn(StringRef Reason, StringRef Header) {
  return Reason.consume_front(Start) && Reason.consume_front(shown(Header)) &&
         Reason.starts_with(":");
}

std::string withoutHint(StringRef Reason) {
  Reason.consume_back(Hint);
  return Reason.str();
}

} // namespace clrewrite::rewrite
