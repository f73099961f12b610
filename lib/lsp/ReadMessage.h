// Messages of the language server protocol, as an editor sends them: lines of a
// head, an empty line, and as many bytes of JSON as the head says.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <cstdio>
#include <optional>
#include <string>

namespace clrewrite::lsp {

class MessageReader {
public:
  /// \p From must outlive this.
  explicit MessageReader(std::FILE *From) : From(From) {}

  /// The next message's text; none at the end, and where the head is wrong:
  /// nobody knows then where the next message starts, and problem() says why.
  /// Memory is taken as bytes arrive, not as the head announces them.
  std::optional<std::string> next();

  /// Empty unless the head of a message was wrong.
  const std::string &problem() const { return Problem; }

private:
  std::FILE *From;
  std::string Problem;

  std::optional<std::string> line();
  std::optional<size_t> head();
  std::nullopt_t fail(const llvm::Twine &Why);
};

/// \p Text as a message of JSON-RPC 2.0; none where it is no such, or does not
/// parse within the limits of parseJson().
std::optional<llvm::json::Object> jsonRpc(llvm::StringRef Text);

} // namespace clrewrite::lsp
