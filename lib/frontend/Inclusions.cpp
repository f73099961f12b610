// #include directives, as the preprocessor meets them.
#include "frontend/Inclusions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace clrewrite::frontend {
namespace {

/// The end of the line on which the directive at \p At of \p Text ends: that
/// is not the first one where a comment or a backslash goes on.
size_t endOfDirective(StringRef Text, size_t At) {
  char Quote = 0;
  for (; At < Text.size(); ++At) {
    StringRef Rest = Text.substr(At);
    if (Rest.starts_with("\\\n"))
      ++At;
    else if (Rest.starts_with("\\\r\n"))
      At += 2;
    else if (Rest.starts_with("\n"))
      break;
    else if (Quote)
      Quote = Rest[0] == Quote ? 0 : Quote;
    else if (Rest[0] == '"')
      Quote = '"';
    else if (Rest[0] == '<')
      Quote = '>';
    else if (Rest.starts_with("//"))
      return std::min(Text.find('\n', At), Text.size());
    else if (Rest.starts_with("/*"))
      At = std::min(Text.find("*/", At + 2), Text.size() - 2) + 1;
  }
  return At;
}

/// How deep in brackets the tokens so far lead, and what the last one was.
struct Nesting {
  int Depth = 0;
  clang::tok::TokenKind Last = clang::tok::semi;

  void add(const clang::Token &T) {
    Last = T.getKind();
    Depth += T.isOneOf(clang::tok::l_brace, clang::tok::l_paren,
                       clang::tok::l_square);
    Depth -= T.isOneOf(clang::tok::r_brace, clang::tok::r_paren,
                       clang::tok::r_square);
  }
  bool atFileScope() const {
    return Depth == 0 &&
           (Last == clang::tok::semi || Last == clang::tok::r_brace);
  }
};

class Watcher : public clang::PPCallbacks {
public:
  Watcher(Inclusions &Into, const Nesting &Now, const clang::SourceManager &SM)
      : Into(Into), Now(Now), SM(SM) {}

  void InclusionDirective(clang::SourceLocation Hash, const clang::Token &,
                          StringRef, bool, clang::CharSourceRange,
                          clang::OptionalFileEntryRef File, StringRef,
                          StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind Kind) override {
    Waiting.reset();
    if (!File)
      return;
    Inclusion I;
    I.Path = File->getName().str();
    SmallString<256> Real;
    I.Real = sys::fs::real_path(I.Path, Real) ? I.Path : Real.str().str();
    I.System = Kind != clang::SrcMgr::C_User;
    I.AtFileScope = Now.atFileScope();
    clang::FileID Holder = SM.getFileID(Hash);
    if (auto It = ByFile.find(Holder); It != ByFile.end())
      I.Within = It->second;
    if (Holder == SM.getMainFileID() || I.Within) {
      StringRef Text = SM.getBufferData(Holder);
      I.Begin = SM.getFileOffset(Hash);
      I.End = endOfDirective(Text, I.Begin);
      I.Line = SM.getPresumedLineNumber(Hash) +
               unsigned(Text.slice(I.Begin, I.End).count('\n'));
    }
    Waiting = Into.List.size();
    Into.List.push_back(std::move(I));
  }

  void FileChanged(clang::SourceLocation Loc, FileChangeReason Reason,
                   clang::SrcMgr::CharacteristicKind, clang::FileID) override {
    if (Reason != EnterFile || !Waiting)
      return;
    Into.List[*Waiting].Entered = true;
    ByFile[SM.getFileID(Loc)] = *Waiting;
    Waiting.reset();
  }

private:
  Inclusions &Into;
  const Nesting &Now;
  const clang::SourceManager &SM;
  std::map<clang::FileID, size_t> ByFile;
  std::optional<size_t> Waiting;
};

class ScanAction : public clang::PreprocessorFrontendAction {
public:
  explicit ScanAction(Inclusions &Out) : Out(Out) {}

protected:
  void ExecuteAction() override {
    clang::Preprocessor &PP = getCompilerInstance().getPreprocessor();
    Nesting Now;
    PP.addPPCallbacks(
        std::make_unique<Watcher>(Out, Now, PP.getSourceManager()));
    PP.IgnorePragmas();
    PP.EnterMainSourceFile();
    std::string All;
    for (clang::Token T;;) {
      PP.Lex(T);
      if (T.is(clang::tok::eof))
        break;
      Now.add(T);
      if (!T.isAnnotation())
        All += PP.getSpelling(T) + '\n';
    }
    Out.Tokens = xxh3_64bits(All);
  }

private:
  Inclusions &Out;
};

} // namespace

Inclusions inclusionsOf(const Source &S, const Arch &A) {
  Inclusions Out;
  clang::IgnoringDiagConsumer Quiet;
  std::unique_ptr<clang::CompilerInstance> Compiler =
      makeCompiler(S, A, {"-Eonly"}, &Quiet);
  ScanAction Action(Out);
  Out.Failed = !Compiler || !Compiler->ExecuteAction(Action) ||
               Compiler->getDiagnostics().hasErrorOccurred();
  return Out;
}

} // namespace clrewrite::frontend
