// A loop is a store run where the stride of the index is one element.
//
// The index is read as a sum of products modulo 2^64 (Polynomial.h). In
//   out[(by + j) * pitch + bx + i]
// the product `i` has the factor 1, so that iterations over i store
// neighbours; the only product with j, `j * pitch`, is the distance of the
// rows; and the rest is invariant in both loops.
#include "StoreRun.h"
#include "rewrite/affine/CountedLoop.h"
#include "rewrite/affine/Polynomial.h"
#include "rewrite/ast/Invariance.h"
#include "rewrite/text/Text.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ParentMapContext.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::vectorise_stores {
namespace {

/// A row is no longer than a vector, and a block no more rows than that.
constexpr int64_t MostTrips = 16;

std::optional<TripCount> countOf(const ForStmt &Loop,
                                 const FunctionDecl &Function) {
  std::optional<CountedLoop> L = countedLoop(Loop);
  if (!L || !L->Declares || !L->Start || !L->VariableFirst ||
      !L->Variable->getType()->isIntegerType() ||
      L->step(/*FromMacros=*/false) != 1 ||
      (L->Comparison != BO_LT && L->Comparison != BO_LE &&
       L->Comparison != BO_NE))
    return std::nullopt;
  std::optional<int64_t> First = numberIn(L->Start, /*FromMacros=*/true),
                         End = numberIn(L->End, /*FromMacros=*/true);
  if (!First || !End)
    return std::nullopt;
  *End += L->isInclusive() ? 1 : 0;
  TripCount C{L->Variable, *First, *End - *First,
              numberIn(L->Start, false) && numberIn(L->End, false)};
  // Every integer type holds the values.
  return L->keepsVariable(Function) && C.Trips > 0 && *End <= 127
             ? std::optional(C)
             : std::nullopt;
}

/// What an index is a sum of.
struct IndexSum {
  bool MovesByOne = false; ///< with the columns' variable
  bool RestIsSteady = false;
  std::optional<RowStep> Step;
};

class Finder : public DynamicRecursiveASTVisitor {
public:
  Finder(const ForStmt &Loop, const TripCount &Column,
         const FunctionDecl &Function, ASTContext &Context)
      : Loop(Loop), Function(Function), Context(Context),
        InLoop(&Loop, Function, Context) {
    Found.Columns = &Loop;
    Found.Column = Column;
  }
  StoreRun Found;

  /// The first store that fits ends the search.
  bool VisitBinaryOperator(BinaryOperator *B) override {
    if (B->getOpcode() != BO_Assign)
      return true;
    const auto *Place =
        dyn_cast<ArraySubscriptExpr>(B->getLHS()->IgnoreParens());
    const auto *Pointer =
        Place ? dyn_cast<DeclRefExpr>(Place->getBase()->IgnoreParenImpCasts())
              : nullptr;
    if (!Pointer || !isElementOfOthers(*Place, *Pointer) ||
        !mentions(Place->getIdx(), Found.Column.Variable))
      return true;
    findRows(B);
    std::optional<IndexSum> Sum = sumOf(Place->getIdx());
    if (Sum && !Sum->MovesByOne)
      return true;
    Found.Store = B;
    Found.Place = Place;
    Found.Pointer = Pointer;
    Found.IsSum = Sum && Sum->RestIsSteady && InLoop.isInvariant(Pointer);
    if (Sum)
      Found.Step = Sum->Step;
    return false;
  }

private:
  const ForStmt &Loop;
  const FunctionDecl &Function;
  ASTContext &Context;
  Invariance InLoop;

  static bool isElementOfOthers(const ArraySubscriptExpr &Place,
                                const DeclRefExpr &Pointer) {
    LangAS Space = Place.getType().getAddressSpace();
    return Pointer.getType()->isPointerType() &&
           isa<VarDecl>(Pointer.getDecl()) &&
           Place.getType()->isArithmeticType() &&
           isa<BuiltinType>(Place.getType().getCanonicalType()) &&
           !Place.getType()->isBooleanType() &&
           (Space == LangAS::opencl_global || Space == LangAS::opencl_local);
  }

  /// Goes from the store up to the loop.
  void findRows(const Stmt *Store) {
    Found.Rows = nullptr;
    Found.Row = {};
    Found.RunsAlways = false;
    DynTypedNode Node = DynTypedNode::create(*Store);
    while (true) {
      DynTypedNodeList Parents = Context.getParents(Node);
      if (Parents.size() != 1)
        return;
      const Stmt *Here = Node.get<Stmt>();
      Node = Parents[0];
      if (Node.get<CompoundStmt>() || Node.get<AttributedStmt>())
        continue;
      const auto *For = Node.get<ForStmt>();
      if (!For || Here != For->getBody())
        return;
      if (For == &Loop)
        break;
      std::optional<TripCount> C = countOf(*For, Function);
      if (Found.Rows || !C || C->Trips > MostTrips)
        return;
      Found.Rows = For;
      Found.Row = *C;
    }
    Found.RunsAlways = true;
  }

  std::optional<IndexSum> sumOf(const Expr *Index) const {
    const VarDecl *I = Found.Column.Variable, *J = Found.Row.Variable;
    auto isLeaf = [&](const Expr *E) {
      return isName(E, I) || isName(E, J) ||
             (isCopyable(E->getSourceRange(), Context) && !mentions(E, I) &&
              !(J && mentions(E, J)));
    };
    std::optional<Polynomial> P = indexPolynomial(Index, {Context, isLeaf});
    if (!P)
      return std::nullopt;
    IndexSum Out;
    Out.RestIsSteady = true;
    unsigned OfColumns = 0, OfRows = 0;
    for (const Monomial &M : *P) {
      SmallVector<const Expr *, 4> Rest;
      copy_if(M.Leaves, std::back_inserter(Rest),
              [&](const Expr *E) { return !isName(E, I) && !isName(E, J); });
      auto has = [&](const VarDecl *V) {
        return any_of(M.Leaves, [&](const Expr *E) { return isName(E, V); });
      };
      Out.RestIsSteady &=
          all_of(Rest, [&](const Expr *E) { return InLoop.isInvariant(E); });
      if (has(I)) {
        ++OfColumns;
        Out.MovesByOne = M.Factor == 1 && M.Leaves.size() == 1;
      } else if (has(J)) {
        ++OfRows;
        if (Rest.size() <= 1 && M.Leaves.size() == Rest.size() + 1)
          Out.Step = RowStep{M.Factor, Rest.empty() ? nullptr : Rest[0]};
      }
    }
    Out.MovesByOne &= OfColumns == 1;
    if (OfRows != 1)
      Out.Step.reset();
    return Out;
  }
};

} // namespace

std::optional<StoreRun> storeRun(const ForStmt &Loop,
                                 const FunctionDecl &Function,
                                 ASTContext &Context) {
  std::optional<TripCount> C = countOf(Loop, Function);
  if (!C || C->Trips < 2 || C->Trips > MostTrips ||
      !isPowerOf2_64(uint64_t(C->Trips)))
    return std::nullopt;
  Finder F(Loop, *C, Function, Context);
  F.TraverseStmt(const_cast<Stmt *>(Loop.getBody()));
  return F.Found.Store ? std::optional(std::move(F.Found)) : std::nullopt;
}

} // namespace clrewrite::rewrite::vectorise_stores
