// Where the text of a function starts: the place for what it needs before it.
#include "rewrite/Text.h"
#include "clang/AST/Decl.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;
using namespace clang;

namespace clrewrite {
namespace {

/// Looks for where the text of a function starts.
class HeadSearch {
public:
  HeadSearch(const FunctionDecl &F, const ASTContext &Context)
      : SM(Context.getSourceManager()),
        Text(SM.getBufferData(SM.getMainFileID())),
        Name(SM.getFileOffset(SM.getExpansionLoc(F.getLocation()))),
        Raw(SM.getLocForStartOfFile(SM.getMainFileID()), Context.getLangOpts(),
            Text.begin(), Text.begin(), Text.end()) {
    Raw.SetCommentRetentionState(true);
  }

  /// The offset of the first token of the declaration, or of the comment that
  /// stands right above it. None where a directive stands in its head, or
  /// where braces do not pair (in arms of #if).
  std::optional<unsigned> run() {
    Token T;
    T.startToken();
    for (bool More = true; More && offset(T) < Name;) {
      More = !Raw.LexFromRawLexer(T);
      while (T.is(tok::hash) && T.isAtStartOfLine() && offset(T) < Name)
        More = skipDirective(T);
      if (offset(T) > Name || T.is(tok::eof))
        break;
      take(T);
    }
    return Depth == 0 && !Broken ? First : std::nullopt;
  }

private:
  const SourceManager &SM;
  StringRef Text;
  unsigned Name;
  Lexer Raw;
  std::optional<unsigned> First;
  unsigned End = 0; ///< of the last token or comment
  bool InHead = false, Broken = false;
  int Depth = 0;

  unsigned offset(const Token &T) const {
    return T.getLocation().isValid() ? SM.getFileOffset(T.getLocation()) : 0;
  }

  /// To the first token of the next line.
  bool skipDirective(Token &T) {
    bool More = true;
    do
      More = !Raw.LexFromRawLexer(T);
    while (More && !T.isAtStartOfLine());
    Broken |= InHead && Depth == 0;
    First.reset();
    return More;
  }

  void take(const Token &T) {
    bool Gap = Text.slice(End, offset(T)).count('\n') > 1;
    End = offset(T) + T.getLength();
    if (T.is(tok::comment)) {
      if (!InHead && T.isAtStartOfLine() && (!First || Gap))
        First = offset(T);
      return;
    }
    if (!InHead && (!First || Gap))
      First = offset(T);
    InHead = true;
    Depth += T.isOneOf(tok::l_brace, tok::l_paren) ? 1 : 0;
    Depth -= T.isOneOf(tok::r_brace, tok::r_paren) ? 1 : 0;
    if (Depth == 0 && T.isOneOf(tok::semi, tok::r_brace)) {
      First.reset();
      InHead = Broken = false;
    }
  }
};

} // namespace

std::optional<unsigned> headOf(const FunctionDecl &F,
                               const ASTContext &Context) {
  return HeadSearch(F, Context).run();
}

} // namespace clrewrite
