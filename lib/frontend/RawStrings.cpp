// Raw string literals, by Clang's raw lexer.
#include "frontend/RawStrings.h"
#include "frontend/RawTokens.h"

using namespace llvm;

namespace clrewrite::frontend {

std::vector<RawString> rawStringsIn(StringRef Text) {
  std::vector<RawString> Out;
  eachRawToken(Text, [&](clang::tok::TokenKind Kind, size_t At,
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
  eachRawToken(Text,
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
                 if (!Alone || Literal.size() < 2 ||
                     !Literal.starts_with("\"") || !Literal.ends_with("\""))
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

} // namespace clrewrite::frontend
