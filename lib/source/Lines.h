// The line of an offset in a text.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace clrewrite {

/// The number of the line, from 1, in which byte \p Offset of \p Text stands.
inline unsigned lineAt(llvm::StringRef Text, size_t Offset) {
  return unsigned(Text.take_front(Offset).count('\n')) + 1;
}

} // namespace clrewrite
