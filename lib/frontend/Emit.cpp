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
#include "llvm/Support/Regex.h"
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
                    const clang::MacroDirective *) override {
    noteChange(Defined);
  }
  void Ifdef(clang::SourceLocation, const clang::Token &Name,
             const clang::MacroDefinition &Macro) override {
    test(Name, Macro);
  }
  void Ifndef(clang::SourceLocation, const clang::Token &Name,
              const clang::MacroDefinition &Macro) override {
    clang::SourceLocation At = Name.getLocation();
    if (SM.isInMainFile(At) ||
        !isGuardOf(SM.getFilename(At), PP.getSpelling(Name)))
      test(Name, Macro);
  }
  void InclusionDirective(clang::SourceLocation Hash, const clang::Token &,
                          StringRef, bool, clang::CharSourceRange Name,
                          clang::OptionalFileEntryRef, StringRef, StringRef,
                          const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    // A macro may say which file that is.
    if (isOfUser(Hash) && Name.getBegin().isMacroID())
      test(Hash.getLocWithOffset(1));
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
  /// Pragmas may use macros, but for `#pragma OPENCL`, in which Clang expands
  /// none.
  void PragmaDirective(clang::SourceLocation Begin,
                       clang::PragmaIntroducerKind Kind) override {
    if (!isOfUser(Begin))
      return;
    if (Kind != clang::PIK_HashPragma) {
      // Only a string passes that cannot hold such a name.
      StringRef Text = textFrom(SM.getSpellingLoc(Begin));
      if (!Regex("^_Pragma *\\( *\"(unroll|nounroll|clang|GCC|OPENCL)[ "
                 "a-z0-9()]*\"")
               .match(Text))
        asks("_Pragma", Begin);
      return;
    }
    clang::SourceLocation At = Begin.getLocWithOffset(1);
    StringRef Text = textFrom(At).ltrim(" \t");
    if (!Text.consume_front("pragma") ||
        !Text.ltrim(" \t").starts_with("OPENCL "))
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
    if (mayBePredefined(Word) && !isBuiltin(At) && !isOfCommandLine(At) &&
        !(File.starts_with(resourceDir()) &&
          sys::path::filename(File).starts_with("opencl-c")))
      D.Redefined.push_back(std::move(Word));
  }
  void asks(StringRef Word, clang::SourceLocation At) {
    if (!D.AsksForTarget.empty())
      return;
    D.AsksForTarget = "'" + Word.str() + "'";
    clang::PresumedLoc Place = SM.getPresumedLoc(SM.getExpansionLoc(At));
    if (Place.isValid())
      D.AsksForTarget += " in line " + utostr(Place.getLine());
    if (Place.isValid() && !SM.isInMainFile(At))
      D.AsksForTarget += " of " + std::string(Place.getFilename());
  }
  /// \p At is in a file, by whatever name a #line calls it.
  bool hasFile(clang::SourceLocation At) const {
    return SM.getFileEntryRefForID(SM.getFileID(At)).has_value();
  }
  bool isBuiltin(clang::SourceLocation At) const {
    return !hasFile(At) && SM.isWrittenInBuiltinFile(At);
  }
  bool isOfCommandLine(clang::SourceLocation At) const {
    return !hasFile(At) && SM.isWrittenInCommandLineFile(At);
  }
  /// Predefined macros have no file, and those of OpenCL C itself are in
  /// Clang's own headers.
  bool isOfUser(clang::SourceLocation At) const {
    At = SM.getExpansionLoc(At);
    return isOfCommandLine(At) ||
           (At.isValid() && !isBuiltin(At) &&
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
    return isBuiltin(At) || (isOfCommandLine(At) && mayBePredefined(Name));
  }
  /// The text itself has defined \p Macro, for all compilers.
  bool isTexts(const clang::MacroInfo *Macro) const {
    if (!Macro || Macro->isBuiltinMacro())
      return false;
    clang::SourceLocation At = Macro->getDefinitionLoc();
    return isOfUser(At) && !isOfCommandLine(At);
  }
  /// A name that a compiler may predefine, which \p Name is or stands for, or
  /// whose body puts names together; empty where there is none.
  StringRef questionIn(const clang::IdentifierInfo *Name,
                       std::set<const clang::IdentifierInfo *> &Seen) const {
    const clang::MacroInfo *Macro = PP.getMacroInfo(Name);
    if (mayBePredefined(Name->getName()) && !isTexts(Macro))
      return Name->getName();
    if (!Macro || !Seen.insert(Name).second)
      return {};
    for (const clang::Token &Each : Macro->tokens()) {
      if (Each.is(clang::tok::hashhash))
        return Name->getName();
      if (const clang::IdentifierInfo *Part = Each.getIdentifierInfo())
        if (StringRef Found = questionIn(Part, Seen); !Found.empty())
          return Found;
    }
    return {};
  }
  void test(const clang::Token &Name, const clang::MacroDefinition &Macro) {
    std::string Word = PP.getSpelling(Name);
    if (isOfUser(Name.getLocation()) && !isTexts(Macro.getMacroInfo()) &&
        (isPredefined(Word, Macro.getMacroInfo()) || mayBePredefined(Word)))
      asks(Word, Name.getLocation());
  }
  StringRef textFrom(clang::SourceLocation At) const {
    return SM.getBufferData(SM.getFileID(At)).drop_front(SM.getFileOffset(At));
  }
  /// What the directive \p At says, which is a condition or a pragma.
  void test(clang::SourceLocation At) {
    if (!isOfUser(At))
      return;
    StringRef Text = textFrom(At);
    size_t End = 0;
    eachTokenOfDirectives(
        ("#" + Text).str(),
        [&](const clang::Token &T, size_t Offset, StringRef Word) {
          End = Offset;
          if (T.isNot(clang::tok::raw_identifier))
            return T.isNot(clang::tok::eod);
          std::set<const clang::IdentifierInfo *> Seen;
          StringRef Question = questionIn(PP.getIdentifierInfo(Word), Seen);
          if (T.needsCleaning() || T.hasUCN())
            asks(Word, At);
          else if (!Question.empty())
            asks(Question, At);
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
