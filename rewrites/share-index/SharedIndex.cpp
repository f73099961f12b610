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
#include "rewrite/ast/MacroStability.h"
#include "rewrite/text/Text.h"
#include "clang/AST/ParentMapContext.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::share_index {
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
      if (I->Products.empty())
        continue;
      std::optional<Polynomial> Step = step(Base, *I);
      if (!Step)
        continue;
      for (unsigned P : I->Products)
        if (!is_contained(Before, P))
          Before.push_back(P);
      for (const Monomial &M : *Step) {
        SmallVector<const Expr *, 4> Product;
        copy_if(M.Leaves, std::back_inserter(Product),
                [&](const Expr *L) { return !constant(L, Context); });
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

  /// The same directives apply to the first index of the group and to the last,
  /// and a declaration before it comes between no pragma and its loop. (For
  /// Clang, a loop starts with the pragmas that it knows.)
  bool isInPlace(const Draft &D) const {
    SourceLocation Begin = D.Group.First->getBeginLoc();
    if (standsBehindPragma(Begin, Context))
      return false;
    return holdsPragmasOnly(
        text({Begin, D.Taken.back()->Index->getEndLoc()}, Context)
            .value_or("#"));
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

// The text of an index that is written as another one and a step. In size_t,
// ulong and uint sums wrap, so that `at + step` is the index for all values,
// whatever its parts are. In int and long they must not overflow. There, one
// number or one int is added in the type itself: both sides and the sum are
// values of the program. All else is computed in long, which holds the product
// of two ints and a few terms more.

/// \p M is a number, or one value, as it is or negated.
static bool isSimple(const Monomial &M) {
  return M.Leaves.empty() || (M.Leaves.size() == 1 && std::abs(M.Factor) == 1);
}

bool cannotOverflow(const Polynomial &Step, IntType Type,
                    const ASTContext &Context) {
  if (!Type.Signed || Step.empty() || (Step.size() == 1 && isSimple(Step[0])))
    return true;
  // Only a first index that is an int leaves room for a second sum.
  if (Type.Bits == 64 && Step.size() > 1)
    return false;
  double Most = 0x1p31;
  for (const Monomial &M : Step) {
    for (const Expr *Leaf : M.Leaves) {
      std::optional<IntType> I = intType(Leaf->getType(), Context);
      if (!I || !Range::of(*I).within(Range::of(IntType())))
        return false;
    }
    Most += std::ldexp(std::abs(double(M.Factor)), 31 * int(M.Leaves.size()));
  }
  return Most < 0x1p63;
}

/// The name, or the text as an operand; none where it belongs to a macro's
/// body. A name in the body of a macro means the same outside of it.
static std::optional<std::string> leafText(const Expr *Leaf,
                                           const ASTContext &Context) {
  Leaf = Leaf->IgnoreParenImpCasts();
  if (const auto *D = dyn_cast<DeclRefExpr>(Leaf)) {
    const IdentifierInfo *Name = D->getDecl()->getIdentifier();
    if (Name && !Name->hadMacroDefinition())
      return Name->getName().str();
  }
  if (!isCopyable(Leaf->getSourceRange(), Context))
    return std::nullopt;
  return spelledOperand(Leaf, Context);
}

bool isWritable(const Polynomial &Step, const ASTContext &Context) {
  return all_of(Step, [&](const Monomial &M) {
    return all_of(M.Leaves, [&](const Expr *L) {
      return leafText(L, Context).has_value();
    });
  });
}

bool isReplaceable(const BlockIndex &Index, const ASTContext &Context) {
  SourceRange Range = Index.Index->getSourceRange();
  const auto *Operator = dyn_cast<BinaryOperator>(Index.Index);
  if ((Operator && Operator->isCommaOp()) ||
      Index.Subscript->getRBracketLoc().isMacroID() ||
      !isCopyable(Range, Context) ||
      !commentsIn(Range, {}, "", Context).empty())
    return false;
  return !isMacro(indexType(Index.Index, Context), Context);
}

std::string indexType(const Expr *Base, const ASTContext &Context) {
  IntType Type = *intType(Base->getType(), Context);
  QualType T = Base->getType();
  while (const auto *Typedef = T->getAs<TypedefType>()) {
    if (Typedef->getDecl()->getName() == "size_t")
      return "size_t"; // which has 32 bits on some GPUs
    T = Typedef->desugar();
  }
  return Type.Bits == 64 ? Type.Signed ? "long" : "ulong"
         : Type.Signed   ? "int"
                         : "uint";
}

/// The text of \p M without its sign. Its product is computed in \p Type.
static std::string productText(const Monomial &M, IntType Type,
                               StringRef TypeName, const ASTContext &Context) {
  if (M.Leaves.empty())
    return std::to_string(std::abs(M.Factor));
  auto hasType = [&](const Expr *L) {
    return intType(L->IgnoreParenImpCasts()->getType(), Context) == Type;
  };
  SmallVector<const Expr *, 4> Leaves(M.Leaves);
  // A factor that has the type comes first, so that the product has it too.
  if (auto *First = find_if(Leaves, hasType); First != Leaves.end())
    std::rotate(Leaves.begin(), First, First + 1);
  std::string Out;
  for (const Expr *L : Leaves)
    Out += (Out.empty() ? "" : " * ") + *leafText(L, Context);
  if (!isSimple(M) && !hasType(Leaves[0]))
    Out = ("(" + TypeName + ")" + Out).str();
  return std::abs(M.Factor) == 1
             ? Out
             : std::to_string(std::abs(M.Factor)) + " * " + Out;
}

std::string steppedText(StringRef At, const Polynomial &Step, const Expr *Base,
                        const ASTContext &Context) {
  IntType Type = *intType(Base->getType(), Context);
  std::string TypeName = indexType(Base, Context), Out = At.str();
  if (Type.Signed && !(Step.size() == 1 && isSimple(Step[0]))) {
    if (Step.size() > 1 && Type.Bits < 64)
      Out = "(long)" + Out;
    Type.Bits = 64;
    TypeName = "long";
  }
  auto longer = [](const Monomial &A, const Monomial &B) {
    return A.Leaves.size() > B.Leaves.size();
  };
  // Constants last, where loads add them.
  std::multiset<Monomial, decltype(longer)> Sorted(Step.begin(), Step.end(),
                                                   longer);
  for (const Monomial &M : Sorted)
    Out += (M.Factor < 0 ? " - " : " + ") +
           productText(M, Type, TypeName, Context);
  return Out;
}

} // namespace clrewrite::rewrite::share_index
