// Finding sums of loaded variables, whether the loads can wait until the sum,
// and taking their declarations away.
#include "LoadedAhead.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Lanes.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/AST/ParentMapContext.h"
#include "llvm/ADT/MapVector.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::roll_terms {
namespace {

bool adds(const BinaryOperator *B) {
  return B->isAdditiveOp() || B->getOpcode() == BO_And ||
         B->getOpcode() == BO_Or || B->getOpcode() == BO_Xor;
}

/// The variable that \p E names, if it holds a load.
const VarDecl *loadedVariable(const Expr *E, LoadTest IsLoad,
                              ASTContext &Context) {
  const VarDecl *V = namedVariable(E);
  if (!V || isa<ParmVarDecl>(V) || !V->hasLocalStorage() || !isPrivate(V) ||
      V->getType().isVolatileQualified() || !V->getInit() ||
      !containsLoad(V->getInit(), IsLoad) || !declarationOf(V, Context))
    return nullptr;
  // Without a conversion in between, on either side.
  QualType Type = V->getType();
  return Context.hasSameUnqualifiedType(E->getType(), Type) &&
                 Context.hasSameUnqualifiedType(
                     V->getInit()->IgnoreImpCasts()->getType(), Type)
             ? V
             : nullptr;
}

/// \p S declares a name that a load, moved after it, would mean instead of
/// what it means now.
bool hides(const Stmt *S, const LoadedSum &L, const ASTContext &Context) {
  const auto *D = dyn_cast<DeclStmt>(S);
  return D && any_of(D->decls(), [&](const Decl *Each) {
           const auto *Named = dyn_cast<NamedDecl>(Each);
           return Named && any_of(L.Variables, [&](const VarDecl *V) {
                    const Expr *Load = V->getInit();
                    const auto *Own = dyn_cast<VarDecl>(Named);
                    bool Says = is_contained(
                        wordsIn(
                            text(Load->getSourceRange(), Context).value_or("")),
                        Named->getName());
                    bool Names = mentionsAny(Load, [&](const VarDecl *Used) {
                      return Used->getDeclName() == Named->getDeclName();
                    });
                    return (Says || Names) && !(Own && mentions(Load, Own));
                  });
         });
}

/// Running \p S may change what the loads give.
bool disturbs(const Stmt *S, const LoadedSum &L, const FunctionDecl &Function) {
  auto mayChange = [&](const Expr *Target) {
    const VarDecl *V = privateRoot(Target, Function);
    return !V || any_of(L.Variables, [&](const VarDecl *Each) {
      return mentions(Each->getInit(), V);
    });
  };
  return firstIn<Stmt>(S, [&](const Stmt *Each) {
    if (const auto *B = dyn_cast<BinaryOperator>(Each))
      return B->isAssignmentOp() && mayChange(B->getLHS());
    if (const auto *U = dyn_cast<UnaryOperator>(Each))
      return U->isIncrementDecrementOp() && mayChange(U->getSubExpr());
    if (const auto *Call = dyn_cast<CallExpr>(Each))
      return !isPure(Call);
    return isa<AsmStmt, LabelStmt, SwitchCase, StmtExpr, AtomicExpr>(Each);
  });
}

/// Takes the declarators of \p Gone out of \p D, which has others of the same
/// type, or all of it.
std::optional<Edit> shortened(const DeclStmt *D, ArrayRef<const VarDecl *> Gone,
                              const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceRange Whole = wholeStatement(D, Context);
  if (Whole.isInvalid() || !isPlainText(Whole, Context))
    return std::nullopt;
  std::vector<SourceRange> Kept;
  std::string Names;
  for (const Decl *Each : D->decls()) {
    const auto *V = dyn_cast<VarDecl>(Each);
    if (!V || V->getType()->isPointerType() || V->getType()->isArrayType() ||
        V->getLocation().isMacroID() ||
        !isPlainText({V->getLocation(), V->getEndLoc()}, Context))
      return std::nullopt;
    SourceRange Own(V->getLocation(), V->getEndLoc());
    if (is_contained(Gone, V)) {
      Kept.push_back(V->getInit()->getSourceRange());
      continue;
    }
    Kept.push_back(Own);
    Names +=
        (Names.empty() ? "" : ", ") + text(Own, Context).value_or("").str();
  }
  std::string Indent = indentation(D->getBeginLoc(), Context);
  std::string Comments = commentsIn(Whole, Kept, Indent, Context);
  Edit Out = replacement(Whole, "", Context);
  if (!Names.empty()) {
    const auto *First = cast<VarDecl>(*D->decl_begin());
    StringRef All = fileText(Context);
    Out.Text =
        Comments +
        All.slice(Out.Offset, SM.getFileOffset(First->getLocation())).str() +
        Names + ";";
    return Out;
  }
  // With its line, where nothing else stands there.
  StringRef All = fileText(Context);
  size_t Begin = All.rfind('\n', Out.Offset) + 1;
  size_t End = All.find('\n', Out.end());
  bool Last =
      End != StringRef::npos && All.slice(Out.end(), End).trim(" \t\r").empty();
  if (!Comments.empty()) {
    Out.Text = Last ? StringRef(Comments).rtrim().str() : Comments;
    return Out;
  }
  if (Last && All.slice(Begin, Out.Offset).trim(" \t").empty())
    return Edit{unsigned(Begin), unsigned(End + 1 - Begin), ""};
  Out.Length += All.drop_front(Out.end())
                    .take_while([](char C) { return C == ' ' || C == '\t'; })
                    .size();
  return Out;
}

} // namespace

std::optional<LoadedSum> loadedSum(const BinaryOperator &Root, LoadTest IsLoad,
                                   ASTContext &Context) {
  LoadedSum L;
  auto take = [&](const Expr *Term) {
    const VarDecl *V = loadedVariable(Term, IsLoad, Context);
    if (!V || !Context.hasSameUnqualifiedType(V->getType(), Root.getType()))
      return false;
    L.Variables.push_back(V->getCanonicalDecl());
    L.Declarations.push_back(declarationOf(V, Context));
    return true;
  };
  const Expr *At = &Root;
  while (const auto *B = dyn_cast<BinaryOperator>(At->IgnoreParens())) {
    if (!adds(B) || !take(B->getRHS()))
      return std::nullopt;
    L.Values.Steps.push_back({B->getOpcode(), L.Variables.back()->getInit()});
    At = B->getLHS();
  }
  if (L.Values.Steps.size() < 2 || !take(At))
    return std::nullopt;
  L.Values.First = L.Variables.back()->getInit();
  std::reverse(L.Values.Steps.begin(), L.Values.Steps.end());

  DynTypedNode Up = DynTypedNode::create(Root);
  const Expr *Here = &Root;
  do {
    DynTypedNodeList Parents = Context.getParents(Up);
    if (Parents.empty())
      return std::nullopt;
    if (const auto *E = Up.get<Expr>())
      Here = E;
    Up = Parents[0];
  } while (Up.get<ParenExpr>());
  if (const auto *B = Up.get<BinaryOperator>();
      B && adds(B) && B->getLHS() == Here &&
      loadedVariable(B->getRHS(), IsLoad, Context))
    return std::nullopt; // B continues the sum.
  return L;
}

const VarDecl *usedElsewhere(const LoadedSum &L, const FunctionDecl &Function) {
  auto It = find_if(L.Variables, [&](const VarDecl *V) {
    return namesOf(V, Function.getBody()).size() != 1;
  });
  return It == L.Variables.end() ? nullptr : *It;
}

bool mayWait(const LoadedSum &L, const Stmt *Statement,
             const FunctionDecl &Function, ASTContext &Context) {
  DynTypedNodeList Parents = Context.getParents(*Statement);
  const auto *Block =
      Parents.empty() ? nullptr : Parents[0].get<CompoundStmt>();
  if (!Block)
    return false;
  size_t Found = 0;
  const Stmt *First = nullptr;
  for (const Stmt *S : Block->body()) {
    if (S == Statement)
      return Found == L.Declarations.size() &&
             variationIn({First->getBeginLoc(), S->getEndLoc()}, Context)
                 .isInvalid() &&
             all_of(L.Variables, [&](const VarDecl *V) {
               return unseenName(V).isInvalid();
             });
    Found += llvm::count(L.Declarations, S);
    if (Found && !First)
      First = S;
    if (Found && (disturbs(S, L, Function) || hides(S, L, Context)))
      return false;
  }
  return false;
}

std::optional<Edits> withoutDeclarations(const LoadedSum &L,
                                         const ASTContext &Context) {
  MapVector<const DeclStmt *, std::vector<const VarDecl *>> Gone;
  for (size_t I = 0; I < L.Variables.size(); ++I)
    Gone[L.Declarations[I]].push_back(L.Variables[I]);
  Edits Out;
  for (const auto &[Declaration, Variables] : Gone) {
    std::optional<Edit> E = shortened(Declaration, Variables, Context);
    if (!E)
      return std::nullopt;
    Out.push_back(std::move(*E));
  }
  return Out;
}

} // namespace clrewrite::rewrite::roll_terms
