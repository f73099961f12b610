// Clang's lexer finds directives; their text is taken as it is written.
#include "rewrite/text/Directives.h"
#include "frontend/RawTokens.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

std::vector<FileID> userFiles(const SourceManager &SM) {
  std::vector<FileID> Out;
  for (auto It = SM.fileinfo_begin(), End = SM.fileinfo_end(); It != End;
       ++It) {
    FileID File = SM.translateFile(It->first);
    if (File.isValid() && !SM.isInSystemHeader(SM.getLocForStartOfFile(File)))
      Out.push_back(File);
  }
  return Out;
}

std::vector<StringRef> userTexts(const SourceManager &SM) {
  std::vector<StringRef> Out;
  for (FileID File : userFiles(SM))
    Out.push_back(SM.getBufferData(File));
  return Out;
}

StringRef commandLine(const SourceManager &SM) {
  for (unsigned I = 0; I < SM.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile())
      continue;
    std::optional<MemoryBufferRef> Buffer =
        Entry.getFile().getContentCache().getBufferIfLoaded();
    if (Buffer && Buffer->getBufferIdentifier() == "<built-in>")
      return Buffer->getBuffer().split("\"<command line>\"").second;
  }
  return "";
}

int armsOpenedBy(StringRef Directive) {
  return Directive.starts_with("endif") ? -1 : Directive.starts_with("if");
}

/// \p Text on one line.
static std::string onOneLine(StringRef Text) {
  std::string Out;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    StringRef Joined = Line.rtrim();
    bool Continues = Joined.consume_back("\\");
    Out += Continues ? Joined : Line.rtrim('\r');
    if (!Continues && !Rest.empty())
      Out += ' ';
    Text = Rest;
  }
  return Out;
}

/// Where the line of \p Text ends, lines that go on behind a backslash
/// together, that the offset \p From is in.
static unsigned endOfLine(StringRef Text, unsigned From) {
  size_t End = Text.find('\n', From);
  while (End != StringRef::npos &&
         Text.slice(From, End).rtrim().ends_with("\\"))
    End = Text.find('\n', End + 1);
  return unsigned(std::min(End, Text.size()));
}

std::vector<std::string> directivesIn(StringRef Text,
                                      const LangOptions &Options) {
  std::vector<std::string> Out;
  if (Text.empty()) // the lexer wants the zero behind a buffer
    return Out;
  const SourceLocation Start = SourceLocation::getFromRawEncoding(1);
  Lexer Raw(Start, Options, Text.begin(), Text.begin(), Text.end());
  Raw.SetCommentRetentionState(true);
  auto offset = [&](const Token &T) {
    return T.getLocation().getRawEncoding() - Start.getRawEncoding();
  };
  Token T;
  bool OnlyComments = false; // before T, in its line
  for (Raw.LexFromRawLexer(T); T.isNot(tok::eof);) {
    OnlyComments |= T.isAtStartOfLine();
    if (!OnlyComments || T.isNot(tok::hash)) {
      OnlyComments &= T.is(tok::comment);
      Raw.LexFromRawLexer(T);
      continue;
    }
    std::string Directive;
    unsigned End = offset(T) + T.getLength();
    for (Raw.LexFromRawLexer(T); T.isNot(tok::eof) && !T.isAtStartOfLine();
         Raw.LexFromRawLexer(T)) {
      unsigned Next = offset(T) + T.getLength();
      Directive += T.is(tok::comment) ? StringRef(" ") : Text.slice(End, Next);
      End = Next;
      // What a build says in its line is no code, and begins no comment.
      if (is_contained({"warning", "error"}, StringRef(Directive).trim())) {
        End = endOfLine(Text, End);
        Raw.seek(End, /*IsAtStartOfLine=*/true);
      }
    }
    Out.push_back(StringRef(onOneLine(Directive)).trim().str());
  }
  return Out;
}

bool isNamedOnce(const FunctionDecl &F, const ASTContext &Context) {
  size_t Times = 0;
  for (StringRef Text : userTexts(Context.getSourceManager()))
    frontend::eachRawToken(Text, [&](tok::TokenKind, size_t, StringRef Word) {
      Times += Word == F.getName();
    });
  return Times == 1;
}

/// The directive \p At of \p Directives opens a guard, as openArms has it.
static bool opensGuard(ArrayRef<StringRef> Directives, size_t At,
                       function_ref<bool(StringRef)> MayGuard) {
  if (At + 1 >= Directives.size() || !Directives[At].starts_with("ifndef") ||
      !Directives[At + 1].starts_with("define"))
    return false;
  const std::vector<StringRef> Asked = wordsIn(Directives[At]),
                               Defined = wordsIn(Directives[At + 1]);
  if (Asked.size() < 2 || Defined.size() < 2 || Asked[1] != Defined[1])
    return false;
  size_t End = At;
  for (int Open = 0; End < Directives.size(); ++End) {
    if (Open == 1 && Directives[End].starts_with("el"))
      return false;
    Open += armsOpenedBy(Directives[End]);
    if (Open <= 0)
      break;
  }
  return End + 1 == Directives.size() &&
         (At == 0 || (Directives[At + 1].trim().ends_with(Defined[1]) &&
                      MayGuard(Asked[1])));
}

std::vector<int> openArms(ArrayRef<StringRef> Directives, bool EndsFile,
                          function_ref<bool(StringRef)> MayGuard) {
  std::vector<int> Out;
  std::vector<bool> Guards; // of the #if's that are open
  for (size_t I = 0; I < Directives.size(); ++I) {
    const int Opened = armsOpenedBy(Directives[I]);
    if (Opened > 0)
      Guards.push_back(EndsFile && opensGuard(Directives, I, MayGuard));
    else if (Opened < 0 && !Guards.empty())
      Guards.pop_back();
    Out.push_back(int(llvm::count(Guards, false)));
  }
  return Out;
}

bool isInArm(SourceLocation Loc, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  MacroStability &Macros = MacroStability::of(Context);
  auto mayGuard = [&](StringRef Name) { return Macros.mayGuard(Name); };
  for (Loc = SM.getExpansionLoc(Loc);
       Loc.isValid() && !SM.isInSystemHeader(Loc);) {
    const auto At = SM.getDecomposedLoc(Loc);
    std::vector<StringRef> All;
    size_t Before = 0; // how many stand before Loc
    for (const ArmToken &T : Macros.tokensOf(At.first))
      if (T.Kind != ArmToken::Code) {
        All.push_back(T.Text);
        Before += T.Offset < At.second;
      }
    if (Before &&
        openArms(All, Macros.endsWithDirective(At.first), mayGuard)[Before - 1])
      return true;
    Loc = SM.getExpansionLoc(SM.getIncludeLoc(At.first));
  }
  return false;
}

} // namespace clrewrite::rewrite
