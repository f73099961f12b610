// Parsing, and noting what Clang's diagnostics tell.
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
#include <map>

using namespace llvm;
using clang::DiagnosticsEngine;

namespace clrewrite::frontend {

/// How many errors Diagnosis::First has: GitHub shows ten annotations a step.
static constexpr unsigned MostErrors = 10;

/// How many are shown; others are counted.
static constexpr unsigned MostShown = 19;

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

enum class Usage { Value, Called, Type, Variable };

/// How \p Name, at which \p Info stands, is used where it is spelled, in the
/// body of a macro as well: as a type it stands before another name, or alone
/// in parentheses before the value of a cast or of a vector, `= (T)(0)`. What
/// is assigned is a variable, whose declaration failed.
static Usage usageAt(const clang::Diagnostic &Info, StringRef Name) {
  if (Info.getLocation().isInvalid() || !Info.hasSourceManager())
    return Usage::Value;
  const clang::SourceManager &SM = Info.getSourceManager();
  auto [File, Offset] =
      SM.getDecomposedLoc(SM.getSpellingLoc(Info.getLocation()));
  StringRef Rest = SM.getBufferData(File).substr(Offset);
  if (!Rest.consume_front(Name))
    return Usage::Value;
  Rest = Rest.ltrim();
  auto isWord = [](StringRef Text) {
    return !Text.empty() && (isAlnum(Text.front()) || Text.front() == '_');
  };
  if (Rest.starts_with("("))
    return Usage::Called;
  if (isWord(Rest))
    return Usage::Type;
  if ((Rest.starts_with("=") && !Rest.starts_with("==")) ||
      Rest.starts_with("++") || Rest.starts_with("--"))
    return Usage::Variable;
  StringRef Before = SM.getBufferData(File).take_front(Offset).rtrim();
  if (!Before.consume_back("(") || !Rest.consume_front(")"))
    return Usage::Value;
  Before = Before.rtrim();
  Rest = Rest.ltrim();
  // What stands before may be a function that is called, or `if`.
  bool Calls = !Before.empty() && (isAlnum(Before.back()) ||
                                   StringRef("_)]").contains(Before.back()));
  return (Rest.starts_with("(") || isWord(Rest)) &&
                 (!Calls || Before.ends_with("return"))
             ? Usage::Type
             : Usage::Value;
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
    if (Usage How = usageAt(Info, firstName(Info)); How == Usage::Type) {
      addOnce(Into.UnknownTypes, firstName(Info));
    } else {
      addOnce(Into.UnknownNames, firstName(Info));
      if (How == Usage::Called)
        addOnce(Into.CalledNames, firstName(Info));
      if (How == Usage::Variable)
        addOnce(Into.AssignedNames, firstName(Info));
    }
    break;
  case clang::diag::err_unknown_typename:
  case clang::diag::err_unknown_typename_suggest:
    addOnce(Into.UnknownTypes, firstName(Info));
    break;
  case clang::diag::err_pp_file_not_found:
  case clang::diag::err_pp_file_not_found_angled_include_not_fatal:
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
    NotesAreRepeated = isRepeated(Info) || Shown == MostShown;
    Repeated += NotesAreRepeated;
    Shown += !NotesAreRepeated;
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
  UseConsumer(Diagnosis &D, Callback Use, clang::Preprocessor &PP)
      : D(D), Use(Use), PP(PP) {}
  void HandleTranslationUnit(clang::ASTContext &Context) override {
    if (D.Errors)
      return noteMacros(Context.getSourceManager());
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

  /// Notes what the source and its headers say of macros, as far as their lines
  /// may be shown.
  void noteMacros(const clang::SourceManager &SM) {
    auto *Guard =
        dyn_cast<GuardedFiles>(&SM.getFileManager().getVirtualFileSystem());
    auto Main = SM.getFileEntryRefForID(SM.getMainFileID());
    std::map<StringRef, StringRef> Headers; // the file table is in no order
    for (auto It = SM.fileinfo_begin(); It != SM.fileinfo_end(); ++It)
      if (StringRef Name = It->first.getName();
          (!Main || It->first != *Main) && !Name.starts_with(resourceDir()) &&
          (!Guard || Guard->mayShow(Name)))
        if (auto Text = It->second->getBufferDataIfLoaded())
          Headers[Name] = *Text;
    D.Macros.read(SM.getBufferData(SM.getMainFileID()));
    for (const auto &[Name, Text] : Headers)
      D.Macros.read(Text);
    if (!D.RefusesItself)
      return;
    for (auto &Each : D.Macros.demanded())
      if (!PP.isMacroDefined(Each.first))
        D.Demanded.push_back(std::move(Each));
  }

  void noteAssembly(StringRef Name, StringRef Text) {
    Name = sys::path::remove_leading_dotslash(Name);
    if (std::vector<LineRange> Lines = linesOfAssembly(Text); !Lines.empty())
      D.AssemblyInHeaders.push_back(
          (Name + ", line " + lineNumbers(Lines)).str());
  }

  Diagnosis &D;
  Callback Use;
  clang::Preprocessor &PP;
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
    return std::make_unique<UseConsumer>(D, Use, Compiler.getPreprocessor());
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

} // namespace clrewrite::frontend
