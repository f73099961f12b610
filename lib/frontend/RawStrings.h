// Raw string literals of C++: where kernels stand in host programs.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace clrewrite::frontend {

/// R"x( ... )x": the bytes between the parentheses, the end exclusive.
struct RawString {
  size_t Begin = 0, End = 0;
  /// What ends the literal, )x": its text must not hold that.
  std::string Closing;
};

/// Those of \p Text, which is C++ as it stands, not preprocessed: comments and
/// other literals are seen as such, directives are not followed.
std::vector<RawString> rawStringsIn(llvm::StringRef Text);

/// "...": the bytes between the quotes, the end exclusive.
struct PlainString {
  size_t Begin = 0, End = 0;
};

/// Those of \p Text that stand alone, without another literal beside them, and
/// whose escapes are those of escaped: what is edited there can be written
/// back, and all else stays as it is.
std::vector<PlainString> plainStringsIn(llvm::StringRef Text);

/// \p Text as between the quotes of a literal: newline, tab, quote and
/// backslash with a backslash.
std::string escaped(llvm::StringRef Text);
/// The reverse.
std::string unescaped(llvm::StringRef Text);

} // namespace clrewrite::frontend
