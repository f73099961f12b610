// Kernels in literals, macros and code, told apart by their tokens.
#include "frontend/HostKernels.h"
#include "frontend/RawStrings.h"
#include "frontend/RawTokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
namespace tok = clang::tok;

namespace clrewrite::frontend {

/// With the character before it, if there is one.
static const Regex &kernelHead() {
  static const Regex Kernel("(^|[^A-Za-z0-9_])(__)?kernel[ \t\r\n]+"
                            "(__attribute__|void)");
  return Kernel;
}

bool holdsKernel(StringRef Text) {
  // Kernels of Metal begin alike.
  return kernelHead().match(Text) && !Text.contains("<metal_stdlib>");
}

std::string textOf(ArrayRef<LiteralPiece> Pieces, StringRef Text) {
  std::string Out;
  for (const LiteralPiece &P : Pieces) {
    StringRef Inner = Text.slice(P.Begin, P.End);
    Out += P.isRaw() ? Inner.str() : unescaped(Inner);
  }
  return Out;
}

namespace {

class Reader {
public:
  explicit Reader(StringRef Text) : Text(Text) {
    eachRawToken(Text, [&](tok::TokenKind Kind, size_t At, StringRef Word) {
      token(Kind, At, Word);
    });
  }

  std::vector<std::vector<LiteralPiece>> Texts; // of literals
  std::vector<KernelPlace> Code;                // and in macros

private:
  StringRef Text;
  bool AfterLiteral = false;
  StringRef Last; // the token before
  size_t LastAt = 0;
  /// Where macros' (or functions') arguments begin, from outside; empty names
  /// are parentheses of another kind.
  std::vector<std::pair<StringRef, size_t>> Open;

  void token(tok::TokenKind Kind, size_t At, StringRef Word) {
    if (tok::isStringLiteral(Kind)) {
      literal(At, Word);
      AfterLiteral = true;
      return;
    }
    AfterLiteral = false;
    bool IsName = Kind == tok::raw_identifier;
    if (Kind == tok::l_paren)
      Open.push_back({Last, LastAt});
    else if (Kind == tok::r_paren && !Open.empty())
      Open.pop_back();
    else if (IsName && (Word == "void" || Word == "__attribute__") &&
             (Last == "kernel" || Last == "__kernel"))
      kernel();
    Last = IsName ? Word : "";
    if (IsName)
      Last = Text.substr(At, Word.size()); // Word does not outlive this call
    LastAt = At;
  }

  void kernel() {
    auto Macro = find_if(Open, [](const auto &O) { return !O.first.empty(); });
    if (Macro == Open.end()) {
      if (none_of(Code, [](const KernelPlace &P) {
            return P.Where == KernelPlace::Code;
          }))
        Code.push_back({KernelPlace::Code, LastAt, 0, Last.str()});
      return;
    }
    if (Code.empty() || Code.back().Offset != Macro->second)
      Code.push_back(
          {KernelPlace::MacroArgument, Macro->second, 0, Macro->first.str()});
  }

  void literal(size_t At, StringRef Word) {
    size_t Quote = Word.find('"');
    if (Quote == StringRef::npos || !Word.ends_with("\""))
      return;
    LiteralPiece P{At + Quote + 1, At + Word.size() - 1};
    if (Quote && Word[Quote - 1] == 'R') {
      size_t Paren = Word.find('(');
      if (Paren == StringRef::npos)
        return;
      P.Closing = (")" + Word.slice(Quote + 1, Paren) + "\"").str();
      P.Begin = At + Paren + 1;
      P.End = At + Word.size() - P.Closing.size();
      if (P.End < P.Begin)
        return;
    }
    if (!AfterLiteral)
      Texts.emplace_back();
    if (!Texts.empty())
      Texts.back().push_back(std::move(P));
  }
};

bool anyRaw(const std::vector<LiteralPiece> &Pieces) {
  return any_of(Pieces, [](const LiteralPiece &P) { return P.isRaw(); });
}

/// The piece in which the first kernel of \p Pieces begins.
const LiteralPiece &kernelPiece(ArrayRef<LiteralPiece> Pieces, StringRef Text) {
  std::string All = textOf(Pieces, Text);
  SmallVector<StringRef> Match;
  if (!kernelHead().match(All, &Match))
    return Pieces.front();
  size_t Left = size_t(Match[0].data() - All.data()) + Match[1].size() + 1;
  for (const LiteralPiece &P : Pieces) {
    size_t Length = textOf(P, Text).size();
    if (Left <= Length)
      return P;
    Left -= Length;
  }
  return Pieces.front();
}

} // namespace

std::vector<std::vector<LiteralPiece>> rawTextsIn(StringRef Text) {
  std::vector<std::vector<LiteralPiece>> Out = Reader(Text).Texts;
  llvm::erase_if(Out, [](const auto &Pieces) { return !anyRaw(Pieces); });
  return Out;
}

HostKernels hostKernelsIn(StringRef Text) {
  Reader Seen(Text);
  HostKernels Out;
  Out.Others = std::move(Seen.Code);
  for (std::vector<LiteralPiece> &Pieces : Seen.Texts) {
    if (!holdsKernel(textOf(Pieces, Text)))
      continue;
    if (anyRaw(Pieces))
      Out.Raw.push_back(std::move(Pieces));
    else
      Out.Others.push_back({KernelPlace::Literals,
                            kernelPiece(Pieces, Text).Begin - 1, Pieces.size(),
                            ""});
  }
  llvm::sort(Out.Others, [](const KernelPlace &A, const KernelPlace &B) {
    return A.Offset < B.Offset;
  });
  return Out;
}

} // namespace clrewrite::frontend
