// Indices in a loop as sums of products.
#include "rewrite/affine/MovedIndex.h"
#include "rewrite/affine/CountedLoop.h"
#include "rewrite/ast/Invariance.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

std::optional<SteppedHead> steppedHead(const ForStmt &Loop,
                                       const FunctionDecl &Function,
                                       const ASTContext &Context,
                                       bool FromMacros) {
  std::optional<CountedLoop> L = countedLoop(Loop);
  if (!L || !L->Declares || !L->Start || !Loop.getCond() ||
      !isWide(L->Variable->getType(), Context))
    return std::nullopt;
  const VarDecl *V = L->Variable;
  SteppedHead H;
  H.Variable = V;
  const Expr *Start = L->Start->IgnoreParenImpCasts();
  bool AsIs = Context.hasSameUnqualifiedType(Start->getType(), V->getType());
  if (std::optional<int64_t> N = numberIn(Start, FromMacros); N && *N)
    H.Start = {{*N, {}}};
  else if (!N && AsIs && isPure(Start) && !readsMemory(Start) &&
           !mentions(Start, V) &&
           (FromMacros || isPlainText(Start->getSourceRange(), Context)))
    H.Start = {{1, {Start}}};
  else if (!N)
    return std::nullopt;
  H.Step = L->step(FromMacros);
  return H.Step && L->keepsVariable(Function) ? std::optional(std::move(H))
                                              : std::nullopt;
}

namespace {

class Finder : public DynamicRecursiveASTVisitor {
public:
  Finder(const ForStmt &Loop, const SteppedHead &Head,
         const FunctionDecl &Function, ASTContext &Context, bool FromMacros)
      : Loop(Loop), Head(Head), Function(Function), Context(Context),
        FromMacros(FromMacros), InLoop(&Loop, Function, Context) {
    for (const NamedDecl *D : allIn<NamedDecl>(&Function))
      if (isa<VarDecl>(D))
        ++Variables[D->getName()];
      else if (D->getIdentifier())
        Others.insert(D->getName());
  }
  std::vector<MovedIndex> Found;

  bool VisitArraySubscriptExpr(ArraySubscriptExpr *S) override {
    const Expr *Base = S->getBase()->IgnoreParens();
    const auto *Cast = dyn_cast<ImplicitCastExpr>(Base);
    bool Array = Cast && Cast->getCastKind() == CK_ArrayToPointerDecay;
    if (!Array && Base->getType()->isPointerType() &&
        S->getLHS() == S->getBase())
      look(S->getIdx());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *B) override {
    if (B->getOpcode() != BO_Add || !B->getType()->isPointerType())
      return true;
    look(B->getLHS()->getType()->isPointerType() ? B->getRHS() : B->getLHS());
    return true;
  }

private:
  const ForStmt &Loop;
  const SteppedHead &Head;
  const FunctionDecl &Function;
  ASTContext &Context;
  const bool FromMacros;
  Invariance InLoop;
  StringMap<unsigned> Variables; ///< how often the function declares each name
  StringSet<> Others;            ///< names of anything else there

  bool mayBeWritten(const Expr *E) const {
    return FromMacros || isPlainText(E->getSourceRange(), Context);
  }

  void look(const Expr *Index) {
    // Lists have two forms in the AST.
    bool Known = any_of(Found, [&](const MovedIndex &Each) {
      return Each.Index->getBeginLoc() == Index->getBeginLoc();
    });
    if (Known || !mayBeWritten(Index) || !mentions(Index, Head.Variable))
      return;
    std::optional<Polynomial> P = read(Index);
    if (!P)
      return;
    MovedIndex M;
    M.Index = Index;
    for (Monomial &Each : *P)
      if (!sort(Each, M))
        return;
    bool Product =
        any_of(*P, [](const Monomial &Each) { return Each.Leaves.size() > 1; });
    if (Product && !M.Moving.empty())
      Found.push_back(std::move(M));
  }

  /// Puts \p Term where it belongs in \p M; false where it belongs nowhere.
  bool sort(const Monomial &Term, MovedIndex &M) const {
    Monomial Rest{Term.Factor, {}};
    for (const Expr *Leaf : Term.Leaves)
      if (!isName(Leaf, Head.Variable))
        Rest.Leaves.push_back(Leaf);
    size_t Degree = Term.Leaves.size() - Rest.Leaves.size();
    bool Steady =
        all_of(Rest.Leaves, [&](const Expr *L) { return isSteady(L); });
    if (Degree > 1 || (Degree == 1 && !Steady))
      return false;
    (Degree == 1 ? M.Moving : Steady ? M.Steady : M.Inner).push_back(Rest);
    return true;
  }

  /// The same value in every iteration, wherever in the function it stands
  /// before the loop's end.
  bool isSteady(const Expr *E) const {
    // A division by a number is never undefined.
    if (const auto *B = dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts());
        B && B->getOpcode() == BO_Div &&
        numberIn(B->getRHS(), FromMacros).value_or(0) > 0)
      return isSteady(B->getLHS());
    return InLoop.isInvariant(E) && !mayBeUndefined(E, Context) &&
           none_of(wordsIn(spelled(E, Context)),
                   [&](StringRef Word) { return Others.contains(Word); }) &&
           !mayDivideByZero(E, Context) &&
           !mentionsAny(E, [&](const VarDecl *V) {
             return Variables.lookup(V->getName()) != 1 ||
                    !isDefinitelyAssigned(V, &Loop, Function, Context);
           });
  }

  std::optional<Polynomial> read(const Expr *E) const {
    auto isLeaf = [&](const Expr *Leaf) {
      return mayBeWritten(Leaf) &&
             (isName(Leaf, Head.Variable) || !mentions(Leaf, Head.Variable));
    };
    return indexPolynomial(E, {Context, isLeaf, FromMacros});
  }
};

} // namespace

std::vector<MovedIndex> movedIndices(const ForStmt &Loop,
                                     const SteppedHead &Head,
                                     const FunctionDecl &Function,
                                     ASTContext &Context, bool FromMacros) {
  return searched(Finder(Loop, Head, Function, Context, FromMacros),
                  Loop.getBody())
      .Found;
}

} // namespace clrewrite::rewrite
