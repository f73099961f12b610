// Offsets are turned into lines and UTF-16 columns, and back.
#include "lsp/Positions.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::lsp {

/// Bytes of the character that starts with \p First; 1 where none does.
static size_t bytesOf(unsigned char First) {
  return First >= 0xF0 ? 4 : First >= 0xE0 ? 3 : First >= 0xC0 ? 2 : 1;
}

Positions::Positions(StringRef Text) : Text(Text), Starts{0} {
  for (size_t I = 0; I < Text.size(); ++I)
    if (Text[I] == '\n')
      Starts.push_back(I + 1);
}

StringRef Positions::textOf(size_t Line) const {
  StringRef Rest = Text.substr(Starts[Line]);
  StringRef Out = Rest.take_until([](char C) { return C == '\n'; });
  Out.consume_back("\r");
  return Out;
}

Position Positions::at(size_t Offset) const {
  Offset = std::min(Offset, Text.size());
  size_t Line = size_t(upper_bound(Starts, Offset) - Starts.begin()) - 1;
  int Units = 0;
  for (size_t I = Starts[Line]; I < Offset;) {
    size_t Bytes = bytesOf(static_cast<unsigned char>(Text[I]));
    if (I + Bytes > Offset)
      break;
    Units += Bytes == 4 ? 2 : 1; // beyond the first 65536: a surrogate pair
    I += Bytes;
  }
  return {int(Line), Units};
}

size_t Positions::offset(Position P) const {
  if (P.line < 0)
    return 0;
  if (size_t(P.line) >= Starts.size())
    return Text.size();
  StringRef Line = textOf(size_t(P.line));
  size_t I = 0;
  for (int Units = 0; I < Line.size() && Units < P.character;) {
    size_t Bytes = bytesOf(static_cast<unsigned char>(Line[I]));
    Units += Bytes == 4 ? 2 : 1;
    I = std::min(I + Bytes, Line.size());
  }
  return Starts[size_t(P.line)] + I;
}

Range Positions::line(unsigned Line) const {
  if (Line == 0 || Line > Starts.size())
    return {};
  StringRef Code = textOf(Line - 1);
  size_t Begin = Starts[Line - 1] + (Code.size() - Code.ltrim().size());
  return range(Begin, Begin + Code.trim().size());
}

std::string changed(std::string Text, const ContentChange &Change) {
  if (!Change.range)
    return Change.text;
  Positions Where(Text);
  size_t Begin = Where.offset(Change.range->start);
  size_t End = std::max(Begin, Where.offset(Change.range->end));
  Text.replace(Begin, End - Begin, Change.text);
  return Text;
}

SameLines sameLines(StringRef A, StringRef B) {
  size_t Least = std::min(A.size(), B.size()), Front = 0, Back = 0;
  while (Front < Least && A[Front] == B[Front])
    ++Front;
  Front = A.take_front(Front).rfind('\n') + 1; // npos + 1: the start
  while (Back < Least - Front &&
         A[A.size() - 1 - Back] == B[B.size() - 1 - Back])
    ++Back;
  while (Back && (Back == A.size() || A[A.size() - Back - 1] != '\n'))
    --Back;
  return {Front, Back};
}

std::vector<TextEdit> editsBetween(StringRef Before, StringRef After) {
  if (Before == After)
    return {};
  SameLines Same = sameLines(Before, After);
  TextEdit E;
  E.range = Positions(Before).range(Same.Front, Before.size() - Same.Back);
  E.newText = After.slice(Same.Front, After.size() - Same.Back).str();
  return {E};
}

} // namespace clrewrite::lsp
