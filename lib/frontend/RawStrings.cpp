// Raw string literals, by Clang's raw lexer.
#include "frontend/RawStrings.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace llvm;

namespace clrewrite {

/// Calls \p Each on the tokens of \p Text: their kind, offset and spelling.
static void
eachToken(StringRef Text,
          function_ref<void(clang::tok::TokenKind, size_t, StringRef)> Each) {
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
    size_t At = T.getLocation().getRawEncoding() - 1;
    Each(T.getKind(), At, StringRef(Copy).substr(At, T.getLength()));
  }
}

std::vector<RawString> rawStringsIn(StringRef Text) {
  std::vector<RawString> Out;
  eachToken(Text, [&](clang::tok::TokenKind Kind, size_t At,
                      StringRef Literal) {
    size_t Quote = Literal.find('"'), Open = Literal.find('(');
    if (!clang::tok::isStringLiteral(Kind) || Quote == 0 ||
        Quote == StringRef::npos || Literal[Quote - 1] != 'R' ||
        Open == StringRef::npos)
      return;
    std::string Closing = (")" + Literal.slice(Quote + 1, Open) + "\"").str();
    size_t Close = Literal.rfind(Closing);
    if (Close != StringRef::npos && Close > Open)
      Out.push_back({At + Open + 1, At + Close, Closing});
  });
  return Out;
}

std::vector<PlainString> plainStringsIn(StringRef Text) {
  std::vector<PlainString> Out;
  bool AfterLiteral = false;
  eachToken(Text,
            [&](clang::tok::TokenKind Kind, size_t At, StringRef Literal) {
              if (!clang::tok::isStringLiteral(Kind)) {
                AfterLiteral = false;
                return;
              }
              bool Alone = !AfterLiteral;
              if (AfterLiteral && !Out.empty() &&
                  Text.slice(Out.back().End + 1, At).trim().empty())
                Out.pop_back();
              AfterLiteral = true;
              if (!Alone || Literal.size() < 2 || !Literal.starts_with("\"") ||
                  !Literal.ends_with("\""))
                return;
              StringRef Inner = Literal.drop_front().drop_back();
              if (escaped(unescaped(Inner)) == Inner)
                Out.push_back({At + 1, At + 1 + Inner.size()});
            });
  return Out;
}

std::string escaped(StringRef Text) {
  std::string Out;
  for (char C : Text)
    switch (C) {
    case '\n':
      Out += "\\n";
      break;
    case '\t':
      Out += "\\t";
      break;
    case '"':
    case '\\':
      Out += '\\';
      [[fallthrough]];
    default:
      Out += C;
    }
  return Out;
}

std::string unescaped(StringRef Text) {
  std::string Out;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (C == '\\' && I + 1 < Text.size()) {
      C = Text[++I];
      C = C == 'n' ? '\n' : C == 't' ? '\t' : C;
    }
    Out += C;
  }
  return Out;
}

} // namespace clrewrite
