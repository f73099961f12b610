// Words: what C has as names and keywords, and numbers as far as they look
// alike.
#pragma once

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace clrewrite {

/// \p C may stand in a name.
inline bool isInWord(char C) { return llvm::isAlnum(C) || C == '_'; }

/// The longest runs of such letters in \p Text, in order.
inline std::vector<llvm::StringRef> wordsIn(llvm::StringRef Text) {
  std::vector<llvm::StringRef> Out;
  while (!(Text = Text.drop_until(isInWord)).empty()) {
    Out.push_back(Text.take_while(isInWord));
    Text = Text.drop_front(Out.back().size());
  }
  return Out;
}

} // namespace clrewrite
