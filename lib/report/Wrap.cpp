// Paragraphs are broken into lines, without breaking words.
#include "report/Wrap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::report {

/// How many columns \p Word takes on a terminal.
static size_t columnsOf(StringRef Word) {
  size_t Count = 0;
  for (size_t I = 0; I < Word.size(); ++I)
    if (Word[I] == '\033')
      while (I + 1 < Word.size() && Word[I] != 'm')
        ++I;
    else
      Count += (static_cast<unsigned char>(Word[I]) & 0xc0) != 0x80;
  return Count;
}

/// How many of \p Words, one at least, stand on a line of \p Columns that
/// begins at column \p At. Where the line stays half full, it ends after a
/// comma.
static size_t fitting(ArrayRef<StringRef> Words, size_t At, size_t Columns) {
  size_t Count = 0, Comma = 0;
  for (size_t Begin = At; Count < Words.size(); ++Count) {
    At += columnsOf(Words[Count]) + (Count ? 1 : 0);
    if (At > Columns && Count)
      break;
    if (Words[Count].ends_with(",") && At - Begin >= Columns / 2)
      Comma = Count + 1;
  }
  return Count < Words.size() && Comma ? Comma : Count;
}

static void wrapLine(StringRef Line, size_t Columns, std::string &Out) {
  size_t Indent = std::min(Line.find_first_not_of(' '), Line.size());
  SmallVector<StringRef> Split;
  Line.drop_front(Indent).split(Split, ' ');
  ArrayRef<StringRef> Words = Split;
  for (bool First = true; !Words.empty(); First = false) {
    size_t Count = fitting(Words, Indent, Columns);
    Out += (First ? "" : "\n") + std::string(Indent, ' ') +
           join(Words.take_front(Count), " ");
    Words = Words.drop_front(Count);
    Indent += First ? 4 : 0;
  }
}

std::string wrapped(StringRef Text, unsigned Columns) {
  std::string Out;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    wrapLine(Line, Columns, Out);
    if (Line.size() < Text.size())
      Out += '\n';
    Text = Rest;
  }
  return Out;
}

} // namespace clrewrite::report
