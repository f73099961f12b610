// Members are appended to a line of JSON, with their texts escaped.
#include "Line.h"

namespace clrewrite::layer {

Line::Line(std::string_view Event) {
  Text.reserve(256);
  Text += '{';
  text("event", Event);
}

/// How many bytes of valid UTF-8 \p S starts with, as one character; 0 where
/// it starts with something else.
static size_t characterLength(std::string_view S) {
  unsigned char Lead = S[0];
  size_t Length = Lead < 0x80                    ? 1
                  : Lead >= 0xc2 && Lead <= 0xdf ? 2
                  : (Lead & 0xf0) == 0xe0        ? 3
                  : Lead >= 0xf0 && Lead <= 0xf4 ? 4
                                                 : 0;
  if (!Length || Length > S.size())
    return 0;
  for (size_t I = 1; I < Length; ++I)
    if ((S[I] & 0xc0) != 0x80)
      return 0;
  if (Length < 3)
    return Length;
  unsigned char Second = S[1];
  bool TooLong =
      (Lead == 0xe0 && Second < 0xa0) || (Lead == 0xf0 && Second < 0x90);
  bool NoCharacter = (Lead == 0xed && Second >= 0xa0) || // surrogates
                     (Lead == 0xf4 && Second >= 0x90);
  return TooLong || NoCharacter ? 0 : Length;
}

void Line::quote(std::string_view Value) {
  static const char Hex[] = "0123456789abcdef";
  Text += '"';
  while (!Value.empty()) {
    char C = Value[0];
    size_t Length = characterLength(Value);
    if (Length == 0) {
      Text += "\xef\xbf\xbd"; // U+FFFD
      Value.remove_prefix(1);
      continue;
    }
    if (C == '"' || C == '\\')
      (Text += '\\') += C;
    else if (C == '\n')
      Text += "\\n";
    else if (C == '\t')
      Text += "\\t";
    else if (static_cast<unsigned char>(C) < 0x20 || C == 0x7f)
      ((Text += "\\u00") += Hex[C >> 4 & 15]) += Hex[C & 15];
    else
      Text += Value.substr(0, Length);
    Value.remove_prefix(Length);
  }
  Text += '"';
}

void Line::name(std::string_view Name) {
  if (NeedsComma)
    Text += ',';
  NeedsComma = true;
  if (Name.empty())
    return;
  ((Text += '"') += Name) += "\":";
}

Line &Line::text(std::string_view Name, std::string_view Value) {
  name(Name);
  quote(Value);
  return *this;
}

Line &Line::textOrNull(std::string_view Name, std::string_view Value) {
  return Value.empty() ? null(Name) : text(Name, Value);
}

Line &Line::number(std::string_view Name, uint64_t Value) {
  name(Name);
  Text += std::to_string(Value);
  return *this;
}

Line &Line::signedNumber(std::string_view Name, int64_t Value) {
  name(Name);
  Text += std::to_string(Value);
  return *this;
}

Line &Line::id(std::string_view Name, uint64_t Value) {
  return Value ? number(Name, Value) : null(Name);
}

Line &Line::boolean(std::string_view Name, bool Value) {
  name(Name);
  Text += Value ? "true" : "false";
  return *this;
}

Line &Line::null(std::string_view Name) {
  name(Name);
  Text += "null";
  return *this;
}

Line &Line::numbers(std::string_view Name,
                    const std::vector<uint64_t> &Values) {
  openList(Name);
  for (uint64_t V : Values)
    number("", V);
  return closeList();
}

Line &Line::texts(std::string_view Name,
                  const std::vector<std::string> &Values) {
  openList(Name);
  for (const std::string &V : Values)
    text("", V);
  return closeList();
}

Line &Line::openList(std::string_view Name) {
  name(Name);
  Text += '[';
  NeedsComma = false;
  return *this;
}

Line &Line::openObject(std::string_view Name) {
  name(Name);
  Text += '{';
  NeedsComma = false;
  return *this;
}

Line &Line::closeList() {
  Text += ']';
  NeedsComma = true;
  return *this;
}

Line &Line::closeObject() {
  Text += '}';
  NeedsComma = true;
  return *this;
}

std::string Line::take() {
  Text += "}\n";
  return std::move(Text);
}

} // namespace clrewrite::layer
