// Finds assembly by raw tokens, so that macros and #if hide none of it.
#include "frontend/Assembly.h"
#include "frontend/RawTokens.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::frontend {

std::vector<LineRange> linesOfAssembly(StringRef Text) {
  std::vector<LineRange> Out;
  if (!Text.contains("asm"))
    return Out;
  unsigned Line = 1;
  size_t Seen = 0;
  frontend::eachRawToken(
      Text, [&](clang::tok::TokenKind, size_t At, StringRef Word) {
        if (Word != "asm" && Word != "__asm__" && Word != "__asm")
          return;
        Line += unsigned(Text.slice(Seen, At).count('\n'));
        Seen = At;
        if (Out.empty() || unsigned(Out.back().First) != Line)
          Out.push_back({Line, Line});
      });
  return Out;
}

} // namespace clrewrite::frontend
