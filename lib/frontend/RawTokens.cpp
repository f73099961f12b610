// Clang's raw lexer, without a source manager.
#include "frontend/RawTokens.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;

namespace clrewrite::frontend {

void eachRawToken(
    StringRef Text,
    function_ref<void(clang::tok::TokenKind, size_t, StringRef)> Each) {
  // The lexer wants a NUL after the text.
  std::string Copy = Text.str();
  clang::LangOptions Lang;
  Lang.CPlusPlus = Lang.CPlusPlus11 = Lang.CPlusPlus17 = true;
  Lang.RawStringLiterals = true;
  clang::Lexer Raw(clang::SourceLocation::getFromRawEncoding(1), Lang,
                   Copy.data(), Copy.data(), Copy.data() + Copy.size());
  clang::Token T;
  for (bool End = false; !End;) {
    End = Raw.LexFromRawLexer(T);
    size_t At = T.getLocation().getRawEncoding() - 1;
    Each(T.getKind(), At, StringRef(Copy).substr(At, T.getLength()));
  }
}

} // namespace clrewrite::frontend
