// The macros of the code must be numbers or have one definition, those of the
// declarations that it uses be numbers or stable, and no #if choose one of
// these.
#include "rewrite/text/CodeVariation.h"
#include "frontend/RawTokens.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/text/Directives.h"
#include "rewrite/text/OtherDeclarations.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <set>

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

SourceRange armEndBetween(SourceLocation Declared, SourceLocation Use,
                          const ASTContext &Context) {
  if (MacroStability::of(Context).isOnlyBuild())
    return {};
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

namespace {

/// What chooses between \p Declared, which is used at \p Use, and another
/// declaration: the directive that ends its arm of an #if before the use. Where
/// it stands behind its use, itself, and in a header, \p Use. Invalid where
/// nothing does.
SourceRange choiceOf(SourceLocation Declared, SourceLocation Use,
                     const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const bool IsInMain = SM.isInMainFile(Declared);
  if (IsInMain && SM.isBeforeInTranslationUnit(Declared, Use))
    return armEndBetween(Declared, Use, Context);
  return isInArm(Declared, Context) ? SourceRange(IsInMain ? Declared : Use)
                                    : SourceRange();
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
  std::vector<StringRef> Out = frontend::tokensOf(Text);
  erase_if(Out, [](StringRef Token) {
    return Token.empty() || !(isAlpha(Token.front()) || Token.front() == '_');
  });
  return Out;
}

/// Looks for what code names that may be declared otherwise in another build:
/// fields, enumerators and functions that a directive stands in, or that an arm
/// of an #if holds, and functions in whose bodies macros may be others.
class ChosenSearch : public DynamicRecursiveASTVisitor {
public:
  explicit ChosenSearch(const ASTContext &Context)
      : Context(Context), SM(Context.getSourceManager()) {}
  SourceRange Found;

  bool VisitMemberExpr(MemberExpr *M) override {
    const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
    comeTo(M->getMemberLoc());
    return !F || look(F->getParent());
  }
  bool VisitDeclRefExpr(DeclRefExpr *D) override {
    comeTo(D->getLocation());
    if (const auto *E = dyn_cast<EnumConstantDecl>(D->getDecl()))
      return look(cast<EnumDecl>(E->getDeclContext()));
    const auto *F = dyn_cast<FunctionDecl>(D->getDecl());
    const FunctionDecl *Body = nullptr;
    if (!F || !F->hasBody(Body) || !Seen.insert(Body).second)
      return true;
    if (!look(Body))
      return false;
    MacroStability &Macros = MacroStability::of(Context);
    for (StringRef Word :
         wordsOfCode(textAnywhere(Body->getSourceRange(), Context)))
      if (Macros.isMacroElsewhere(Word) ||
          (!Macros.unstableIn(Word).empty() && !Macros.isNumber(Word)))
        return found(Body->getLocation());
    SaveAndRestore Called(IsCalled, true);
    return TraverseStmt(Body->getBody());
  }

private:
  /// What is looked at in the code; in the body of a function the call there
  /// that leads to it.
  SourceLocation At;
  bool IsCalled = false; ///< in the body of a function
  const ASTContext &Context;
  const SourceManager &SM;
  SmallPtrSet<const FunctionDecl *, 8> Seen;

  void comeTo(SourceLocation Place) {
    if (!IsCalled)
      At = SM.getFileLoc(Place);
  }
  /// What is at \p Place may be something else; a header's is named at its use.
  bool found(SourceLocation Place) {
    Found = SM.isInMainFile(Place) ? Place : At;
    return false;
  }
  bool look(const Decl *D) {
    if (SM.isInSystemHeader(D->getLocation()))
      return true;
    if (mayHaveOtherSpecifiers(*D, Context))
      return found(D->getLocation());
    if (SM.isInMainFile(D->getBeginLoc()))
      Found = variationIn(D->getSourceRange(), Context);
    else if (any_of(split(textAnywhere(D->getSourceRange(), Context), '\n'),
                    [](StringRef Line) { return directive(Line).has_value(); }))
      return found(D->getLocation());
    if (Found.isInvalid())
      Found = choiceOf(D->getBeginLoc(), At, Context);
    return Found.isInvalid();
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
std::optional<StringRef> varyingMacro(StringRef Text, const ASTContext &Context,
                                      function_ref<bool(StringRef)> Same) {
  MacroStability &Macros = MacroStability::of(Context);
  std::vector<StringRef> Words = wordsOfCode(Text);
  erase_if(Words, [&](StringRef Word) { return !isMacro(Word, Context); });
  bool AllNumbers =
      all_of(Words, [&](StringRef Word) { return Macros.isNumber(Word); });
  for (StringRef Word : Words)
    if (!Same(Word) && !(AllNumbers && staysWhole(Word, Text, Macros)))
      return Word;
  return std::nullopt;
}

/// The first place in the body of \p F, whose tokens are \p Tokens, where
/// another build may take the address of \p V, or change it where it is a
/// pointer: its name there is no use of it in this build, and stands beside an
/// assignment or a &, or is given to a macro. Invalid where there is none.
SourceRange unseenChange(const VarDecl *V, const FunctionDecl &F,
                         ArrayRef<StringRef> Tokens,
                         const ASTContext &Context) {
  const SourceLocation Begin = F.getBody()->getBeginLoc();
  auto changes = [](StringRef Token) {
    return Token == "++" || Token == "--" ||
           (Token.ends_with("=") && Token != "==" && Token != "!=" &&
            Token != "<=" && Token != ">=");
  };
  // Which value a number has elsewhere is of no matter to the code here.
  const bool IsPointer = V->getType()->isPointerType();
  std::vector<StringRef> Calls; ///< what stands before each open parenthesis
  std::vector<SourceLocation> Places;
  for (size_t I = 0; I < Tokens.size(); ++I) {
    if (Tokens[I] == "(")
      Calls.push_back(I ? Tokens[I - 1] : "");
    if (Tokens[I] == ")" && !Calls.empty())
      Calls.pop_back();
    if (Tokens[I] != V->getName())
      continue;
    StringRef Before = I ? Tokens[I - 1] : "",
              Behind = I + 1 < Tokens.size() ? Tokens[I + 1] : "";
    auto isGiven = [&] {
      return any_of(Calls,
                    [&](StringRef Call) { return isMacro(Call, Context); });
    };
    if (Before == "&" || (IsPointer && (changes(Behind) || Before == "++" ||
                                        Before == "--" || isGiven())))
      Places.push_back(Begin.getLocWithOffset(
          int(Tokens[I].data() - Tokens.front().data())));
  }
  if (Places.empty())
    return {};
  const std::set<SourceLocation> Seen = seenPlaces(V, F.getBody());
  auto Unseen =
      find_if(Places, [&](SourceLocation At) { return !Seen.count(At); });
  return Unseen == Places.end() ? SourceRange() : *Unseen;
}

/// The word of \p F that \p Type ends with, without what is no name; all of \p
/// Else where none does.
SourceRange namedIn(const FunctionDecl &F, StringRef Type, SourceRange Else,
                    const ASTContext &Context) {
  StringRef Text = text(F.getSourceRange(), Context).value_or("");
  const std::vector<StringRef> Names = wordsIn(Type);
  for (StringRef Word : wordsOfCode(Text))
    if (!Names.empty() && Word == Names.back())
      return locationOf(Word, Context);
  return Else;
}

} // namespace

bool variesButForNumbers(SourceRange Range, const ASTContext &Context) {
  MacroStability &Macros = MacroStability::of(Context);
  if (Macros.isOnlyBuild())
    return false;
  return variationIn(Range, Context).isValid() ||
         any_of(Macros.unstableIn(text(Range, Context).value_or("")),
                [&](StringRef Word) { return !Macros.isNumber(Word); });
}

SourceRange variationOfParameter(const ParmVarDecl &P, SourceLocation Use,
                                 const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  MacroStability &Macros = MacroStability::of(Context);
  const StringRef Text = textAnywhere(P.getSourceRange(), Context);
  const bool IsStable =
      hasStableType(P, Context) && !mayHaveOtherSpecifiers(P, Context) &&
      none_of(split(Text, '\n'),
              [](StringRef Line) { return directive(Line).has_value(); }) &&
      none_of(wordsOfCode(Text), [&](StringRef Word) {
        return Macros.isMacroElsewhere(Word) ||
               !Macros.unstableIn(Word).empty();
      });
  return IsStable
             ? choiceOf(P.getBeginLoc(), Use, Context)
             : SourceRange(SM.isInMainFile(P.getLocation()) ? P.getLocation()
                                                            : Use);
}

SourceRange variationOf(ArrayRef<const Stmt *> Code, SourceRange Whole,
                        const FunctionDecl &F, ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  MacroStability &Macros = MacroStability::of(Context);
  if (Macros.isOnlyBuild())
    return {};
  auto textOf = [&](SourceRange Range) {
    return text(Range, Context).value_or("");
  };
  auto varying = [&](SourceRange Range, function_ref<bool(StringRef)> Same) {
    return varyingMacro(textOf(Range), Context, Same);
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
  SourceRange Chosen;
  const std::vector<StringRef> Tokens =
      frontend::tokensOf(textOf(F.getBody()->getSourceRange()));
  const OtherDeclarations &Others = OtherDeclarations::of(F);
  SmallPtrSet<const VarDecl *, 16> Looked;
  auto look = [&](const VarDecl *V) {
    if (!Looked.insert(V).second)
      return false;
    Declared.push_back(V->getSourceRange());
    // In the code itself everything is looked at.
    const bool IsBefore =
        SM.isBeforeInTranslationUnit(V->getLocation(), Whole.getBegin());
    if (Chosen.isInvalid() && IsBefore && SM.isInMainFile(V->getBeginLoc()))
      Chosen = variationIn(V->getSourceRange(), Context);
    if (Chosen.isInvalid() && mayHaveOtherSpecifiers(*V, Context))
      Chosen = V->getSourceRange();
    if (Chosen.isInvalid() && IsBefore)
      Chosen = Others.hiding(*V, Whole.getBegin());
    if (Chosen.isInvalid() && V->isLocalVarDeclOrParm() && IsBefore)
      Chosen = unseenChange(V, F, Tokens, Context);
    if (Chosen.isInvalid() && IsBefore)
      Chosen = choiceOf(V->getBeginLoc(), Whole.getBegin(), Context);
    return false;
  };
  ChosenSearch Named(Context);
  for (const Stmt *S : Code) {
    mentionsAny(S, look);
    for (const DeclRefExpr *Use : allIn<DeclRefExpr>(S))
      if (Chosen.isInvalid() && !isa<VarDecl>(Use->getDecl()))
        Chosen = Others.hiding(*Use->getDecl(), Whole.getBegin());
    if (Named.Found.isInvalid())
      Named.TraverseStmt(const_cast<Stmt *>(S));
  }
  if (Chosen.isValid())
    return Chosen;
  if (Named.Found.isValid())
    return Named.Found;
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
