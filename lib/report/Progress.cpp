// A line of progress that fits its terminal.
#include "report/Progress.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Unicode.h"
#include <algorithm>

using namespace llvm;

namespace clrewrite::report {

/// Bytes that are no UTF-8 count one each.
static size_t columns(StringRef Text) {
  int N = sys::unicode::columnWidthUTF8(Text);
  return N < 0 ? Text.size() : size_t(N);
}

static bool continuesCharacter(char C) {
  return (static_cast<unsigned char>(C) & 0xc0) == 0x80;
}

/// \p Text without as many characters at its end as are above \p Width.
static StringRef startOf(StringRef Text, size_t Width) {
  while (columns(Text) > Width) {
    while (continuesCharacter(Text.back()) && Text.size() > 1)
      Text = Text.drop_back();
    Text = Text.drop_back();
  }
  return Text;
}

/// The end of \p Text, with dots before it where something is left out.
static std::string endOf(StringRef Text, size_t Width) {
  constexpr size_t Dots = 3;
  if (columns(Text) <= Width)
    return Text.str();
  while (!Text.empty() && columns(Text) + Dots > Width) {
    Text = Text.drop_front();
    while (!Text.empty() && continuesCharacter(Text.front()))
      Text = Text.drop_front();
  }
  return "..." + Text.str();
}

/// The bar and the number, as in "####------ [4/10] ".
static std::string counter(const ProgressNote &Note, unsigned Width) {
  constexpr size_t Bar = 10, NarrowestWithBar = 60;
  if (Note.Of < 2)
    return "";
  std::string Out =
      "[" + std::to_string(Note.Number) + "/" + std::to_string(Note.Of) + "] ";
  if (Width < NarrowestWithBar)
    return Out;
  size_t Done = (Note.Number - 1) * Bar / Note.Of;
  return std::string(Done, '#') + std::string(Bar - Done, '-') + " " + Out;
}

std::string progressText(const ProgressNote &Note, unsigned Width) {
  constexpr size_t ShortestPath = 16;
  std::string Out = counter(Note, Width);
  std::string What = ": " + Note.What;
  size_t Used = columns(Out) + columns(What);
  size_t Left = Width > Used ? Width - Used : 0;
  Out += endOf(Note.Path, std::max(Left, ShortestPath)) + What;
  return startOf(Out, Width).str();
}

} // namespace clrewrite::report
