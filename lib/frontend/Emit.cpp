// Clang's code generation is run as an action of its own.
#include "frontend/Emit.h"
#include "frontend/AskedNames.h"
#include "frontend/Diagnosing.h"
#include "frontend/RawTokens.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace clrewrite::frontend {

/// The headers that were read, but for Clang's own, and their texts.
static void noteHeaders(clang::SourceManager &SM, Diagnosis &D,
                        FileTexts *Texts) {
  auto Main = SM.getFileEntryRefForID(SM.getMainFileID());
  for (auto It = SM.fileinfo_begin(); It != SM.fileinfo_end(); ++It)
    if (StringRef Name = It->first.getName();
        (!Main || It->first != *Main) && !Name.starts_with(resourceDir())) {
      D.Headers.push_back(Name.str());
      if (auto Text = SM.getMemoryBufferForFileOrNone(It->first); Texts && Text)
        Texts->try_emplace(Name.str(), Text->getBuffer());
    }
  llvm::sort(D.Headers);
}

namespace {

/// Looks for what depends on the compiler: macros that it predefines, and
/// names of macros that another one may predefine.
class TargetQuestions : public clang::PPCallbacks {
public:
  TargetQuestions(clang::Preprocessor &PP, Diagnosis &D)
      : PP(PP), SM(PP.getSourceManager()), D(D) {}

  void MacroExpands(const clang::Token &Name,
                    const clang::MacroDefinition &Macro,
                    clang::SourceRange Range,
                    const clang::MacroArgs *) override {
    if (isOfUser(Range.getBegin()) &&
        isPredefined(PP.getSpelling(Name), Macro.getMacroInfo()))
      asks(PP.getSpelling(Name), Range.getBegin());
  }
  void MacroUndefined(const clang::Token &Name, const clang::MacroDefinition &,
                      const clang::MacroDirective *) override {
    noteChange(Name);
  }
  void MacroDefined(const clang::Token &Defined,
                    const clang::MacroDirective *Macro) override {
    noteChange(Defined);
    if (!isOfUser(Macro->getLocation()))
      return;
    for (const clang::Token &Each : Macro->getMacroInfo()->tokens())
      if (const clang::IdentifierInfo *Name = Each.getIdentifierInfo())
        if (mayBePredefined(Name->getName()) &&
            !Name->isKeyword(PP.getLangOpts()) &&
            !Name->getName().starts_with("__builtin_"))
          asks(Name->getName(), Each.getLocation());
  }
  void Ifdef(clang::SourceLocation, const clang::Token &Name,
             const clang::MacroDefinition &Macro) override {
    test(Name, Macro);
  }
  void Ifndef(clang::SourceLocation, const clang::Token &Name,
              const clang::MacroDefinition &Macro) override {
    test(Name, Macro);
  }
  using clang::PPCallbacks::Elifdef;
  void Elifdef(clang::SourceLocation, const clang::Token &Name,
               const clang::MacroDefinition &Macro) override {
    test(Name, Macro);
  }
  using clang::PPCallbacks::Elifndef;
  void Elifndef(clang::SourceLocation, const clang::Token &Name,
                const clang::MacroDefinition &Macro) override {
    test(Name, Macro);
  }
  void Defined(const clang::Token &Name, const clang::MacroDefinition &Macro,
               clang::SourceRange) override {
    test(Name, Macro);
  }
  void If(clang::SourceLocation At, clang::SourceRange,
          ConditionValueKind) override {
    test(At);
  }
  void Elif(clang::SourceLocation At, clang::SourceRange, ConditionValueKind,
            clang::SourceLocation) override {
    test(At);
  }

private:
  clang::Preprocessor &PP;
  const clang::SourceManager &SM;
  Diagnosis &D;

  /// Clang's header of OpenCL C itself defines what compilers predefine.
  void noteChange(const clang::Token &Name) {
    clang::SourceLocation At = SM.getExpansionLoc(Name.getLocation());
    std::string Word = PP.getSpelling(Name);
    StringRef File = SM.getFilename(At);
    if (mayBePredefined(Word) && !SM.isWrittenInBuiltinFile(At) &&
        !SM.isWrittenInCommandLineFile(At) &&
        !(File.starts_with(resourceDir()) &&
          sys::path::filename(File).starts_with("opencl-c")))
      D.Redefined.push_back(std::move(Word));
  }
  void asks(StringRef Word, clang::SourceLocation At) {
    if (!D.AsksForTarget.empty())
      return;
    D.AsksForTarget = "'" + Word.str() + "'";
    clang::PresumedLoc Place = SM.getPresumedLoc(SM.getExpansionLoc(At));
    if (Place.isInvalid() || SM.isWrittenInCommandLineFile(At))
      D.AsksForTarget += " in the build options";
    else
      D.AsksForTarget +=
          " in line " + utostr(Place.getLine()) +
          (SM.isInMainFile(At) ? ""
                               : " of " + std::string(Place.getFilename()));
  }
  /// Predefined macros have no file, and those of OpenCL C itself are in
  /// Clang's own headers.
  bool isOfUser(clang::SourceLocation At) const {
    At = SM.getExpansionLoc(At);
    return SM.isWrittenInCommandLineFile(At) ||
           (At.isValid() && !SM.isWrittenInBuiltinFile(At) &&
            !SM.getFilename(At).starts_with(resourceDir()));
  }
  /// Those of the preprocessor itself, such as __LINE__, are no question, but
  /// for those that ask what there is. Some that drivers predefine are given to
  /// Clang as options.
  bool isPredefined(StringRef Name, const clang::MacroInfo *Macro) const {
    if (!Macro)
      return false;
    if (Macro->isBuiltinMacro())
      return Name.starts_with("__has_") || Name.starts_with("__is_") ||
             Name == "__DATE__" || Name == "__TIME__" ||
             Name == "__TIMESTAMP__";
    clang::SourceLocation At = Macro->getDefinitionLoc();
    return SM.isWrittenInBuiltinFile(At) ||
           (SM.isWrittenInCommandLineFile(At) && mayBePredefined(Name));
  }
  /// The text itself has defined \p Macro, for all compilers.
  bool isTexts(const clang::MacroInfo *Macro) const {
    if (!Macro || Macro->isBuiltinMacro())
      return false;
    clang::SourceLocation At = Macro->getDefinitionLoc();
    return isOfUser(At) && !SM.isWrittenInCommandLineFile(At);
  }
  /// What \p Name stands for may be put together of parts.
  bool mayPaste(const clang::IdentifierInfo *Name,
                std::set<const clang::IdentifierInfo *> &Seen) const {
    const clang::MacroInfo *Macro = PP.getMacroInfo(Name);
    if (!Macro || !Seen.insert(Name).second)
      return false;
    return any_of(Macro->tokens(), [&](const clang::Token &Each) {
      return Each.is(clang::tok::hashhash) ||
             (Each.getIdentifierInfo() &&
              mayPaste(Each.getIdentifierInfo(), Seen));
    });
  }
  void test(const clang::Token &Name, const clang::MacroDefinition &Macro) {
    if (isOfUser(Name.getLocation()) && !isTexts(Macro.getMacroInfo()) &&
        (isPredefined(PP.getSpelling(Name), Macro.getMacroInfo()) ||
         mayBePredefined(PP.getSpelling(Name))))
      asks(PP.getSpelling(Name), Name.getLocation());
  }
  /// The condition of the directive \p At.
  void test(clang::SourceLocation At) {
    if (!isOfUser(At))
      return;
    StringRef Text =
        SM.getBufferData(SM.getFileID(At)).drop_front(SM.getFileOffset(At));
    size_t End = 0;
    eachTokenOfDirectives(
        ("#" + Text).str(),
        [&](const clang::Token &T, size_t Offset, StringRef Word) {
          End = Offset;
          if (T.isNot(clang::tok::raw_identifier))
            return T.isNot(clang::tok::eod);
          std::set<const clang::IdentifierInfo *> Seen;
          const clang::IdentifierInfo *Name = PP.getIdentifierInfo(Word);
          if (T.needsCleaning() || T.hasUCN() ||
              (mayBePredefined(Word) && !isTexts(PP.getMacroInfo(Name))) ||
              mayPaste(Name, Seen))
            asks(Word, At);
          return true;
        });
    // Trigraphs may continue it.
    if (Text.take_front(End).contains("?\?"))
      asks("?\?", At);
  }
};

class EmitAction : public clang::EmitLLVMOnlyAction {
public:
  EmitAction(LLVMContext &Context, Diagnosis &D)
      : EmitLLVMOnlyAction(&Context), D(D) {}

protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &Compiler,
                    StringRef File) override {
    clang::Preprocessor &PP = Compiler.getPreprocessor();
    PP.addPPCallbacks(std::make_unique<TargetQuestions>(PP, D));
    return EmitLLVMOnlyAction::CreateASTConsumer(Compiler, File);
  }

private:
  Diagnosis &D;
};

} // namespace

std::unique_ptr<Module> emit(const Source &S, const Arch &A,
                             LLVMContext &Context, Diagnosis &D, bool Lines,
                             FileTexts *Headers) {
  Diagnosing Consumer(D, /*Colour=*/false);
  // As a release of clang does: its IR is not checked before it is optimised.
  std::vector<const char *> Extra{"-emit-llvm-only", "-disable-llvm-verifier"};
  if (Lines)
    Extra.push_back("-debug-info-kind=line-tables-only");
  std::unique_ptr<clang::CompilerInstance> Compiler =
      makeCompiler(S, A, Extra, &Consumer);
  if (!Compiler)
    return nullptr;
  if (Headers)
    for (const auto &[Name, Text] : *Headers)
      Compiler->getPreprocessorOpts().addRemappedFile(
          Name, MemoryBuffer::getMemBufferCopy(Text, Name).release());
  EmitAction Action(Context, D);
  bool Done = Compiler->ExecuteAction(Action) && !D.Errors;
  if (Compiler->hasSourceManager())
    noteHeaders(Compiler->getSourceManager(), D, Headers);
  return Done ? Action.takeModule() : nullptr;
}

} // namespace clrewrite::frontend
