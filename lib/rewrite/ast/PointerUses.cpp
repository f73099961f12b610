// A use of a pointer is found by walking up from its name to the expression or
// statement that decides.
#include "rewrite/ast/PointerUses.h"
#include "frontend/RawTokens.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/text/Directives.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ParentMapContext.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

class Uses : public DynamicRecursiveASTVisitor {
public:
  explicit Uses(const ValueDecl *D) : D(D->getCanonicalDecl()) {}
  std::vector<const DeclRefExpr *> Found;
  bool VisitDeclRefExpr(DeclRefExpr *R) override {
    if (R->getDecl()->getCanonicalDecl() == D)
      Found.push_back(R);
    return true;
  }

private:
  const Decl *D;
};

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
  Uses U(V);
  U.TraverseStmt(const_cast<Stmt *>(S));
  return std::move(U.Found);
}

namespace {

/// Looks for what this build sees of a name: whatever is declared or named so.
class NamePlaces : public DynamicRecursiveASTVisitor {
public:
  explicit NamePlaces(const VarDecl *V) : V(V) {}
  std::set<SourceLocation> Found;
  bool VisitNamedDecl(NamedDecl *D) override {
    return note(D, D->getLocation());
  }
  bool VisitDeclRefExpr(DeclRefExpr *R) override {
    return note(R->getDecl(), R->getLocation());
  }
  bool VisitLabelStmt(LabelStmt *L) override {
    return note(L->getDecl(), L->getIdentLoc());
  }
  bool VisitGotoStmt(GotoStmt *G) override {
    return note(G->getLabel(), G->getLabelLoc());
  }
  bool VisitMemberExpr(MemberExpr *M) override {
    return note(M->getMemberLoc());
  }
  bool VisitExtVectorElementExpr(ExtVectorElementExpr *E) override {
    return note(E->getAccessorLoc());
  }

private:
  const VarDecl *V;
  bool note(const NamedDecl *D, SourceLocation At) {
    return D->getIdentifier() != V->getIdentifier() || note(At);
  }
  bool note(SourceLocation At) {
    const SourceManager &SM = V->getASTContext().getSourceManager();
    // An argument of a macro is spelled where it stands; the body of one stands
    // for its name.
    Found.insert(SM.getSpellingLoc(At));
    Found.insert(SM.getExpansionLoc(At));
    return true;
  }
};

/// Gives \p Do each word of \p Text that is no member's name.
void eachName(StringRef Text, function_ref<void(size_t, StringRef)> Do) {
  bool IsMember = false;
  frontend::eachRawToken(Text,
                         [&](tok::TokenKind Kind, size_t At, StringRef Word) {
                           if (Kind == tok::raw_identifier && !IsMember)
                             Do(At, Word);
                           IsMember = Kind == tok::period || Kind == tok::arrow;
                         });
}

/// The macros of which some definition, whether or not this build has it,
/// stands for code that has the name \p Name, by its own text or by another
/// such macro.
StringSet<> macrosThatName(StringRef Name, const ASTContext &Context) {
  struct Definition {
    std::string Macro;
    StringSet<> Names;
  };
  std::vector<Definition> All;
  for (StringRef Text : userTexts(Context.getSourceManager()))
    for (StringRef Line : Text.contains(Name)
                              ? directivesIn(Text, Context.getLangOpts())
                              : std::vector<std::string>()) {
      if (!Line.consume_front("define"))
        continue;
      Line = Line.ltrim();
      Definition D{Line.take_while(isInWord).str(), {}};
      Line = Line.drop_front(D.Macro.size());
      StringRef Parameters;
      if (Line.starts_with("("))
        std::tie(Parameters, Line) = Line.split(')');
      eachName(Line, [&](size_t, StringRef Word) { D.Names.insert(Word); });
      for (StringRef Each : wordsIn(Parameters))
        D.Names.erase(Each);
      All.push_back(std::move(D));
    }
  StringSet<> Out;
  for (size_t Known = ~size_t(0); Known != Out.size();) {
    Known = Out.size();
    for (const Definition &D : All)
      if (D.Names.contains(Name) || any_of(Out, [&](const auto &Other) {
            return D.Names.contains(Other.first());
          }))
        Out.insert(D.Macro);
  }
  return Out;
}

} // namespace

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
  const SourceLocation End =
      Scope ? SM.getExpansionLoc(Scope->getEndLoc()) : Own;
  if (!Scope || !SM.isInMainFile(Start) || !SM.isInMainFile(End))
    return Own;
  NamePlaces Places(V);
  Places.TraverseStmt(const_cast<Stmt *>(Scope));
  Places.Found.insert(Own);
  const StringSet<> Macros = macrosThatName(V->getName(), Context);
  SourceRange Found;
  eachName(SM.getBufferData(SM.getMainFileID())
               .slice(SM.getFileOffset(Start), SM.getFileOffset(End)),
           [&](size_t At, StringRef Word) {
             const SourceLocation Here = Start.getLocWithOffset(int(At));
             if ((Word == V->getName() || Macros.contains(Word)) &&
                 !Places.Found.count(Here) && Found.isInvalid())
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

bool isOnlyForHost(const Site &S) {
  for (const FunctionDecl *Each : S.Function.redecls())
    if (Each != &S.Function && !Each->isImplicit())
      return S.brokenBy(Each->getNameInfo().getSourceRange());
  for (const Decl *D : S.Context.getTranslationUnitDecl()->decls())
    if (const auto *Other = dyn_cast<FunctionDecl>(D);
        Other && Other->doesThisDeclarationHaveABody())
      if (auto Names = namesOf(&S.Function, Other->getBody()); !Names.empty())
        return S.brokenBy(Names.front());
  return true;
}

} // namespace clrewrite::rewrite
