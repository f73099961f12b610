// Errors of a compiler, as text and as JSON.
#include "source/SourceError.h"
#include "source/JsonMembers.h"
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

template <typename Io> static bool mapMembers(Io &O, SourceError &E) {
  return mapBytes(O, "path", E.Path) && O.map("line", E.Line) &&
         O.map("column", E.Column) && mapBytes(O, "message", E.Message) &&
         O.map("line_of_text", E.LineOfText);
}

json::Value toJSON(const SourceError &E) { return written(E); }
bool fromJSON(const json::Value &V, SourceError &E, json::Path P) {
  return readInto(E, V, P);
}

} // namespace clrewrite
