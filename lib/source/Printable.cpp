// Control characters, and characters that change the direction of text, are
// replaced by escapes.
#include "source/Printable.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite {

/// The bytes at the start of \p Text that must not be printed; 0 for none.
static size_t controlAt(StringRef Text) {
  auto C = static_cast<unsigned char>(Text[0]);
  if ((C < ' ' && C != '\t') || C == 0x7f)
    return 1;
  // U+0080 to U+009F.
  if (C == 0xc2 && Text.size() > 1 &&
      (static_cast<unsigned char>(Text[1]) & 0xe0) == 0x80)
    return 2;
  // U+2028 to U+202E, lines and directions; U+2066 to U+2069, directions.
  if (Text.size() > 2 && C == 0xe2) {
    auto A = static_cast<unsigned char>(Text[1]);
    auto B = static_cast<unsigned char>(Text[2]);
    if ((A == 0x80 && B >= 0xa8 && B <= 0xae) ||
        (A == 0x81 && B >= 0xa6 && B <= 0xa9))
      return 3;
  }
  return 0;
}

/// The length of a sequence that sets colours, such as "\x1b[0;31m".
static size_t colourAt(StringRef Text) {
  if (!Text.consume_front("\x1b["))
    return 0;
  size_t End = Text.find_first_not_of("0123456789;");
  return End < Text.size() && Text[End] == 'm' ? End + 3 : 0;
}

std::string printable(StringRef Text, bool KeepLines, bool KeepColours) {
  std::string Out;
  while (!Text.empty()) {
    size_t Own = KeepColours ? colourAt(Text) : 0;
    if (!Own && KeepLines)
      Own = Text.starts_with("\n") || Text.starts_with("\r\n");
    size_t Control = Own ? 0 : controlAt(Text);
    for (char C : Text.take_front(Control))
      Out += C == '\n' ? "\\n"
                       : "\\x" + utohexstr(static_cast<unsigned char>(C),
                                           /*LowerCase=*/true, /*Width=*/2);
    if (!Control)
      Out += Text.take_front(std::max<size_t>(Own, 1));
    Text = Text.drop_front(std::max<size_t>({Own, Control, 1}));
  }
  return Out;
}

bool hasControls(StringRef Text) { return printable(Text) != Text; }

} // namespace clrewrite
