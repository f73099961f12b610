// The values of the language server protocol that clrewrite reads or writes in
// more than one place, with the protocol's own names for their members.
#pragma once

#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <tuple>

namespace clrewrite::lsp {

/// Lines and columns count from 0.
struct Position {
  int line = 0, character = 0;

  friend bool operator==(const Position &A, const Position &B) {
    return std::tie(A.line, A.character) == std::tie(B.line, B.character);
  }
  friend bool operator<(const Position &A, const Position &B) {
    return std::tie(A.line, A.character) < std::tie(B.line, B.character);
  }
  friend bool operator<=(const Position &A, const Position &B) {
    return !(B < A);
  }
};

struct Range {
  Position start, end;
};

struct TextEdit {
  Range range;
  std::string newText;
};

/// One change of a document; without a range the text is all of it.
struct ContentChange {
  std::optional<Range> range;
  std::string text;
};

enum class MessageType { Error = 1, Warning, Info, Log };

enum class ErrorCode {
  MethodNotFound = -32601,
  InvalidParams = -32602,
  Unknown = -32001,
  ContentModified = -32801,
};

bool fromJSON(const llvm::json::Value &From, Position &To, llvm::json::Path At);
bool fromJSON(const llvm::json::Value &From, Range &To, llvm::json::Path At);
bool fromJSON(const llvm::json::Value &From, ContentChange &To,
              llvm::json::Path At);
llvm::json::Value toJSON(const Position &P);
llvm::json::Value toJSON(const Range &R);
llvm::json::Value toJSON(const TextEdit &E);

/// The absolute path that a URI of the scheme "file" names; none for any other.
std::optional<std::string> pathOf(llvm::StringRef Uri);

} // namespace clrewrite::lsp
