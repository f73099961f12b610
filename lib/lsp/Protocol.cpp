// Values of the protocol are turned into JSON and back; URIs into paths.
#include "lsp/Protocol.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::lsp {

bool fromJSON(const json::Value &From, Position &To, json::Path At) {
  json::ObjectMapper O(From, At);
  return O && O.map("line", To.line) && O.map("character", To.character);
}

bool fromJSON(const json::Value &From, Range &To, json::Path At) {
  json::ObjectMapper O(From, At);
  return O && O.map("start", To.start) && O.map("end", To.end);
}

bool fromJSON(const json::Value &From, ContentChange &To, json::Path At) {
  json::ObjectMapper O(From, At);
  return O && O.map("range", To.range) && O.map("text", To.text);
}

json::Value toJSON(const Position &P) {
  return json::Object{{"line", P.line}, {"character", P.character}};
}

json::Value toJSON(const Range &R) {
  return json::Object{{"start", toJSON(R.start)}, {"end", toJSON(R.end)}};
}

json::Value toJSON(const TextEdit &E) {
  return json::Object{{"range", toJSON(E.range)}, {"newText", E.newText}};
}

/// With the bytes that `%20` and the like stand for.
static std::string decoded(StringRef Text) {
  std::string Out;
  for (; !Text.empty(); Text = Text.drop_front()) {
    uint8_t Byte = 0;
    if (Text.size() > 2 && Text[0] == '%' &&
        tryGetHexFromNibbles(Text[1], Text[2], Byte)) {
      Out.push_back(char(Byte));
      Text = Text.drop_front(2);
    } else {
      Out.push_back(Text.front());
    }
  }
  return Out;
}

std::optional<std::string> pathOf(StringRef Uri) {
  if (!Uri.consume_front("file:"))
    return std::nullopt;
  StringRef Host;
  if (Uri.consume_front("//")) {
    Host = Uri.substr(0, Uri.find('/'));
    Uri = Uri.substr(Host.size());
  }
  if (!Uri.starts_with("/"))
    return std::nullopt;
  return (Host.empty() ? "" : "//" + decoded(Host)) + decoded(Uri);
}

} // namespace clrewrite::lsp
