// A use of a pointer is found by walking up from its name to the expression or
// statement that decides.
#include "rewrite/ast/PointerUses.h"
#include "frontend/RawTokens.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/text/Directives.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/AST/ParentMapContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

auto isNameOf(const ValueDecl *D) {
  return [D](const DeclRefExpr *R) {
    return R->getDecl()->getCanonicalDecl() == D->getCanonicalDecl();
  };
}

bool changes(const Expr *E, const Expr *Operand) {
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return B->isAssignmentOp() && B->getLHS() == Operand;
  const auto *U = dyn_cast<UnaryOperator>(E);
  return U && U->isIncrementDecrementOp();
}

/// Whether the element is unevaluated, as in sizeof(p[i]).
bool isUnevaluated(const Expr *E, ASTContext &Context) {
  for (const Expr *Up = E; Up; Up = parentExpr(Up, Context))
    if (isa<UnaryExprOrTypeTraitExpr>(Up))
      return true;
  return false;
}

} // namespace

PointerUse pointerUse(const DeclRefExpr *Name, ASTContext &Context) {
  PointerUse A;
  const Expr *At = Name;
  const Expr *Up = outerExpr(At, Context);
  if (!Up || isUnevaluated(Name, Context))
    return A;
  if (changes(Up, At)) {
    const auto *B = dyn_cast<BinaryOperator>(Up);
    if ((!B || B->isCompoundAssignmentOp()) && isValueUnused(Up, Context))
      A.Kind = PointerUse::Move;
    A.Change = Up;
    return A;
  }
  if (!isa<ImplicitCastExpr>(Up))
    return A;
  At = Up; // The pointer's value.
  Up = outerExpr(At, Context);
  while (const auto *B = dyn_cast_or_null<BinaryOperator>(Up)) {
    if (!B->isAdditiveOp() || !B->getType()->isPointerType())
      return A;
    At = Up;
    Up = outerExpr(At, Context);
  }
  const auto *Deref = dyn_cast_or_null<UnaryOperator>(Up);
  const auto *Sub = dyn_cast_or_null<ArraySubscriptExpr>(Up);
  if (!(Deref && Deref->getOpcode() == UO_Deref) &&
      !(Sub && Sub->getBase() == At))
    return A;
  A.Element = At = Up;
  Up = outerExpr(At, Context);
  if (!Up)
    return A;
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Up);
      Cast && Cast->getCastKind() == CK_LValueToRValue) {
    A.Kind = PointerUse::Read;
    A.Load = Cast;
  } else if (changes(Up, At)) {
    const auto *B = dyn_cast<BinaryOperator>(Up);
    A.Kind = B && B->getOpcode() == BO_Assign ? PointerUse::Store
                                              : PointerUse::Update;
    A.Change = Up;
  }
  return A;
}

bool typeIsHidden(const PointerUse &A, ASTContext &Context) {
  const Expr *At = A.Load;
  const Expr *Up = outerExpr(At, Context);
  if (const auto *Sub = dyn_cast_or_null<ArraySubscriptExpr>(Up))
    return Sub->getIdx() == At;
  const auto *Cast = dyn_cast_or_null<CastExpr>(Up);
  if (!Cast || !Cast->getType()->isScalarType())
    return false;
  if (Cast->getCastKind() != CK_IntegralCast &&
      Cast->getCastKind() != CK_IntegralToFloating &&
      Cast->getCastKind() != CK_IntegralToBoolean)
    return false;
  if (isa<CStyleCastExpr>(Cast))
    return true;
  At = Cast;
  Up = outerExpr(At, Context);
  const auto *Splat = dyn_cast_or_null<CastExpr>(Up);
  return !(Splat && Splat->getType()->isVectorType()) &&
         !(Up && isa<CallExpr>(Up));
}

std::vector<const DeclRefExpr *> namesOf(const ValueDecl *V, const Stmt *S) {
  return allIn<DeclRefExpr>(S, isNameOf(V));
}

std::string spelledWith(const Expr *E, const VarDecl *V,
                        const std::string &With, const ASTContext &Context) {
  Edits Names;
  for (const DeclRefExpr *Each : namesOf(V, E))
    Names.push_back(replacement(Each->getSourceRange(), With, Context));
  return edited(text(E->getSourceRange(), Context).value_or(""), Names,
                Context);
}

namespace {

/// Gives \p Do each word of \p Text that is no member's name, with its place
/// and the kind of the token before it.
void eachName(StringRef Text,
              function_ref<void(tok::TokenKind, size_t, StringRef)> Do) {
  tok::TokenKind Before = tok::unknown;
  frontend::eachRawToken(Text,
                         [&](tok::TokenKind Kind, size_t At, StringRef Word) {
                           if (Kind == tok::raw_identifier &&
                               Before != tok::period && Before != tok::arrow)
                             Do(Before, At, Word);
                           Before = Kind;
                         });
}

/// \p Body pastes \p Name together, from a part that is none of \p Parameters.
bool pastes(StringRef Body, StringRef Name, ArrayRef<StringRef> Parameters) {
  while (Body.contains("##")) {
    auto [Left, Right] = Body.split("##");
    StringRef Begin = Left.rtrim(), End = Right.ltrim().take_while(isInWord);
    size_t Length = 0; // of the word at its end
    while (Length < Begin.size() && isInWord(Begin.drop_back(Length).back()))
      ++Length;
    Begin = Begin.take_back(Length);
    auto isPart = [&](StringRef Word) {
      return !Word.empty() && !is_contained(Parameters, Word);
    };
    if ((isPart(Begin) && Name.starts_with(Begin)) ||
        (isPart(End) && Name.ends_with(End)))
      return true;
    Body = Right;
  }
  return false;
}

/// The definitions of macros in all files of the program, whether or not this
/// build has them. They are found without a lexer, since this is asked for each
/// variable: one in a comment counts, too.
class MacroDefinitions {
public:
  explicit MacroDefinitions(const SourceManager &SM) {
    for (StringRef Text : userTexts(SM))
      add(Text);
    add(commandLine(SM));
  }

  /// \p Macro stands for code that has the name \p Name, by its own text or by
  /// that of another macro.
  bool mayName(StringRef Macro, StringRef Name) const {
    std::vector<StringRef> Left{Macro};
    StringSet<> Seen;
    bool Found = false;
    while (!Left.empty() && !Found) {
      auto Known = ByName.find(Left.back());
      Left.pop_back();
      if (Known == ByName.end() || !Seen.insert(Known->first).second)
        continue;
      for (StringRef Body : Known->second) {
        std::vector<StringRef> Parameters;
        if (Body.starts_with("(")) {
          Parameters = wordsIn(Body.split(')').first);
          Body = Body.split(')').second;
        }
        Found |= pastes(Body, Name, Parameters);
        eachName(Body, [&](tok::TokenKind, size_t, StringRef Word) {
          if (is_contained(Parameters, Word))
            return;
          Found |= Word == Name;
          if (auto Other = ByName.find(Word); Other != ByName.end())
            Left.push_back(Other->first);
        });
      }
    }
    return Found;
  }

private:
  DenseMap<StringRef, SmallVector<StringRef, 1>> ByName; ///< without the name

  void add(StringRef Text) {
    static constexpr llvm::StringLiteral Define = "define";
    for (size_t At = 0; (At = Text.find(Define, At)) != StringRef::npos;) {
      const StringRef Before = Text.take_front(At).rtrim(" \t");
      At += Define.size();
      if (!Before.ends_with("#") && !Before.ends_with("%:"))
        continue;
      size_t End = Text.find('\n', At);
      while (End != StringRef::npos &&
             Text.slice(At, End).rtrim('\r').ends_with("\\"))
        End = Text.find('\n', End + 1);
      const StringRef Line = Text.slice(At, End).ltrim(),
                      Macro = Line.take_while(isInWord);
      ByName[Macro].push_back(Line.drop_front(Macro.size()));
    }
  }
};

} // namespace

std::set<SourceLocation> seenPlaces(const NamedDecl *V, const Stmt *Scope) {
  std::set<SourceLocation> Out;
  auto note = [&](const IdentifierInfo *Name, SourceLocation At) {
    if (Name == V->getIdentifier())
      Out.insert(V->getASTContext().getSourceManager().getFileLoc(At));
  };
  for (const NamedDecl *D : allIn<NamedDecl>(Scope))
    note(D->getIdentifier(), D->getLocation());
  for (const Stmt *S : allIn<Stmt>(Scope))
    if (const auto *R = dyn_cast<DeclRefExpr>(S))
      note(R->getDecl()->getIdentifier(), R->getLocation());
    else if (const auto *L = dyn_cast<LabelStmt>(S))
      note(L->getDecl()->getIdentifier(), L->getIdentLoc());
    else if (const auto *G = dyn_cast<GotoStmt>(S))
      note(G->getLabel()->getIdentifier(), G->getLabelLoc());
    else if (const auto *M = dyn_cast<MemberExpr>(S))
      note(M->getMemberDecl()->getIdentifier(), M->getMemberLoc());
    else if (const auto *E = dyn_cast<ExtVectorElementExpr>(S))
      note(&E->getAccessor(), E->getAccessorLoc());
  return Out;
}

SourceRange unseenName(const VarDecl *V, const Stmt *Scope) {
  ASTContext &Context = V->getASTContext();
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Own = SM.getExpansionLoc(V->getLocation());
  SourceLocation Start = Own;
  if (Scope) {
    Start = SM.getExpansionLoc(Scope->getBeginLoc());
  } else {
    const DeclStmt *D = declarationOf(V, Context);
    DynTypedNodeList Parents =
        D ? Context.getParents(*D) : Context.getParents(*V);
    Scope = Parents.empty() ? nullptr : Parents[0].get<Stmt>();
  }
  SourceLocation End = Scope ? SM.getExpansionLoc(Scope->getEndLoc()) : Own;
  MacroStability &Stability = MacroStability::of(Context);
  // Where another build may close the block later, it is all of the function.
  const auto *F = dyn_cast<FunctionDecl>(V->getParentFunctionOrMethod());
  if (F && F->hasBody() && Start == Own &&
      (Scope->getEndLoc().isMacroID() || Stability.bracesVary({Own, End}))) {
    Scope = F->getBody();
    End = SM.getExpansionLoc(Scope->getEndLoc());
  }
  if (!Scope || !SM.isInMainFile(Start) || !SM.isInMainFile(End))
    return Own;
  std::set<SourceLocation> Seen = seenPlaces(V, Scope);
  Seen.insert(Own);
  const StringRef Text =
      fileText(Context).slice(SM.getFileOffset(Start), SM.getFileOffset(End));
  const std::string Code = withoutDirectives(Text, /*KeepPragmas=*/true);
  const MacroDefinitions Macros(SM);
  SourceRange Found;
  eachName(Text, [&](tok::TokenKind Before, size_t At, StringRef Word) {
    const SourceLocation Here = Start.getLocWithOffset(int(At));
    if (Found.isValid() || Seen.count(Here))
      return;
    auto isMacro = [&] {
      return StringRef(Code).substr(At).starts_with(Word) &&
             (Macros.mayName(Word, V->getName()) ||
              Stability.mayComeFromUnreadHeader(Word));
    };
    if (Word == V->getName() || (Before == tok::hash && Word == "include") ||
        isMacro())
      Found = Here;
  });
  return Found;
}

bool sameElement(QualType A, QualType B, const ASTContext &Context) {
  auto plain = [&](QualType T) {
    return Context.removeAddrSpaceQualType(T.getCanonicalType())
        .getUnqualifiedType();
  };
  return plain(A) == plain(B);
}

/// Some text calls \p F outside of its own, in whatever arm of an #if: its name
/// stands before a parenthesis, and behind no `void`, as where another arm
/// defines it.
static bool isCalledSomewhere(const FunctionDecl &F,
                              const ASTContext &Context) {
  StringRef Own = text(F.getSourceRange(), Context).value_or("");
  bool IsCalled = false;
  for (StringRef Text : userTexts(Context.getSourceManager())) {
    bool IsNamed = false, IsDefined = false;
    frontend::eachRawToken(
        Text, [&](tok::TokenKind Kind, size_t At, StringRef Word) {
          IsCalled |= IsNamed && Kind == tok::l_paren;
          const char *Here = Text.data() + At;
          IsNamed = Word == F.getName() && !IsDefined &&
                    (Here < Own.begin() || Here >= Own.end());
          IsDefined = Word == "void";
        });
  }
  return IsCalled;
}

bool isOnlyForHost(const Site &S) {
  for (const FunctionDecl *Each : S.Function.redecls())
    if (Each != &S.Function && !Each->isImplicit())
      return S.brokenBy(Each->getNameInfo().getSourceRange());
  if (const auto *Name = firstIn<DeclRefExpr>(
          S.Context.getTranslationUnitDecl(), isNameOf(&S.Function)))
    return S.brokenBy(Name);
  return !isCalledSomewhere(S.Function, S.Context);
}

} // namespace clrewrite::rewrite
