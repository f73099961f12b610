// Raw string literals, by Clang's raw lexer.
#include "frontend/RawStrings.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;

namespace clrewrite {

std::vector<RawString> rawStringsIn(StringRef Text) {
  std::vector<RawString> Out;
  // The lexer wants a NUL behind the text.
  std::string Copy = Text.str();
  clang::LangOptions Lang;
  Lang.CPlusPlus = Lang.CPlusPlus11 = Lang.CPlusPlus17 = true;
  Lang.RawStringLiterals = true;
  clang::Lexer Raw(clang::SourceLocation::getFromRawEncoding(1), Lang,
                   Copy.data(), Copy.data(), Copy.data() + Copy.size());
  clang::Token T;
  for (bool End = false; !End;) {
    End = Raw.LexFromRawLexer(T);
    if (!clang::tok::isStringLiteral(T.getKind()))
      continue;
    size_t At = T.getLocation().getRawEncoding() - 1;
    StringRef Literal = StringRef(Copy).substr(At, T.getLength());
    size_t Quote = Literal.find('"'), Open = Literal.find('(');
    if (Quote == 0 || Quote == StringRef::npos || Literal[Quote - 1] != 'R' ||
        Open == StringRef::npos)
      continue;
    std::string Closing = (")" + Literal.slice(Quote + 1, Open) + "\"").str();
    size_t Close = Literal.rfind(Closing);
    if (Close != StringRef::npos && Close > Open)
      Out.push_back({At + Open + 1, At + Close, Closing});
  }
  return Out;
}

} // namespace clrewrite
