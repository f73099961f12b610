// Macros and typedefs that may be others in other builds.
//
// Edits hold for all options that a file is built with, not for those alone
// that it was read with: what takes a macro apart, or writes the type out that
// a typedef stands for, would be wrong with another definition of it.
#include "rewrite/ast/FixedText.h"
#include "rewrite/text/Text.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

/// The words of \p Text that name macros, in order.
static std::vector<StringRef> macrosIn(StringRef Text,
                                       const ASTContext &Context) {
  auto inWord = [](char C) { return isAlnum(C) || C == '_'; };
  std::vector<StringRef> Out;
  while (!(Text = Text.drop_until(inWord)).empty()) {
    StringRef Word = Text.take_while(inWord);
    Text = Text.drop_front(Word.size());
    auto Known = Context.Idents.find(Word);
    if (Known != Context.Idents.end() && Known->second->hadMacroDefinition())
      Out.push_back(Word);
  }
  return Out;
}

/// The main file, and what it includes.
static std::vector<StringRef> userTexts(const SourceManager &SM) {
  std::vector<StringRef> Out;
  for (auto It = SM.fileinfo_begin(), End = SM.fileinfo_end(); It != End;
       ++It) {
    FileID File = SM.translateFile(It->first);
    if (File.isValid() && !SM.isInSystemHeader(SM.getLocForStartOfFile(File)))
      Out.push_back(SM.getBufferData(File));
  }
  return Out;
}

/// What -D and -U stand for, as directives.
static StringRef commandLine(const SourceManager &SM) {
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

static void addDirectives(StringRef Rest, std::vector<std::string> &Out) {
  while (!Rest.empty()) {
    auto next = [&] {
      StringRef Line;
      std::tie(Line, Rest) = Rest.split('\n');
      return Line.rtrim('\r');
    };
    StringRef Line = next().ltrim();
    if (!Line.consume_front("#"))
      continue;
    std::string Whole;
    for (; Line.consume_back("\\"); Line = next())
      Whole += (Line + " ").str();
    Out.push_back(Whole + Line.ltrim().str());
  }
}

void FixedText::read() {
  HasRead = true;
  const SourceManager &SM = Context.getSourceManager();
  for (StringRef Text : userTexts(SM))
    addDirectives(Text, Directives);
  addDirectives(commandLine(SM), Commands);
}

bool FixedText::find(StringRef Name) {
  if (!HasRead)
    read();
  auto names = [&](StringRef Line) {
    return is_contained(macrosIn(Line, Context), Name);
  };
  if (Name.starts_with("__") || Name.starts_with("cl_") ||
      any_of(Commands, names))
    return false;
  StringRef Definition;
  for (StringRef Line : Directives) {
    if (!names(Line))
      continue;
    bool Defines = Line.consume_front("define");
    Line = Line.ltrim();
    StringRef Defined = macrosIn(Line, Context).front();
    if (Defines && Defined != Name && Line.starts_with(Defined))
      continue; // it stands in the body of another
    if (!Defines || !Definition.empty())
      return false;
    Definition = Line;
  }
  // What no line defines is OpenCL's.
  return all_of(
      macrosIn(Definition.drop_front(Definition.empty() ? 0 : Name.size()),
               Context),
      [&](StringRef Each) { return isFixed(Each); });
}

bool FixedText::isFixed(StringRef Name) {
  // One that names itself is not looked at again.
  auto [It, New] = Macros.insert({Name.str(), true});
  if (!New)
    return It->second;
  bool Fixed = find(Name);
  Macros.find(Name)->second = Fixed;
  return Fixed;
}

std::vector<StringRef> FixedText::others(StringRef Text) {
  std::vector<StringRef> Out = macrosIn(Text, Context);
  erase_if(Out, [&](StringRef Name) { return isFixed(Name); });
  return Out;
}

bool FixedText::isFixed(SourceLocation Loc) {
  const SourceManager &SM = Context.getSourceManager();
  for (; Loc.isMacroID(); Loc = SM.getImmediateMacroCallerLoc(Loc)) {
    SourceLocation Body = Loc;
    while (SM.isMacroArgExpansion(Body))
      Body = SM.getImmediateExpansionRange(Body).getBegin();
    // What is pasted comes next: it stands for the macro that does so.
    SourceLocation Written = SM.getImmediateSpellingLoc(Body);
    if (SM.isInSystemHeader(Written) || SM.isWrittenInScratchSpace(Written))
      continue;
    SourceLocation Name =
        SM.getSpellingLoc(SM.getImmediateExpansionRange(Body).getBegin());
    if (!isFixed(StringRef(
            SM.getCharacterData(Name),
            Lexer::MeasureTokenLength(Name, SM, Context.getLangOpts()))))
      return false;
  }
  return true;
}

/// How often the files say `typedef ... Name;`.
static unsigned typedefsOf(StringRef Name, const SourceManager &SM) {
  unsigned Count = 0;
  for (StringRef Rest : userTexts(SM))
    for (size_t At; (At = Rest.find("typedef")) != StringRef::npos;) {
      Rest = Rest.drop_front(At + 1);
      // Up to the semicolon behind a structure.
      unsigned Depth = 0;
      StringRef Declaration = Rest.take_until([&](char C) {
        Depth += C == '{';
        Depth -= C == '}';
        return C == ';' && !Depth;
      });
      Declaration = Declaration.rtrim();
      bool Ends = Declaration.consume_back(Name);
      Count += Ends && !Declaration.empty() && !isAlnum(Declaration.back()) &&
               Declaration.back() != '_';
    }
  return Count;
}

bool FixedText::isFixed(TypeLoc L) {
  while (true) {
    L = L.getUnqualifiedLoc();
    if (auto P = L.getAsAdjusted<PointerTypeLoc>())
      L = P.getPointeeLoc();
    else if (auto A = L.getAsAdjusted<ArrayTypeLoc>())
      L = A.getElementLoc();
    else
      break;
  }
  if (!isFixed(L.getBeginLoc()))
    return false;
  const auto *Alias = L.getType()->getAs<TypedefType>();
  const TypedefNameDecl *D = Alias ? Alias->getDecl() : nullptr;
  const SourceManager &SM = Context.getSourceManager();
  if (!D || D->getLocation().isInvalid() ||
      SM.isInSystemHeader(D->getLocation()))
    return true;
  auto [It, New] = Typedefs.insert({D, false});
  if (New)
    It->second = isFixed(D->getLocation()) &&
                 typedefsOf(D->getName(), SM) == 1 &&
                 isFixed(D->getTypeSourceInfo()->getTypeLoc());
  return It->second;
}

namespace {

/// What the types of a function's expressions follow from.
class Types : public DynamicRecursiveASTVisitor {
  FixedText &Text;

public:
  explicit Types(FixedText &Text) : Text(Text) {}

  bool VisitTypedefTypeLoc(TypedefTypeLoc L) override {
    return Text.isFixed(L);
  }
  bool VisitBuiltinTypeLoc(BuiltinTypeLoc L) override {
    return Text.isFixed(L);
  }
  bool VisitMemberExpr(MemberExpr *M) override {
    return isDeclared(dyn_cast<FieldDecl>(M->getMemberDecl()));
  }
  bool VisitDeclRefExpr(DeclRefExpr *R) override {
    if (const auto *F = dyn_cast<FunctionDecl>(R->getDecl())) {
      // Which one of OpenCL's it is follows from its arguments.
      FunctionTypeLoc L = F->getFunctionTypeLoc();
      return Text.isFixed(R->getLocation()) &&
             (!L || Text.isFixed(L.getReturnLoc()));
    }
    const auto *V = dyn_cast<VarDecl>(R->getDecl());
    return !V || !V->hasGlobalStorage() || isDeclared(V);
  }

private:
  bool isDeclared(const DeclaratorDecl *D) {
    return !D || Text.isFixed(D->getTypeSourceInfo()->getTypeLoc());
  }
};

class Operators : public DynamicRecursiveASTVisitor {
public:
  bool FromMacro = false;
  bool VisitBinaryOperator(BinaryOperator *B) override {
    FromMacro |= B->getOperatorLoc().isMacroID();
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) override {
    FromMacro |= U->getOperatorLoc().isMacroID();
    return true;
  }
};

} // namespace

bool FixedText::hasFixedTypes(const FunctionDecl &F) {
  return Types(*this).TraverseDecl(const_cast<FunctionDecl *>(&F));
}

bool macrosAreFixed(const Expr *E, const ASTContext &Context) {
  std::optional<StringRef> Words = text(E->getSourceRange(), Context);
  return Words && FixedText(Context).others(*Words).empty();
}

bool operatorsAreFixed(const Expr *E, const ASTContext &Context) {
  Operators O;
  O.TraverseStmt(const_cast<Expr *>(E));
  return !O.FromMacro || macrosAreFixed(E, Context);
}

bool hasFixedType(const DeclaratorDecl &D, const ASTContext &Context) {
  const TypeSourceInfo *T = D.getTypeSourceInfo();
  return T && FixedText(Context).isFixed(T->getTypeLoc());
}

} // namespace clrewrite::rewrite
