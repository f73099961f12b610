// Clang's raw lexer, without a source manager.
#include "frontend/RawTokens.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;

namespace clrewrite::frontend {

/// What is told beside tokens.
enum class Beside { Nothing, Comments, Directives };

/// \p Token without the ends of lines that it begins with, each behind a
/// backslash.
static StringRef withoutSplices(StringRef Token) {
  StringRef Rest = Token;
  while (Rest.consume_front("\\")) {
    Rest = Rest.ltrim(" \t");
    Rest.consume_front("\r");
    if (!Rest.consume_front("\n"))
      break;
    Token = Rest;
  }
  return Token;
}

static void
eachToken(StringRef Text, const clang::LangOptions &Lang, Beside Also,
          function_ref<bool(const clang::Token &, size_t, StringRef)> Each) {
  // The lexer wants a NUL after the text.
  std::string Copy = Text.str();
  clang::Lexer Raw(clang::SourceLocation::getFromRawEncoding(1), Lang,
                   Copy.data(), Copy.data(), Copy.data() + Copy.size());
  Raw.SetCommentRetentionState(Also == Beside::Comments);
  clang::Token T;
  for (bool End = false; !End;) {
    End = Raw.LexFromRawLexer(T);
    if (Also == Beside::Directives && T.is(clang::tok::hash) &&
        T.isAtStartOfLine())
      Raw.setParsingPreprocessorDirective(true);
    size_t At = T.getLocation().getRawEncoding() - 1;
    const StringRef Spelling =
        withoutSplices(StringRef(Copy).substr(At, T.getLength()));
    At += T.getLength() - Spelling.size();
    End |= !Each(T, At, Spelling);
  }
}

void eachRawToken(
    StringRef Text,
    function_ref<void(clang::tok::TokenKind, size_t, StringRef)> Each) {
  clang::LangOptions Lang;
  Lang.CPlusPlus = Lang.CPlusPlus11 = Lang.CPlusPlus17 = true;
  Lang.RawStringLiterals = true;
  eachToken(Text, Lang, Beside::Nothing,
            [&](const clang::Token &T, size_t At, StringRef Spelling) {
              Each(T.getKind(), At, Spelling);
              return true;
            });
}

std::vector<StringRef> tokensOf(StringRef Text) {
  std::vector<StringRef> Out;
  eachRawToken(Text, [&](clang::tok::TokenKind, size_t At, StringRef Token) {
    Out.push_back(Text.substr(At, Token.size()));
  });
  return Out;
}

static clang::LangOptions openClC() {
  clang::LangOptions Lang;
  Lang.C99 = Lang.OpenCL = Lang.LineComment = Lang.Digraphs = true;
  Lang.RawStringLiterals = false;
  return Lang;
}

void eachTokenAndComment(
    StringRef Text,
    function_ref<void(const clang::Token &, size_t, StringRef)> Each) {
  eachToken(Text, openClC(), Beside::Comments,
            [&](const clang::Token &T, size_t At, StringRef Spelling) {
              Each(T, At, Spelling);
              return true;
            });
}

void eachTokenOfDirectives(
    StringRef Text,
    function_ref<bool(const clang::Token &, size_t, StringRef)> Each) {
  eachToken(Text, openClC(), Beside::Directives, Each);
}

} // namespace clrewrite::frontend
