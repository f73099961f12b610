// Which indices of a block are a few steps away from each other.
//
//   in[(z * ny + y) * nx + x - 1] + in[((z - 1) * ny + y) * nx + x]
//
// Each index is a sum of products (Polynomial.h), and the difference of two of
// them says what leads from one to the other: here 1 - ny * nx. Compilers do
// not see it, since they leave (z - 1) * ny alone.
//
// Any index may be the one to start from. Those that a short step leads to from
// it make a group, and the number of different products before and after says
// what the group saves. The best group is taken, and the rest asked again: a
// block that works on two planes gets two groups. That takes the square of the
// number of different indices, which is small.
#include "SharedIndex.h"
#include "rewrite/text/Text.h"
#include "clang/AST/ParentMapContext.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// A block with more indices to compute is no stencil, and would take long.
constexpr size_t MostIndices = 256;
/// A longer step saves little; a constant comes on top, since loads add one.
constexpr size_t MostTerms = 2, MostFactors = 2;

bool isShort(const Polynomial &Step, const ASTContext &Context) {
  size_t Terms =
      count_if(Step, [](const Monomial &M) { return !M.Leaves.empty(); });
  return Terms <= MostTerms && all_of(Step, [&](const Monomial &M) {
           return M.Leaves.size() <= MostFactors &&
                  none_of(M.Leaves, [&](const Expr *Leaf) {
                    return holdsProduct(Leaf, Context);
                  });
         });
}

/// \p E is evaluated whenever the statement \p S is.
bool isAlwaysEvaluated(const Expr *E, const Stmt *S, ASTContext &Context) {
  DynTypedNode Node = DynTypedNode::create(*E);
  while (Node.get<Stmt>() != S) {
    const Stmt *Here = Node.get<Stmt>();
    DynTypedNodeList Parents = Context.getParents(Node);
    if (Parents.empty())
      return false;
    Node = Parents[0];
    if (const auto *C = Node.get<AbstractConditionalOperator>();
        C && C->getCond() != Here)
      return false;
    if (const auto *B = Node.get<BinaryOperator>();
        B && B->isLogicalOp() && B->getLHS() != Here)
      return false;
    const auto *Around = Node.get<Stmt>();
    if (isa_and_nonnull<StmtExpr, GenericSelectionExpr, ChooseExpr>(Around) ||
        (Around && !isa<Expr, DeclStmt, ReturnStmt>(Around)))
      return false;
  }
  return true;
}

/// After \p S comes the next statement. Not so sure of loops.
bool goesOn(const Stmt *S) {
  if (!S || isa<NullStmt>(S))
    return true;
  if (const auto *D = dyn_cast<DeclStmt>(S))
    return all_of(D->decls(), [](const Decl *Each) {
      const auto *V = dyn_cast<VarDecl>(Each);
      return !V || goesOn(V->getInit());
    });
  if (const auto *If = dyn_cast<IfStmt>(S))
    return goesOn(If->getCond()) && goesOn(If->getThen()) &&
           goesOn(If->getElse());
  if (const auto *Body = dyn_cast<CompoundStmt>(S))
    return all_of(Body->body(), goesOn);
  return isa<Expr>(S) && !mayNotEnd(cast<Expr>(S));
}

/// Finds the groups.
class Grouping {
public:
  Grouping(const CompoundStmt &Body, const FunctionDecl &Function,
           ASTContext &Context, Asked Of)
      : Context(Context), Of(Of), Statements(Body.body_begin(), Body.size()),
        Indices(blockIndices(Body, Function, Context)) {
    for (const BlockIndex &I : Indices)
      if ((I.Holder || !I.Products.empty()) &&
          (Of < Asked::IsText || I.Holder || isReplaceable(I, Context)))
        Left.push_back(&I);
  }

  std::vector<IndexGroup> run() {
    std::vector<IndexGroup> Out;
    if (Left.size() > MostIndices)
      return Out;
    while (true) {
      Draft Best;
      for (const BlockIndex *I : Left)
        if (Draft D = from(*I); D.isBetterThan(Best))
          Best = std::move(D);
      if (Best.Saved <= 0)
        return Out;
      erase_if(Left, [&](const BlockIndex *I) {
        return is_contained(Best.Taken, I);
      });
      if (!isOfOneWithin(Best.Taken))
        Out.push_back(std::move(Best.Group));
    }
  }

private:
  struct Draft {
    IndexGroup Group;
    SmallVector<const BlockIndex *> Taken;
    int Saved = 0;    ///< products
    size_t Terms = 0; ///< of all steps

    bool isBetterThan(const Draft &D) const {
      return Saved != D.Saved ? Saved > D.Saved : Saved && Terms < D.Terms;
    }
  };

  ASTContext &Context;
  const Asked Of;
  const ArrayRef<Stmt *> Statements;
  const std::vector<BlockIndex> Indices;
  std::vector<const BlockIndex *> Left; ///< those that no group has yet

  /// A block within the block has the group to itself.
  static bool isOfOneWithin(ArrayRef<const BlockIndex *> Taken) {
    return Taken[0]->Inner && all_of(Taken, [&](const BlockIndex *I) {
             return I->Inner == Taken[0]->Inner;
           });
  }

  /// The step from \p Base to \p I; none where they are no neighbours.
  std::optional<Polynomial> step(const BlockIndex &Base,
                                 const BlockIndex &I) const {
    Polynomial Step = I.Value;
    if (!(I.Type == Base.Type) || I.Child < Base.Ready ||
        !addTo(Step, Base.Value, -1, Context) || !isShort(Step, Context) ||
        (Of >= Asked::IsText && !isWritable(Step, Context)) ||
        (Of >= Asked::IsExact && !cannotOverflow(Step, I.Type, Context)))
      return std::nullopt;
    return Step;
  }

  /// The group that starts from \p Base.
  Draft from(const BlockIndex &Base) const {
    Draft D;
    D.Group.Base = Base.Index;
    D.Group.Holder = Base.Holder;
    SmallVector<unsigned> Before;
    SmallVector<SmallVector<const Expr *, 4>> After;
    for (const BlockIndex *I : Left) {
      std::optional<Polynomial> Step;
      if (I->Products.empty() || !(Step = step(Base, *I)))
        continue;
      for (unsigned P : I->Products)
        if (!is_contained(Before, P))
          Before.push_back(P);
      for (const Monomial &M : *Step) {
        SmallVector<const Expr *, 4> Product;
        copy_if(M.Leaves, std::back_inserter(Product),
                [&](const Expr *L) { return !isConstant(L, Context); });
        sort(Product);
        if (Product.size() > 1 && !is_contained(After, Product))
          After.push_back(Product);
      }
      D.Terms += Step->size();
      D.Taken.push_back(I);
      D.Group.Members.push_back({I->Index, std::move(*Step)});
    }
    bool Holds = Base.Holder || is_contained(D.Taken, &Base);
    if (!Holds)
      return Draft();
    D.Saved = int(Before.size()) - int(After.size()) -
              int(Base.Holder ? 0 : Base.Products.size());
    if (D.Saved <= 0)
      return Draft();
    unsigned First = D.Taken[0]->Child;
    D.Group.First = Statements[First];
    bool Fits =
        (Of < Asked::IsText || D.Group.First->getBeginLoc().isFileID()) &&
        (Of < Asked::IsInPlace || isInPlace(D)) &&
        (Of < Asked::IsDefined || isDefined(Base, First));
    return Fits ? D : Draft();
  }

  /// What is compiled with the first index of the group is with the last one,
  /// and a declaration before it comes between no pragma and its loop. (For
  /// Clang, a loop starts with the pragmas that it knows.)
  bool isInPlace(const Draft &D) const {
    SourceLocation Begin = D.Group.First->getBeginLoc();
    if (standsBehindPragma(Begin, Context))
      return false;
    std::optional<StringRef> Between =
        text({Begin, D.Taken.back()->Index->getEndLoc()}, Context);
    SmallVector<StringRef> Lines;
    Between.value_or("#").split(Lines, '\n');
    return all_of(Lines, [](StringRef Line) {
      return !Line.ltrim().starts_with("#") || isPragma(Line);
    });
  }

  static bool isPragma(StringRef Line) {
    Line = Line.ltrim();
    return Line.consume_front("#") && Line.ltrim().starts_with("pragma");
  }

  /// The program computes \p Base whenever it comes to statement \p First, or
  /// computing it is never undefined.
  bool isDefined(const BlockIndex &Base, unsigned First) const {
    if (Base.Holder || !mayBeUndefined(Base.Index, Context))
      return true;
    for (unsigned I = First; I < Base.Child; ++I)
      if (!goesOn(Statements[I]))
        return false;
    return isAlwaysEvaluated(Base.Index, Statements[Base.Child], Context);
  }
};

} // namespace

std::vector<IndexGroup> sharedIndices(const CompoundStmt &Block,
                                      const FunctionDecl &Function,
                                      ASTContext &Context, Asked Of) {
  return Grouping(Block, Function, Context, Of).run();
}

} // namespace clrewrite::rewrite
