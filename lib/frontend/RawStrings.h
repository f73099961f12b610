// Raw string literals of C++: where kernels stand in host programs.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace clrewrite {

/// R"x( ... )x": the bytes between the parentheses, the end exclusive.
struct RawString {
  size_t Begin = 0, End = 0;
  /// What ends the literal, )x": its text must not hold that.
  std::string Closing;
};

/// Those of \p Text, which is C++ as it stands, not preprocessed: comments and
/// other literals are seen as such, directives are not followed.
std::vector<RawString> rawStringsIn(llvm::StringRef Text);

} // namespace clrewrite
