// The macros of the code must be numbers or have one definition, those of the
// declarations that it uses be numbers or stable, and no #if choose one of
// these.
#include "rewrite/text/CodeVariation.h"
#include "frontend/RawTokens.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/text/Directives.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// The directive that ends the arm of an #if in which \p Declared stands,
/// before
/// \p Use: another build may declare it otherwise. Invalid where none does, and
/// where it stands in another file.
SourceRange armEndBetween(SourceLocation Declared, SourceLocation Use,
                          const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const FileID Main = SM.getMainFileID();
  auto [File, From] = SM.getDecomposedExpansionLoc(Declared);
  auto [UseFile, To] = SM.getDecomposedExpansionLoc(Use);
  if (File != Main || UseFile != Main || From >= To)
    return {};
  int Open = 0;
  StringRef Between = SM.getBufferData(Main).slice(From, To);
  for (StringRef Line : drop_begin(split(Between, '\n'))) {
    std::optional<StringRef> D = directive(Line);
    if (!D)
      continue;
    // One whose word stands in the next line may be any.
    bool IsCut = D->empty() || D->starts_with("\\");
    if (IsCut || (!Open && (D->starts_with("el") || armsOpenedBy(*D) < 0)))
      return directiveOn(Line, Context);
    Open += armsOpenedBy(*D);
  }
  return {};
}

/// The text of \p Range in whichever file it stands.
StringRef textAnywhere(SourceRange Range, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  auto [File, From] = SM.getDecomposedLoc(SM.getExpansionLoc(Range.getBegin()));
  auto [Last, To] = SM.getDecomposedLoc(SM.getExpansionLoc(Range.getEnd()));
  return File == Last && From <= To ? SM.getBufferData(File).slice(From, To + 1)
                                    : "";
}

/// The words of \p Text outside of comments and strings.
std::vector<StringRef> wordsOfCode(StringRef Text) {
  std::vector<StringRef> Out;
  frontend::eachRawToken(Text, [&](tok::TokenKind, size_t At, StringRef Word) {
    if (!Word.empty() && (isAlpha(Word.front()) || Word.front() == '_'))
      Out.push_back(Text.substr(At, Word.size()));
  });
  return Out;
}

/// Looks for what a loop names that may be declared otherwise in another build:
/// fields, enumerators and functions that a directive stands in, or that an arm
/// of an #if holds.
class ChosenSearch : public DynamicRecursiveASTVisitor {
public:
  ChosenSearch(SourceLocation Use, MacroStability &Macros,
               const ASTContext &Context)
      : Use(Use), Macros(Macros), Context(Context) {}
  SourceRange Found;

  bool VisitMemberExpr(MemberExpr *M) override {
    const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
    return !F || look(F->getParent());
  }
  bool VisitDeclRefExpr(DeclRefExpr *D) override {
    if (const auto *E = dyn_cast<EnumConstantDecl>(D->getDecl()))
      return look(cast<EnumDecl>(E->getDeclContext()));
    const auto *F = dyn_cast<FunctionDecl>(D->getDecl());
    const FunctionDecl *Body = nullptr;
    if (!F || !F->hasBody(Body) || !Seen.insert(Body).second)
      return true;
    if (!look(Body))
      return false;
    for (StringRef Word :
         wordsOfCode(textAnywhere(Body->getSourceRange(), Context)))
      if (Macros.isMacroElsewhere(Word) ||
          (!Macros.unstableIn(Word).empty() && !Macros.isNumber(Word)))
        return found(Body);
    return TraverseStmt(Body->getBody());
  }

private:
  SourceLocation Use;
  MacroStability &Macros;
  const ASTContext &Context;
  SmallPtrSet<const FunctionDecl *, 8> Seen;

  /// What \p D declares may be something else; named by its place here.
  bool found(const Decl *D) {
    const SourceManager &SM = Context.getSourceManager();
    Found = SM.isInMainFile(D->getLocation()) ? SourceRange(D->getLocation())
                                              : SourceRange(Use);
    return false;
  }
  bool look(const Decl *D) {
    if (Context.getSourceManager().isInSystemHeader(D->getLocation()))
      return true;
    if (Context.getSourceManager().isInMainFile(D->getBeginLoc())) {
      Found = variationIn(D->getSourceRange(), Context);
      if (Found.isInvalid())
        Found = armEndBetween(D->getBeginLoc(), Use, Context);
      const bool IsBehind =
          Context.getSourceManager().isBeforeInTranslationUnit(
              Use, D->getBeginLoc());
      return Found.isInvalid() &&
             (!IsBehind || !isInArm(D->getBeginLoc(), Context) || found(D));
    }
    for (StringRef Line :
         split(textAnywhere(D->getSourceRange(), Context), '\n'))
      if (directive(Line))
        return found(D);
    return !isInArm(D->getLocation(), Context) || found(D);
  }
};

/// No operator of \p Text that binds more tightly than a comparison stands
/// beside the macro \p Word there.
bool standsAlone(StringRef Word, StringRef Text) {
  auto binds = [](StringRef Token) {
    return Token.find_first_of("+-*/%~!&|^.") != StringRef::npos ||
           Token == "<<" || Token == ">>";
  };
  bool Alone = true, Follows = false;
  StringRef Before;
  frontend::eachRawToken(Text, [&](tok::TokenKind, size_t At, StringRef Token) {
    bool Here = At == size_t(Word.data() - Text.data());
    Alone &= !(Here && binds(Before)) && !(Follows && binds(Token));
    Follows = Here;
    Before = Token;
  });
  return Alone;
}

/// Another build's definition of the number \p Word, in \p Text, is an operand
/// where this one's is: it may be a sum.
bool staysWhole(StringRef Word, StringRef Text, MacroStability &Macros) {
  return Macros.isStable(Word) || Macros.isOperand(Word) ||
         standsAlone(Word, Text);
}

/// The first macro by which \p Text may mean something else in another build:
/// one that is not \p Same there, unless all macros in it are numbers. Another
/// one might paste a number to a name, or put it beside an operator.
std::optional<StringRef> varyingMacro(StringRef Text, MacroStability &Macros,
                                      const ASTContext &Context,
                                      function_ref<bool(StringRef)> Same) {
  std::vector<StringRef> Words = wordsOfCode(Text);
  erase_if(Words,
           [&](StringRef Word) { return macrosIn(Word, Context).empty(); });
  bool AllNumbers =
      all_of(Words, [&](StringRef Word) { return Macros.isNumber(Word); });
  for (StringRef Word : Words)
    if (!Same(Word) && !(AllNumbers && staysWhole(Word, Text, Macros)))
      return Word;
  return std::nullopt;
}

/// Gathers where this build sees a name, whatever it names.
class PlacesOfName : public DynamicRecursiveASTVisitor {
public:
  PlacesOfName(StringRef Name, const SourceManager &SM) : Name(Name), SM(SM) {}
  std::set<unsigned> Found; ///< offsets in the file

  bool VisitNamedDecl(NamedDecl *D) override {
    return add(D, D->getLocation());
  }
  bool VisitDeclRefExpr(DeclRefExpr *D) override {
    return add(D->getDecl(), D->getLocation());
  }
  bool VisitMemberExpr(MemberExpr *M) override {
    return add(M->getMemberDecl(), M->getMemberLoc());
  }

private:
  StringRef Name;
  const SourceManager &SM;
  bool add(const NamedDecl *D, SourceLocation At) {
    if (D->getIdentifier() && D->getName() == Name)
      Found.insert(SM.getFileOffset(SM.getFileLoc(At)));
    return true;
  }
};

/// The first place in \p F where another build may take the address of \p V, or
/// change it, where it is a pointer: its name there is no use of it in this
/// build, and stands beside an assignment or a &, or is given to a macro.
/// Invalid where there is none.
SourceRange unseenChange(const VarDecl *V, const FunctionDecl &F,
                         const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  StringRef Text = text(F.getBody()->getSourceRange(), Context).value_or("");
  const unsigned Begin = SM.getFileOffset(F.getBody()->getBeginLoc());
  PlacesOfName Seen(V->getName(), SM);
  Seen.TraverseStmt(F.getBody());
  auto changes = [](StringRef Token) {
    return Token == "++" || Token == "--" ||
           (Token.ends_with("=") && Token != "==" && Token != "!=" &&
            Token != "<=" && Token != ">=");
  };
  std::vector<StringRef> Tokens;
  frontend::eachRawToken(Text, [&](tok::TokenKind, size_t At, StringRef Token) {
    Tokens.push_back(Text.substr(At, Token.size()));
  });
  // Which value a number has elsewhere is of no matter to the code here.
  const bool IsPointer = V->getType()->isPointerType();
  std::vector<StringRef> Calls; ///< what stands before each open parenthesis
  for (size_t I = 0; I < Tokens.size(); ++I) {
    if (Tokens[I] == "(")
      Calls.push_back(I ? Tokens[I - 1] : "");
    if (Tokens[I] == ")" && !Calls.empty())
      Calls.pop_back();
    if (Tokens[I] != V->getName() ||
        Seen.Found.count(Begin + unsigned(Tokens[I].data() - Text.data())))
      continue;
    StringRef Before = I ? Tokens[I - 1] : "",
              Behind = I + 1 < Tokens.size() ? Tokens[I + 1] : "";
    bool IsGiven = any_of(Calls, [&](StringRef Call) {
      return !macrosIn(Call, Context).empty();
    });
    if (Before == "&" || (IsPointer && (IsGiven || changes(Behind) ||
                                        Before == "++" || Before == "--")))
      return locationOf(Tokens[I], Context);
  }
  return {};
}

/// The word of \p F that \p Type ends with, without what is no name; all of \p
/// Else where none does.
SourceRange namedIn(const FunctionDecl &F, StringRef Type, SourceRange Else,
                    const ASTContext &Context) {
  StringRef Text = text(F.getSourceRange(), Context).value_or("");
  const std::vector<StringRef> Names = wordsIn(Type);
  for (StringRef Word : wordsIn(Text))
    if (!Names.empty() && Word == Names.back())
      return locationOf(Word, Context);
  return Else;
}

} // namespace

SourceRange variationOf(ArrayRef<const Stmt *> Code, SourceRange Whole,
                        const FunctionDecl &F, MacroStability &Macros,
                        ASTContext &Context) {
  auto textOf = [&](SourceRange Range) {
    return text(Range, Context).value_or("");
  };
  auto varying = [&](SourceRange Range, function_ref<bool(StringRef)> Same) {
    return varyingMacro(textOf(Range), Macros, Context, Same);
  };
  if (auto Word = varying(Whole, [&](StringRef Macro) {
        return Macros.isFixed(Macro) ||
               (Macros.isStable(Macro) && Macros.isNumber(Macro));
      }))
    return locationOf(*Word, Context);
  for (StringRef Word : wordsOfCode(textOf(Whole)))
    if (Macros.isMacroElsewhere(Word))
      return locationOf(Word, Context);
  std::vector<SourceRange> Declared;
  SourceRange Parameters = F.getParametersSourceRange(),
              Chosen = variationIn(Parameters, Context);
  if (Parameters.isValid() && Chosen.isValid())
    return Chosen;
  auto look = [&](const VarDecl *V) {
    Declared.push_back(V->getSourceRange());
    const bool IsWithin = !Context.getSourceManager().isBeforeInTranslationUnit(
        V->getLocation(), Whole.getBegin());
    if (Chosen.isInvalid() && V->isLocalVarDeclOrParm() && !IsWithin)
      Chosen = unseenChange(V, F, Context);
    if (Chosen.isInvalid())
      Chosen = !Context.getSourceManager().isInMainFile(V->getBeginLoc()) &&
                       isInArm(V->getBeginLoc(), Context)
                   ? SourceRange(Whole.getBegin())
                   : armEndBetween(V->getBeginLoc(), Whole.getBegin(), Context);
    return false;
  };
  ChosenSearch Others(Whole.getBegin(), Macros, Context);
  for (const Stmt *S : Code) {
    mentionsAny(S, look);
    if (Others.Found.isInvalid())
      Others.TraverseStmt(const_cast<Stmt *>(S));
  }
  if (Chosen.isValid())
    return Chosen;
  if (Others.Found.isValid())
    return Others.Found;
  for (SourceRange Range : Declared)
    for (StringRef Word : wordsOfCode(textOf(Range)))
      if (Macros.isMacroElsewhere(Word))
        return locationOf(Word, Context);
  for (SourceRange Range : Declared)
    if (auto Word = varying(
            Range, [&](StringRef Macro) { return Macros.isStable(Macro); }))
      return locationOf(*Word, Context);
  for (const Stmt *S : Code)
    if (std::string Type = Macros.unstableTypeIn(S); !Type.empty())
      return namedIn(F, Type, Whole.getBegin(), Context);
  return {};
}

} // namespace clrewrite::rewrite
