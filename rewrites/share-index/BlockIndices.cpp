// Which indices a block has, and what they are made of.
//
// An index is worth something elsewhere only if its parts are: variables that
// nothing in the block changes, whose names mean nothing else in the function,
// and calls without effects that read no memory. A variable that is an index as
// a whole stands for its initialiser, so that `int c = y * w + x;` is known to
// be one row from `(y + 1) * w + x`; within a sum it is a part like others.
#include "BlockIndices.h"
#include "rewrite/ast/Invariance.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/text/Text.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::share_index {
namespace {

/// Larger numbers are looked at as expressions.
constexpr int64_t MostNumber = int64_t(1) << 24;

/// The products in an expression, but for those with a constant, which cost
/// little.
std::vector<const BinaryOperator *> productsIn(const Expr *E,
                                               const ASTContext &Context) {
  return allIn<BinaryOperator>(E, [&](const BinaryOperator *B) {
    return B->getOpcode() == BO_Mul && !constant(B->getLHS(), Context) &&
           !constant(B->getRHS(), Context);
  });
}

/// Knows one block: what does not change in it, and which indices it has.
class Finder : public DynamicRecursiveASTVisitor {
public:
  Finder(const CompoundStmt &Body, const FunctionDecl &Function,
         ASTContext &Context)
      : Body(Body), Function(Function), Context(Context),
        InBlock(&Body, Function, Context),
        ChangingAnywhere(assignedIn(Function.getBody())) {
    for (const NamedDecl *D : allIn<NamedDecl>(&Function))
      if (D->getIdentifier())
        ++Names[D->getName()];
    for (const Stmt *S : Body.body()) {
      if (const auto *D = dyn_cast<DeclStmt>(S))
        for (const Decl *Each : D->decls())
          if (const auto *V = dyn_cast<VarDecl>(Each); V && V->getInit())
            Declarations[V->getCanonicalDecl()] = Child;
      TraverseStmt(const_cast<Stmt *>(S));
      ++Child;
    }
  }

  std::vector<BlockIndex> Found;

  bool TraverseCompoundStmt(CompoundStmt *S) override {
    const Stmt *Outside = Inner;
    if (!Inner)
      Inner = S;
    bool Go = DynamicRecursiveASTVisitor::TraverseCompoundStmt(S);
    Inner = Outside;
    return Go;
  }
  // What is not evaluated, or at another time.
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) override {
    return true;
  }
  bool TraverseBlockExpr(BlockExpr *) override { return true; }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *S) override {
    if (S->getBase()->getType()->isPointerType() && S->getLHS() == S->getBase())
      look(*S);
    return true;
  }

private:
  const CompoundStmt &Body;
  const FunctionDecl &Function;
  ASTContext &Context;
  Invariance InBlock;
  VariableSet ChangingAnywhere;
  StringMap<unsigned> Names; ///< how often the function declares each
  unsigned Child = 0;
  const Stmt *Inner = nullptr;
  DenseMap<const VarDecl *, unsigned> Declarations; ///< in which statement
  DenseMap<const VarDecl *, bool> Steady;
  std::vector<const Expr *> Leaves, Products;

  void look(const ArraySubscriptExpr &S) {
    // Lists have two forms in the AST.
    if (any_of(Found, [&](const BlockIndex &P) { return P.Subscript == &S; }))
      return;
    const Expr *Index = S.getIdx();
    BlockIndex P;
    P.Subscript = &S;
    P.Index = Index;
    P.Child = Child;
    P.Inner = Inner;
    std::optional<IntType> Type = intType(Index->getType(), Context);
    // Where size_t has 32 bits, it can't be told from uint.
    bool Narrow = Context.getTypeSize(Context.getSizeType()) == 32;
    if (!Type || (Type->Bits != 32 && Type->Bits != 64) ||
        (Narrow && !Type->Signed))
      return;
    P.Type = *Type;
    std::optional<Polynomial> Value = read(Index, *Type, P);
    if (!Value)
      return;
    if (const VarDecl *V = holder(Index))
      if (std::optional<Polynomial> Said = read(V->getInit(), *Type, P)) {
        P.Holder = V;
        Value = std::move(Said);
      }
    P.Value = std::move(*Value);
    for (const Expr *Each : productsIn(Index, Context))
      if (unsigned N = numberOf(Each); !is_contained(P.Products, N))
        P.Products.push_back(N);
    Found.push_back(std::move(P));
  }

  std::optional<Polynomial> read(const Expr *E, IntType Ring, BlockIndex &P) {
    return polynomial(
        E, {Context, Ring, [&](const Expr *N) { return number(N); },
            [&](const Expr *L) { return leaf(L, P); }, /*IntoCasts=*/true});
  }

  /// Only a number of the file itself, or what it hands to a macro: one of a
  /// macro's body may be another one with other options.
  std::optional<int64_t> number(const Expr *E) const {
    const auto *L = dyn_cast<IntegerLiteral>(E->IgnoreParenImpCasts());
    if (!L || L->getValue().ugt(MostNumber))
      return std::nullopt;
    const SourceManager &SM = Context.getSourceManager();
    SourceLocation At = L->getBeginLoc();
    while (SM.isMacroArgExpansion(At))
      At = SM.getImmediateSpellingLoc(At);
    return At.isFileID() ? std::optional(int64_t(L->getValue().getZExtValue()))
                         : std::nullopt;
  }

  std::optional<Polynomial> leaf(const Expr *E, BlockIndex &P) {
    const auto *Cast = dyn_cast<ImplicitCastExpr>(E);
    if (Cast && Cast->getCastKind() != CK_LValueToRValue)
      return std::nullopt; // its text would be converted otherwise
    if (!intType(E->getType(), Context) || !isPure(E) || readsMemory(E))
      return std::nullopt;
    // What is no variable may mean something else in the function.
    if (firstIn<DeclRefExpr>(E, [&](const DeclRefExpr *D) {
          const IdentifierInfo *Name = D->getDecl()->getIdentifier();
          return !isa<VarDecl>(D->getDecl()) && Name &&
                 Names.contains(Name->getName());
        }))
      return std::nullopt;
    bool Changes = mentionsAny(E, [&](const VarDecl *V) {
      if (auto It = Declarations.find(V); It != Declarations.end())
        P.Ready = std::max(P.Ready, It->second + 1);
      return !isSteady(V);
    });
    return Changes ? std::nullopt
                   : std::optional(Polynomial{Monomial{1, {known(E)}}});
  }

  /// The first expression like \p E, so that most are the same by address.
  const Expr *known(const Expr *E) {
    for (const Expr *Each : Leaves)
      if (sameExpression(Each, E, Context))
        return Each;
    Leaves.push_back(E);
    return E;
  }

  /// Has one value in all of the block from its declaration on, and its name no
  /// other meaning in the function.
  bool isSteady(const VarDecl *V) {
    auto [It, New] = Steady.try_emplace(V, false);
    if (!New)
      return It->second;
    bool Inside = !standsBefore(V->getLocation(), Body.getBeginLoc(), Context);
    bool Has = Inside ? Declarations.contains(V)
                      : isDefinitelyAssigned(V, &Body, Function, Context);
    return Steady[V] = Has && InBlock.keeps(V) && V->hasLocalStorage() &&
                       Names.lookup(V->getName()) == 1;
  }

  /// The variable that \p Index names, where that has the value that its
  /// initialiser would have in the block.
  const VarDecl *holder(const Expr *Index) {
    const VarDecl *V = namedVariable(Index);
    if (!V || isa<ParmVarDecl>(V) || !V->getInit() || !isSteady(V) ||
        !(intType(V->getType(), Context) == intType(Index->getType(), Context)))
      return nullptr;
    bool Inside = Declarations.contains(V->getCanonicalDecl());
    bool Kept = Inside || !mentionsAny(V->getInit(), [&](const VarDecl *Each) {
                  return ChangingAnywhere.contains(Each);
                });
    return Kept ? V->getCanonicalDecl() : nullptr;
  }

  /// The number that products like \p E have.
  unsigned numberOf(const Expr *E) {
    auto Same = find_if(Products, [&](const Expr *Each) {
      return sameExpression(Each, E, Context);
    });
    if (Same == Products.end())
      Same = Products.insert(Same, E);
    return unsigned(Same - Products.begin());
  }
};

} // namespace

bool holdsProduct(const Expr *E, const ASTContext &Context) {
  return !productsIn(E, Context).empty();
}

std::vector<BlockIndex> blockIndices(const CompoundStmt &Block,
                                     const FunctionDecl &Function,
                                     ASTContext &Context) {
  return std::move(Finder(Block, Function, Context).Found);
}

} // namespace clrewrite::rewrite::share_index
