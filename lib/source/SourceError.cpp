// Errors of a compiler, as text and as JSON.
#include "source/SourceError.h"
#include "source/BoundedJson.h"
#include <tuple>

using namespace llvm;

namespace clrewrite {

bool SourceError::operator==(const SourceError &O) const {
  return std::tie(Path, Line, Column, Message, LineOfText) ==
         std::tie(O.Path, O.Line, O.Column, O.Message, O.LineOfText);
}

std::string describe(const SourceError &E) {
  std::string Out = E.Path + ":";
  if (E.Line)
    Out += std::to_string(E.Line) + ":";
  if (E.Line && E.Column)
    Out += std::to_string(E.Column) + ":";
  return Out + " " + E.Message;
}

json::Value toJSON(const SourceError &E) {
  return json::Object{{"path", textOfBytes(E.Path)},
                      {"line", E.Line},
                      {"column", E.Column},
                      {"message", textOfBytes(E.Message)},
                      {"line_of_text", E.LineOfText}};
}

bool fromJSON(const json::Value &V, SourceError &E, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && mapBytes(O, "path", E.Path) && O.map("line", E.Line) &&
         O.map("column", E.Column) && mapBytes(O, "message", E.Message) &&
         O.map("line_of_text", E.LineOfText);
}

} // namespace clrewrite
