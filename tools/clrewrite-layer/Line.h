// One line of the events file: a JSON object that grows at its end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clrewrite::layer {

/// Writes one JSON object. A name of "" is for the members of a list.
class Line {
public:
  explicit Line(std::string_view Event);

  Line &text(std::string_view Name, std::string_view Value);
  /// The text, or null where it is empty.
  Line &textOrNull(std::string_view Name, std::string_view Value);
  Line &number(std::string_view Name, uint64_t Value);
  Line &signedNumber(std::string_view Name, int64_t Value);
  /// The number, or null where it is 0: for ids.
  Line &id(std::string_view Name, uint64_t Value);
  Line &boolean(std::string_view Name, bool Value);
  Line &null(std::string_view Name);
  Line &numbers(std::string_view Name, const std::vector<uint64_t> &Values);
  Line &texts(std::string_view Name, const std::vector<std::string> &Values);

  Line &openList(std::string_view Name);
  Line &openObject(std::string_view Name);
  Line &closeList();
  Line &closeObject();

  /// Ends the object and the line.
  std::string take();

private:
  void name(std::string_view Name);
  void quote(std::string_view Value);

  std::string Text;
  bool NeedsComma = false;
};

} // namespace clrewrite::layer
