// The lines are searched for the phrases that ptxas writes around its numbers.
#include "ptxas/PtxasLog.h"
#include <algorithm>

namespace clrewrite::ptxas {

/// The decimal number that ends right before the text \p Unit in \p Line.
static std::optional<uint64_t> numberBefore(std::string_view Line,
                                            std::string_view Unit) {
  size_t End = Line.find(Unit);
  if (End == std::string_view::npos)
    return std::nullopt;
  size_t Start = End;
  while (Start > 0 && Line[Start - 1] >= '0' && Line[Start - 1] <= '9')
    --Start;
  if (Start == End || End - Start > 18)
    return std::nullopt;
  uint64_t Value = 0;
  for (char C : Line.substr(Start, End - Start))
    Value = Value * 10 + uint64_t(C - '0');
  return Value;
}

/// The text after \p Mark in \p Line up to \p Stop or the end.
static std::string_view between(std::string_view Line, std::string_view Mark,
                                std::string_view Stop) {
  size_t At = Line.find(Mark);
  if (At == std::string_view::npos)
    return {};
  Line.remove_prefix(At + Mark.size());
  return Line.substr(0, Line.find_first_of(Stop));
}

std::map<std::string, PtxasFigures> parsePtxasLog(std::string_view Log) {
  std::map<std::string, PtxasFigures> Found;
  // The entry being compiled, and the function whose properties come next: a
  // helper that was not inlined has a properties line of its own.
  std::string Entry, Described;
  while (!Log.empty()) {
    size_t End = std::min(Log.find('\n'), Log.size());
    std::string_view Line = Log.substr(0, End);
    Log.remove_prefix(std::min(End + 1, Log.size()));

    if (auto Name = between(Line, "Compiling entry function '", "'");
        !Name.empty()) {
      Entry = Described = Name;
      Found[Entry].Arch = between(Line, "' for '", "'");
    } else if (auto Other = between(Line, "Function properties for ", " \r");
               !Other.empty()) {
      Described = Other;
    } else if (auto Stack = numberBefore(Line, " bytes stack frame")) {
      if (Entry.empty() || Described != Entry)
        continue;
      Found[Entry].StackBytes = Stack;
      Found[Entry].SpillStoreBytes = numberBefore(Line, " bytes spill stores");
      Found[Entry].SpillLoadBytes = numberBefore(Line, " bytes spill loads");
    } else if (auto Used = numberBefore(Line, " registers")) {
      if (Entry.empty() || Line.find("Used ") == std::string_view::npos)
        continue;
      Found[Entry].Registers = Used;
      // ptxas mentions shared memory only where there is some.
      Found[Entry].SharedBytes = numberBefore(Line, " bytes smem").value_or(0);
    }
  }
  return Found;
}

} // namespace clrewrite::ptxas
