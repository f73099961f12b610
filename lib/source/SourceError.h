// What a compiler says is wrong with a text, and where.
#pragma once

#include "llvm/Support/JSON.h"
#include <string>

namespace clrewrite {

struct SourceError {
  /// The file, as the compiler names it, and as #line directives do.
  std::string Path;
  unsigned Line = 0;   ///< 1-based; 0: of the whole file
  unsigned Column = 0; ///< 1-based, in bytes; 0: unknown
  /// Without place and kind: "expected expression".
  std::string Message;
  /// The line, whatever #line directives say, of the text that was looked at,
  /// 1-based; 0 where it stands in another one.
  unsigned LineOfText = 0;

  bool operator==(const SourceError &O) const;
};

/// "Path:Line:Column: Message", without what is unknown.
std::string describe(const SourceError &E);

llvm::json::Value toJSON(const SourceError &E);
bool fromJSON(const llvm::json::Value &V, SourceError &E, llvm::json::Path P);

} // namespace clrewrite
