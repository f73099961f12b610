// Kernels are found by the directive that begins them, and end with their body.
#include "PtxParts.h"
#include <algorithm>

namespace clrewrite::device {
namespace {

constexpr std::string_view Blanks = " \t";

/// The name of the kernel whose definition the line \p Line begins; empty for
/// another line: ".visible .entry name(".
std::string_view entryOf(std::string_view Line) {
  for (;;) {
    Line.remove_prefix(std::min(Line.find_first_not_of(Blanks), Line.size()));
    const std::string_view Word = Line.substr(0, Line.find_first_of(Blanks));
    if (Word.empty() || Word.front() != '.')
      return {};
    Line.remove_prefix(Word.size());
    if (Word != ".entry")
      continue; // .visible, .weak
    Line.remove_prefix(std::min(Line.find_first_not_of(Blanks), Line.size()));
    return Line.substr(0, Line.find_first_of(" \t(\r\n"));
  }
}

/// Behind the body that begins with the first brace from \p At on; the end of
/// \p Ptx where it has none, or does not end.
size_t endOfBody(std::string_view Ptx, size_t At) {
  size_t Open = 0;
  for (At = Ptx.find_first_of("{}", At); At != std::string_view::npos;
       At = Ptx.find_first_of("{}", At + 1)) {
    if (Ptx[At] == '{')
      ++Open;
    else if (Open <= 1)
      return At + 1;
    else
      --Open;
  }
  return Ptx.size();
}

} // namespace

std::string kernelsAlone(std::string_view Ptx,
                         const std::set<std::string> &Kept) {
  std::string Out;
  size_t At = 0;
  while (At < Ptx.size()) {
    size_t End = std::min(Ptx.find('\n', At), Ptx.size() - 1) + 1;
    if (auto Name = entryOf(Ptx.substr(At, End - At)); !Name.empty()) {
      End = endOfBody(Ptx, At);
      if (!Kept.count(std::string(Name))) {
        At = End;
        continue;
      }
    }
    Out += Ptx.substr(At, End - At);
    At = End;
  }
  return Out;
}

} // namespace clrewrite::device
