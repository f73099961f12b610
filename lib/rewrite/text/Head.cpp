// Where the text of a function starts: the place for what it needs before it.
#include "rewrite/text/Head.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/text/Text.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// Looks for where the text of a function starts.
class HeadSearch {
public:
  HeadSearch(const FunctionDecl &F, const ASTContext &Context)
      : SM(Context.getSourceManager()), Text(fileText(Context)),
        Name(SM.getFileOffset(SM.getExpansionLoc(F.getLocation()))),
        Raw(SM.getLocForStartOfFile(SM.getMainFileID()), Context.getLangOpts(),
            Text.begin(), Text.begin(), Text.end()) {
    Raw.SetCommentRetentionState(true);
  }

  /// The offset of the first token of the declaration, or of the comment that
  /// stands right above it, but below one that ends a suppression; of an #if
  /// before that, where only an arm of it has the first token. What stands
  /// there is compiled whenever the function is. None where the head has other
  /// directives, or shares an arm with something else, or where braces do not
  /// pair (in arms of #if).
  std::optional<unsigned> run() {
    Token T;
    T.startToken();
    bool OnlyComments = false; // before T, in its line
    for (bool More = true; More && offset(T) < Name;) {
      More = !Raw.LexFromRawLexer(T);
      OnlyComments |= T.isAtStartOfLine();
      while (T.is(tok::hash) && OnlyComments && offset(T) < Name) {
        More = skipDirective(T);
        OnlyComments = true;
      }
      if (offset(T) > Name || T.is(tok::eof))
        break;
      take(T);
      OnlyComments &= T.is(tok::comment);
    }
    return Depth == 0 && !Broken ? First : std::nullopt;
  }

private:
  const SourceManager &SM;
  StringRef Text;
  unsigned Name;
  Lexer Raw;
  std::optional<unsigned> First;
  unsigned End = 0;          ///< of the last token or comment
  unsigned EndOfLast = 0;    ///< of the last whole declaration
  unsigned Other = 0;        ///< the last directive that is not conditional
  std::vector<unsigned> Ifs; ///< that are open
  bool InHead = false, Broken = false;
  int Depth = 0;
  /// How many tokens of `extern "C" {` the last ones are.
  unsigned Linkage = 0;
  unsigned Linkages = 0; ///< such braces that are open

  unsigned offset(const Token &T) const {
    return T.getLocation().isValid() ? SM.getFileOffset(T.getLocation()) : 0;
  }

  /// To the first token of the next line.
  bool skipDirective(Token &T) {
    unsigned Hash = offset(T);
    bool More = !Raw.LexFromRawLexer(T);
    while (More && T.is(tok::comment) && !T.isAtStartOfLine())
      More = !Raw.LexFromRawLexer(T);
    if (T.is(tok::raw_identifier) && !T.isAtStartOfLine())
      takeDirective(T.getRawIdentifier(), Hash);
    while (More && !T.isAtStartOfLine())
      More = !Raw.LexFromRawLexer(T);
    return More;
  }

  void takeDirective(StringRef Directive, unsigned Hash) {
    bool Here = InHead && Depth == 0;
    if (!Here)
      First.reset();
    if (Directive.starts_with("if")) {
      Ifs.push_back(Hash);
    } else if (Directive.starts_with("el") || Directive == "endif") {
      endArm(Here);
      if (Directive == "endif" && !Ifs.empty())
        Ifs.pop_back();
    } else {
      Broken |= Here;
      Other = Hash;
    }
  }

  /// An arm of the innermost #if ends: a head that started in it has its place
  /// before the whole of it.
  void endArm(bool IsInHead) {
    if (!IsInHead || Ifs.empty() || !First || *First < Ifs.back())
      return;
    Broken |= EndOfLast > Ifs.back() || Other > Ifs.back();
    First = Ifs.back();
  }

  /// \p T is the brace of `extern "C" {`.
  bool reachesLinkage(const Token &T) {
    bool Follows = Linkage == 0   ? T.is(tok::raw_identifier) &&
                                        T.getRawIdentifier() == "extern"
                   : Linkage == 1 ? T.is(tok::string_literal)
                                  : T.is(tok::l_brace);
    Linkage = Follows ? (Linkage + 1) % 3 : 0;
    return Follows && Linkage == 0;
  }

  void take(const Token &T) {
    bool Gap = Text.slice(End, offset(T)).count('\n') > 1;
    End = offset(T) + T.getLength();
    if (T.is(tok::comment)) {
      StringRef Comment = Text.substr(offset(T), T.getLength());
      if (!InHead && (Comment.contains("clrewrite-on") ||
                      Comment.contains("NOCLREWRITEEND")))
        return First.reset(); // ends something above
      if (!InHead && T.isAtStartOfLine() && (!First || Gap))
        First = offset(T);
      return;
    }
    if (!InHead && (!First || Gap))
      First = offset(T);
    // Functions within extern "C" stand where others do.
    bool Opens = Depth == 0 && reachesLinkage(T),
         Closes = Depth == 0 && Linkages && T.is(tok::r_brace);
    if (Opens || Closes) {
      Linkages += Opens ? 1 : -1;
      First.reset();
      EndOfLast = End;
      InHead = Broken = false;
      return;
    }
    InHead = true;
    Depth += T.isOneOf(tok::l_brace, tok::l_paren) ? 1 : 0;
    Depth -= T.isOneOf(tok::r_brace, tok::r_paren) ? 1 : 0;
    if (Depth == 0 && T.isOneOf(tok::semi, tok::r_brace)) {
      First.reset();
      EndOfLast = End;
      InHead = Broken = false;
    }
  }
};

} // namespace

std::optional<unsigned> headOf(const FunctionDecl &F,
                               const ASTContext &Context) {
  std::optional<unsigned> Out = HeadSearch(F, Context).run();
  // A structure that is defined as the function's type ends with a brace.
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation Begin = SM.getExpansionLoc(F.getBeginLoc());
  return Out && SM.isInMainFile(Begin) && SM.getFileOffset(Begin) < *Out
             ? std::nullopt
             : Out;
}

bool hasPlainHead(const Site &S) {
  return headOf(S.Function, S.Context).has_value();
}

Edit definitionsBefore(const FunctionDecl &F,
                       const std::map<std::string, std::string> &Functions,
                       const ASTContext &Context) {
  Edit Out{*headOf(F, Context), 0, ""};
  for (const auto &[Name, Text] : Functions) {
    Out.Text += Text + "\n";
    Out.Defines.push_back(Name);
  }
  return Out;
}

namespace {

/// What a macro in the head of a kernel stands for.
class HeadMacros {
public:
  HeadMacros(KernelWords Words, const ASTContext &Context)
      : Words(Words), Context(Context), Macros(MacroStability::of(Context)) {}

  /// Each definition of \p Name makes a kernel of a function, and has only
  /// words that may stand before an attribute.
  bool isKernelWord(StringRef Name) { return sortOf(Name) == Kernel; }

private:
  enum Sort { Neither, Specifier, Kernel };

  KernelWords Words;
  const ASTContext &Context;
  MacroStability &Macros;
  std::vector<std::string> Open; ///< macros that are looked at

  Sort sortOf(StringRef Name) {
    return isMacro(Name, Context) ? sortOfMacro(Name.str()) : sortOfWord(Name);
  }

  Sort sortOfWord(StringRef Word) const {
    if (Word == "__kernel" || Word == "kernel" ||
        (Word == "__global__" && Words == KernelWords::AlsoCuda))
      return Kernel;
    return is_contained({"extern", "static", "inline", "void"}, Word)
               ? Specifier
               : Neither;
  }

  Sort sortOfMacro(const std::string &Name) {
    std::optional<std::vector<std::string>> Bodies = Macros.bodiesOf(Name);
    if (!Bodies || Bodies->empty() || is_contained(Open, Name))
      return Neither;
    Open.push_back(Name);
    Sort Least = Kernel;
    for (const std::string &Body : *Bodies)
      Least = std::min(Least, sortOfBody(Body));
    Open.pop_back();
    return Least;
  }

  /// The best of the words; Neither where one of them is that.
  Sort sortOfBody(const std::string &Body) {
    Lexer Raw(SourceLocation(), Context.getLangOpts(), Body.data(), Body.data(),
              Body.data() + Body.size());
    Sort Best = Specifier;
    Token T;
    for (Raw.LexFromRawLexer(T); T.isNot(tok::eof); Raw.LexFromRawLexer(T)) {
      if (T.is(tok::string_literal)) // extern "C"
        continue;
      if (T.isNot(tok::raw_identifier))
        return Neither;
      if (T.getRawIdentifier() == "__attribute__") {
        if (!skipParens(Raw))
          return Neither;
        continue;
      }
      Sort Word = sortOf(T.getRawIdentifier());
      if (Word == Neither)
        return Neither;
      Best = std::max(Best, Word);
    }
    return Best;
  }

  /// What stands in the parentheses that come next.
  static bool skipParens(Lexer &Raw) {
    Token T;
    int Depth = 0;
    do {
      Raw.LexFromRawLexer(T);
      Depth += T.is(tok::l_paren) ? 1 : T.is(tok::r_paren) ? -1 : 0;
    } while (Depth > 0 && T.isNot(tok::eof));
    return T.is(tok::r_paren) && Depth == 0;
  }
};

} // namespace

std::optional<SourceLocation> kernelWordEnd(const FunctionDecl &F,
                                            KernelWords Words,
                                            const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const auto *Word = F.getAttr<DeviceKernelAttr>();
  if (!Word)
    return std::nullopt;
  CharSourceRange Use = SM.getExpansionRange(Word->getLocation());
  SourceLocation Begin = Use.getBegin();
  // A macro with parameters ends with its last parenthesis.
  if (Begin != Use.getEnd() || !SM.isInMainFile(Begin) ||
      SM.getExpansionLoc(F.getLocation()) == Begin)
    return std::nullopt;
  StringRef Written(
      SM.getCharacterData(Begin),
      Lexer::MeasureTokenLength(Begin, SM, Context.getLangOpts()));
  bool IsWord = Word->getLocation().isMacroID()
                    ? HeadMacros(Words, Context).isKernelWord(Written)
                    : Written == "__kernel" || Written == "kernel";
  if (!IsWord)
    return std::nullopt;
  return Begin.getLocWithOffset(int(Written.size()));
}

} // namespace clrewrite::rewrite
