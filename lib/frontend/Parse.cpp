// Parsing, and reading missing host macros out of Clang's diagnostics.
#include "frontend/Parse.h"
#include "frontend/Assembly.h"
#include "frontend/ClangVersions.h"
#include "frontend/Diagnosing.h"
#include "frontend/GuardedFiles.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/FileManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using clang::DiagnosticsEngine;

namespace clrewrite::frontend {

/// How many errors Diagnosis::First has: GitHub shows ten annotations a step.
static constexpr unsigned MostErrors = 10;

Diagnosing::Diagnosing(Diagnosis &Into, bool Colour)
    : Into(Into), OS(Into.Text), Printer(OS, forPrinter(Options)) {
  Options.ShowColors = Colour;
  Options.ShowPresumedLoc = true; // as #line counts
}

void Diagnosing::BeginSourceFile(const clang::LangOptions &Lang,
                                 const clang::Preprocessor *PP) {
  Printer.BeginSourceFile(Lang, PP);
}

void Diagnosing::EndSourceFile() {
  Printer.EndSourceFile();
  if (Repeated)
    OS << "and " << Repeated << " more like "
       << (Told.size() > 1 ? "these" : "it") << "\n";
}

/// The name that argument 0 of a diagnostic carries.
static std::string firstName(const clang::Diagnostic &Info) {
  if (Info.getNumArgs() == 0)
    return "";
  switch (Info.getArgKind(0)) {
  case DiagnosticsEngine::ak_std_string:
    return Info.getArgStdStr(0);
  case DiagnosticsEngine::ak_c_string:
    return Info.getArgCStr(0);
  case DiagnosticsEngine::ak_identifierinfo:
    return Info.getArgIdentifier(0)->getName().str();
  case DiagnosticsEngine::ak_declarationname:
    return clang::DeclarationName::getFromOpaqueInteger(Info.getRawArg(0))
        .getAsString();
  case DiagnosticsEngine::ak_nameddecl:
    return reinterpret_cast<clang::NamedDecl *>(Info.getRawArg(0))
        ->getNameAsString();
  default:
    return "";
  }
}

static void addOnce(std::vector<std::string> &List, std::string Name) {
  if (!Name.empty() && !is_contained(List, Name))
    List.push_back(std::move(Name));
}

/// Whether an opening parenthesis follows the name at which \p Info stands,
/// where that is spelled: in the body of a macro, too.
static bool isCalled(const clang::Diagnostic &Info, StringRef Name) {
  if (Info.getLocation().isInvalid() || !Info.hasSourceManager())
    return false;
  const clang::SourceManager &SM = Info.getSourceManager();
  auto [File, Offset] =
      SM.getDecomposedLoc(SM.getSpellingLoc(Info.getLocation()));
  StringRef Rest = SM.getBufferData(File).substr(Offset);
  return Rest.consume_front(Name) && Rest.ltrim().starts_with("(");
}

static UninitialisedRead readAt(const clang::Diagnostic &Info, bool Always) {
  UninitialisedRead Read;
  Read.Variable = firstName(Info);
  Read.Always = Always;
  const clang::SourceManager &SM = Info.getSourceManager();
  clang::SourceLocation Loc = SM.getExpansionLoc(Info.getLocation());
  if (SM.isInMainFile(Loc)) {
    Read.Line = SM.getSpellingLineNumber(Loc);
    Read.Offset = SM.getFileOffset(Loc);
  }
  return Read;
}

static SourceError errorOf(const clang::Diagnostic &Info) {
  SourceError E;
  SmallString<128> Text;
  Info.FormatDiagnostic(Text);
  E.Message = Text.str().str();
  if (Info.getLocation().isInvalid())
    return E;
  const clang::SourceManager &SM = Info.getSourceManager();
  clang::SourceLocation Loc = SM.getExpansionLoc(Info.getLocation());
  if (SM.isInMainFile(Loc))
    E.LineOfText = SM.getSpellingLineNumber(Loc);
  clang::PresumedLoc Place = SM.getPresumedLoc(Loc);
  if (Place.isInvalid())
    return E;
  E.Path = sys::path::remove_leading_dotslash(Place.getFilename()).str();
  E.Line = Place.getLine();
  E.Column = Place.getColumn();
  return E;
}

static GuardedFiles *guardOf(const clang::Diagnostic &Info) {
  if (!Info.hasSourceManager())
    return nullptr;
  return dyn_cast<GuardedFiles>(
      &Info.getSourceManager().getFileManager().getVirtualFileSystem());
}

/// Whether all lines that the diagnostic would be shown with may be: not those
/// of files that -I alone allows.
static bool mayShowLines(const clang::Diagnostic &Info) {
  GuardedFiles *Guard = guardOf(Info);
  if (!Guard || Info.getLocation().isInvalid())
    return true;
  const clang::SourceManager &SM = Info.getSourceManager();
  auto MayShow = [&](clang::SourceLocation Loc) {
    auto File = SM.getFileEntryRefForID(SM.getFileID(Loc));
    return !File || Guard->mayShow(File->getName());
  };
  clang::SourceLocation Loc = Info.getLocation();
  for (; Loc.isMacroID(); Loc = SM.getImmediateMacroCallerLoc(Loc))
    if (!MayShow(SM.getSpellingLoc(Loc)))
      return false;
  return MayShow(Loc);
}

/// A header that is not read is none that is missing.
void Diagnosing::handleMissing(DiagnosticsEngine::Level Level,
                               const clang::Diagnostic &Info) {
  GuardedFiles *Guard = guardOf(Info);
  std::vector<std::string> Why =
      Guard ? Guard->takeRefusals() : std::vector<std::string>();
  if (Why.empty())
    addOnce(Into.MissingHeaders, firstName(Info));
  if (++Into.Errors <= MostErrors) {
    Into.First.push_back(errorOf(Info));
    if (!Why.empty())
      Into.First.back().Message = join(Why, "; ");
  }
  Printer.HandleDiagnostic(Level, Info);
  for (const std::string &Each : Why)
    OS << "clrewrite: note: " << Each << "\n";
}

bool Diagnosing::isRepeated(const clang::Diagnostic &Info) {
  switch (Info.getID()) {
  case clang::diag::err_undeclared_var_use:
  case clang::diag::err_undeclared_var_use_suggest:
  case clang::diag::err_unknown_typename:
  case clang::diag::err_unknown_typename_suggest: {
    SmallString<128> Text;
    Info.FormatDiagnostic(Text);
    return !Told.insert(Text.str().str()).second;
  }
  default:
    return false;
  }
}

void Diagnosing::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                  const clang::Diagnostic &Info) {
  DiagnosticConsumer::HandleDiagnostic(Level, Info);
  switch (Info.getID()) {
  case clang::diag::err_undeclared_var_use:
  case clang::diag::err_undeclared_var_use_suggest:
  case clang::diag::ext_implicit_function_decl_c99:
    addOnce(Into.UnknownNames, firstName(Info));
    if (isCalled(Info, firstName(Info)))
      addOnce(Into.CalledNames, firstName(Info));
    break;
  case clang::diag::err_unknown_typename:
  case clang::diag::err_unknown_typename_suggest:
    addOnce(Into.UnknownTypes, firstName(Info));
    break;
  case clang::diag::err_pp_file_not_found:
    if (Level >= DiagnosticsEngine::Error)
      return handleMissing(Level, Info);
    break;
  case clang::diag::warn_uninit_var:
  case clang::diag::warn_uninit_self_reference_in_init:
    Into.Uninitialised.push_back(readAt(Info, /*Always=*/true));
    return;
  case clang::diag::warn_sometimes_uninit_var:
    Into.Uninitialised.push_back(readAt(Info, /*Always=*/false));
    return;
  default:
    break;
  }
  if (Level < DiagnosticsEngine::Error && Info.getID() != 0 &&
      Level != DiagnosticsEngine::Note)
    return; // The user's own warnings are not our business.
  if (Level == DiagnosticsEngine::Note && Into.Errors == 0)
    return;
  if (Level >= DiagnosticsEngine::Error) {
    Into.RefusesItself |= Info.getID() == clang::diag::err_pp_hash_error;
    if (++Into.Errors <= MostErrors)
      Into.First.push_back(errorOf(Info));
    NotesAreRepeated = isRepeated(Info);
    Repeated += NotesAreRepeated;
  }
  if (NotesAreRepeated)
    return;
  Options.ShowCarets = mayShowLines(Info);
  Printer.HandleDiagnostic(Level, Info);
  Options.ShowCarets = true;
}

namespace {

using Callback = function_ref<void(clang::ASTContext &, const Diagnosis &)>;

/// Hands the finished AST to a callback, where there were no errors.
class UseConsumer : public clang::ASTConsumer {
public:
  UseConsumer(Diagnosis &D, Callback Use) : D(D), Use(Use) {}
  void HandleTranslationUnit(clang::ASTContext &Context) override {
    if (D.Errors)
      return;
    noteHeaders(Context.getSourceManager());
    Use(Context, D);
  }

private:
  void noteHeaders(const clang::SourceManager &SM) {
    auto Main = SM.getFileEntryRefForID(SM.getMainFileID());
    for (auto It = SM.fileinfo_begin(); It != SM.fileinfo_end(); ++It)
      if (!Main || It->first != *Main) {
        std::string Name = It->first.getName().str();
        if (auto Text = It->second->getBufferDataIfLoaded())
          noteAssembly(Name, *Text);
        D.Headers.push_back(std::move(Name));
      }
    llvm::sort(D.Headers); // the map is in order of addresses
    llvm::sort(D.AssemblyInHeaders);
  }

  void noteAssembly(StringRef Name, StringRef Text) {
    Name = sys::path::remove_leading_dotslash(Name);
    if (std::vector<LineRange> Lines = linesOfAssembly(Text); !Lines.empty())
      D.AssemblyInHeaders.push_back(
          (Name + ", line " + lineNumbers(Lines)).str());
  }

  Diagnosis &D;
  Callback Use;
};

/// Keeps the comments that speak to this tool.
class CommentReader : public clang::CommentHandler {
public:
  explicit CommentReader(Diagnosis &D) : D(D) {}
  bool HandleComment(clang::Preprocessor &PP,
                     clang::SourceRange Comment) override {
    const clang::SourceManager &SM = PP.getSourceManager();
    if (!SM.isInMainFile(Comment.getBegin()))
      return false;
    unsigned Begin = SM.getFileOffset(Comment.getBegin());
    unsigned End = SM.getFileOffset(Comment.getEnd());
    StringRef File = SM.getBufferData(SM.getMainFileID());
    StringRef Text = File.slice(Begin, End);
    if (!Text.consume_front("//") && Text.consume_front("/*"))
      Text.consume_back("*/");
    Text = Text.ltrim("/!* \t\r\n");
    if (!Text.consume_front("clrewrite:"))
      return false;
    Text = Text.trim();
    D.Comments.push_back({SM.getSpellingLineNumber(Comment.getBegin()), End,
                          Text.str(), unsigned(Text.data() - File.data())});
    return false; // No token was pushed.
  }

private:
  Diagnosis &D;
};

/// Notes what #if leaves out.
class SkipReader : public clang::PPCallbacks {
public:
  SkipReader(Diagnosis &D, const clang::SourceManager &SM) : D(D), SM(SM) {}
  void SourceRangeSkipped(clang::SourceRange Range,
                          clang::SourceLocation) override {
    if (SM.isInMainFile(Range.getBegin()))
      D.Skipped.push_back({SM.getFileOffset(Range.getBegin()),
                           SM.getFileOffset(Range.getEnd())});
  }

private:
  Diagnosis &D;
  const clang::SourceManager &SM;
};

class UseAction : public clang::ASTFrontendAction {
public:
  UseAction(Diagnosis &D, Callback Use) : D(D), Use(Use), Comments(D) {}
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &Compiler, StringRef) override {
    Compiler.getPreprocessor().addCommentHandler(&Comments);
    Compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<SkipReader>(D, Compiler.getSourceManager()));
    return std::make_unique<UseConsumer>(D, Use);
  }

private:
  Diagnosis &D;
  Callback Use;
  CommentReader Comments;
};

} // namespace

Diagnosis parse(const Source &S, const Arch &A, bool Colour, Callback Use) {
  Diagnosis D;
  Diagnosing Consumer(D, Colour);
  std::unique_ptr<clang::CompilerInstance> Compiler =
      makeCompiler(S, A, {"-fsyntax-only"}, &Consumer);
  if (!Compiler) {
    D.Errors = std::max(D.Errors, 1u);
    return D;
  }
  UseAction Action(D, Use);
  if (!Compiler->ExecuteAction(Action) && D.Errors == 0) {
    D.Errors = 1;
    D.Text += S.Path + ": error: the front end gave up without a message\n";
    D.First = {{"", 0, 0, "the front end gave up without a message"}};
  }
  return D;
}

static bool isUpper(StringRef Name) {
  return none_of(Name, [](char C) { return isLower(C); });
}

/// A type of an extension that the target's compiler lacks: no host program
/// defines it.
static bool isHalfVector(StringRef Type) {
  return Type.consume_front("half") &&
         is_contained({"2", "3", "4", "8", "16"}, Type);
}

Missing missingIn(const Diagnosis &D) {
  Missing Out{{}, {}, D.MissingHeaders, {}};
  for (const std::string &Type : D.UnknownTypes)
    if (!isHalfVector(Type))
      Out.Types.push_back(Type);
    else if (Out.HalfVector.empty())
      Out.HalfVector = Type;
  // Macros are upper case by custom. A lower-case name is more often the
  // variable whose declaration failed before, unless there is nothing else.
  bool AnyUpper = !D.UnknownTypes.empty() || any_of(D.UnknownNames, isUpper);
  for (const std::string &Name : D.UnknownNames)
    if (is_contained(D.CalledNames, Name))
      Out.Functions.push_back(Name);
    else if (!is_contained(D.UnknownTypes, Name) &&
             (!AnyUpper || isUpper(Name)))
      Out.Names.push_back(Name);
  return Out;
}

std::string suggestOptions(const Missing &What,
                           function_ref<std::string(StringRef)> FolderOf) {
  if (!What.HalfVector.empty())
    return What.HalfVector +
           " is a type of cl_khr_fp16, which the compiler for this "
           "target does not have; name targets that have it, for "
           "example --target=gfx906";
  std::vector<std::string> Names, Options;
  auto Suggest = [&](const std::vector<std::string> &List, StringRef Before,
                     StringRef Behind) {
    for (const std::string &Name : List) {
      Names.push_back(Name);
      Options.push_back((Before + Name + Behind).str());
    }
  };
  Suggest(What.Types, "-D ", "=float");
  Suggest(What.Names, "-D ", "=16");
  for (const std::string &Header : What.Headers) {
    std::string Folder = FolderOf(Header);
    Names.push_back(Header);
    Options.push_back("-I " +
                      (Folder.empty() ? "DIRECTORY_OF_" + Header : Folder));
  }
  if (Names.empty())
    return "";
  return "not defined here, perhaps by the host program: " + join(Names, ", ") +
         "; pass them as it does, for example: -- " + join(Options, " ") +
         "; or in .clrewrite.yaml, of which clrewrite init writes a first one";
}

} // namespace clrewrite::frontend
