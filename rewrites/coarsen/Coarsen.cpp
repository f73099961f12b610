// coarsen: a work-item does the work of several.
//
//     kernel void blur(global const float *in, global float *out, int w, int h)
//     {
//       int x = get_global_id(0), y = get_global_id(1);
//       BODY
//     }
//
// becomes, for two neighbours in dimension 1,
//
//     kernel void blur(global const float *in, global float *out, int w, int h)
//     {
//       void blur_item(global const float *in, global float *out, int w, int h,
//                      size_t id);
//       // Each work-item does the work of 2 in dimension 1.
//       __attribute__((opencl_unroll_hint(2)))
//       for (uint i = 0; i < 2; ++i)
//         blur_item(in, out, w, h, 2 * get_global_id(1) + i);
//     }
//     __attribute__((always_inline))
//     void blur_item(global const float *in, global float *out, int w, int h,
//                    size_t id) {
//       int x = get_global_id(0), y = id;
//       BODY
//     }
//
// and the host launches it with half of the global size in that dimension. The
// compiler inlines the calls: what neighbours load alike is loaded once, and
// what does not depend on the id is computed once. An early return ends one
// item's work. Work-items of one launch run in no order that a program may rely
// on, unless they wait for each other, so that one may also do the work of
// several one after the other; kernels in which they do wait are declined.
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/ast/PointsTo.h"
#include "rewrite/ast/WorkItemUse.h"
#include "rewrite/text/BodyFunction.h"
#include "rewrite/text/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// How many work-items' work may become that of one.
constexpr unsigned Factors[] = {2, 4, 8};

/// The kernel calls the work of one item in a loop already, as this rewrite
/// leaves it.
bool isCoarsened(const FunctionDecl &F) {
  const auto *Body = dyn_cast_or_null<CompoundStmt>(F.getBody());
  const auto *Head = Body && !Body->body_empty()
                         ? dyn_cast<DeclStmt>(Body->body_front())
                         : nullptr;
  return Head && Head->isSingleDecl() &&
         isa<FunctionDecl>(Head->getSingleDecl()) &&
         isa<ForStmt, AttributedStmt>(Body->body_back());
}

bool isKernelWithParameters(const FunctionDecl &F, ASTContext &Context) {
  return isKernelDefinition(F, Context) && F.getNumParams() && !isCoarsened(F);
}

bool isLaunched(const Site &S) {
  return !S.Launches.empty() && S.once<workItemUse>().asksForId();
}

bool declaresOnlyPrivate(const Site &S) {
  return none_of(S.Function.decls(), [](const Decl *D) {
    const auto *V = dyn_cast<VarDecl>(D);
    return V && V->getType().getAddressSpace() == LangAS::opencl_constant;
  });
}

/// \p E is the id in dimension \p D, or a variable that always holds it.
bool isId(const Expr *E, unsigned D, const Site &S) {
  E = E->IgnoreParens();
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return Cast->getType()->isIntegerType() &&
           S.Context.getTypeSize(Cast->getType()) >= 32 &&
           isId(Cast->getSubExpr(), D, S);
  if (const auto *Name = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(Name->getDecl());
    return V && V->hasInit() && !V->getType().isVolatileQualified() &&
           !changesOf(V, S.Function).Any && isId(V->getInit(), D, S);
  }
  return any_of(S.once<workItemUse>().Calls, [&](const auto &Each) {
    return Each.Expression == E && Each.Dimension == D && !Each.Size;
  });
}

/// The argument that \p E, a part of a guard joined by \p Joins, compares the
/// id in dimension \p D with: `id >= n` where it fails, `id < n` where it
/// holds. Null where no part does.
const ParmVarDecl *bound(const Expr *E, BinaryOperatorKind Joins, unsigned D,
                         const Site &S) {
  const auto *B = dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts());
  if (!B)
    return nullptr;
  if (B->getOpcode() == Joins) {
    const ParmVarDecl *Left = bound(B->getLHS(), Joins, D, S);
    return Left ? Left : bound(B->getRHS(), Joins, D, S);
  }
  BinaryOperatorKind Wanted = Joins == BO_LOr ? BO_GE : BO_LT;
  const Expr *Id = B->getLHS(), *Limit = B->getRHS();
  BinaryOperatorKind Found = B->getOpcode();
  if (BinaryOperator::isRelationalOp(Found) && !isId(Id, D, S)) {
    std::swap(Id, Limit);
    Found = BinaryOperator::reverseComparisonOp(Found);
  }
  const auto *P = dyn_cast_or_null<ParmVarDecl>(namedVariable(Limit));
  return Found == Wanted && isId(Id, D, S) && P &&
                 P->getType()->isIntegerType() && !changesOf(P, S.Function).Any
             ? P
             : nullptr;
}

/// The argument below which the id in dimension \p D must be for the kernel to
/// do anything, as its first statement that does something asks; null where
/// there is none.
const ParmVarDecl *guardOf(unsigned D, const Site &S) {
  const auto *Body = cast<CompoundStmt>(S.Function.getBody());
  for (const Stmt *Each : Body->body()) {
    if (const auto *Declares = dyn_cast<DeclStmt>(Each)) {
      if (all_of(Declares->decls(), [](const Decl *One) {
            const auto *V = dyn_cast<VarDecl>(One);
            return V && (!V->hasInit() ||
                         (isPure(V->getInit()) && !readsMemory(V->getInit())));
          }))
        continue;
      return nullptr;
    }
    const auto *If = dyn_cast<IfStmt>(Each);
    if (!If || If->getElse())
      return nullptr;
    const Stmt *Then = If->getThen();
    if (const auto *Block = dyn_cast<CompoundStmt>(Then);
        Block && Block->size() == 1)
      Then = Block->body_front();
    if (isa<ReturnStmt>(Then))
      return bound(If->getCond(), BO_LOr, D, S);
    return Each == Body->body_back() ? bound(If->getCond(), BO_LAnd, D, S)
                                     : nullptr;
  }
  return nullptr;
}

/// Work-items that an alternative gives to one.
struct Share {
  unsigned Dimension, Factor;
  /// They are a new global size apart, not neighbours.
  bool Apart;
};

launch::LaunchChange launchFor(const Share &Of, const Site &S,
                               std::string &Note) {
  launch::LaunchChange Out;
  Out.Factors.assign(Of.Dimension + 1, 1);
  Out.Factors.back() = Of.Factor;
  bool AsksForSize = any_of(S.once<workItemUse>().Calls, [&](const auto &Each) {
    return Each.Size && Each.Dimension == Of.Dimension;
  });
  const ParmVarDecl *Bound = AsksForSize ? nullptr : guardOf(Of.Dimension, S);
  Out.RoundUp = Bound;
  Note = Out.sentence(S.Function.getName());
  if (Bound)
    Note += "; " + Bound->getNameAsString() +
            " must not be above the global size that it had";
  return Out;
}

Alternative with(const Share &Of, const Site &S) {
  std::string F = utostr(Of.Factor), D = utostr(Of.Dimension);
  FreshNames Names(S.Context);
  std::string Id = Names.named("id"), I = Names.named("i");
  BodyFunction Item(S, "_item");
  Item.add("size_t " + Id);
  std::string Own = "get_global_id(" + D + ")";
  std::vector<std::string> Arguments = Item.arguments();
  Arguments.push_back(Of.Apart
                          ? Own + " + " + I + " * get_global_size(" + D + ")"
                          : F + " * " + Own + " + " + I);
  Alternative A;
  A.Label = "dimension-" + D + "-by-" + F + (Of.Apart ? "-apart" : "");
  A.Class = Safety::Contract;
  A.Launch = launchFor(Of, S, A.Note);
  A.Changes.push_back(Item.edit(
      "", "  // Each work-item does the work of " + F + " in dimension " + D +
              ".\n  __attribute__((opencl_unroll_hint(" + F +
              ")))\n  for (uint " + I + " = 0; " + I + " < " + F + "; ++" + I +
              ")\n    " + Item.call(Arguments) + "\n"));
  for (const WorkItemUse::Call &Each : S.once<workItemUse>().Calls)
    if (Each.Dimension == Of.Dimension)
      A.Changes.push_back(replacement(
          Each.Expression->getSourceRange(),
          Each.Size ? "(" + F + " * get_global_size(" + D + "))" : Id,
          S.Context));
  return A;
}

/// Rows before columns, since neighbours in a row let the lanes of a wave load
/// from places that lie apart.
std::vector<Alternative> alternatives(const Site &S) {
  std::set<unsigned, std::greater<>> Dimensions;
  for (const WorkItemUse::Call &Each : S.once<workItemUse>().Calls)
    if (!Each.Size)
      Dimensions.insert(Each.Dimension);
  std::vector<Alternative> Out;
  for (unsigned D : Dimensions)
    for (bool Apart : {true, false})
      for (unsigned F : Factors)
        if (D == 0 || !Apart)
          Out.push_back(with({D, F, Apart}, S));
  return Out;
}

} // namespace

const Rewrite &rewriteCoarsen() {
  static const Rewrite R{
      "coarsen",
      "give the work of several work-items to one",
      Safety::Contract,
      sitesOf<FunctionDecl, isKernelWithParameters>,
      {HeadIsCopyable,
       ParametersHaveNames,
       AsksForNoGroup,
       WorksAlone,
       UsesNoLocalMemory,
       {"a function that it calls asks for ids or sizes (get_global_id, "
        "get_global_size), or is not defined here",
        [](const Site &S) {
          const WorkItemUse &Use = S.once<workItemUse>();
          return !Use.Elsewhere && !Use.Unknown;
        }},
       {"the dimension of a get_global_id or get_global_size is computed",
        [](const Site &S) { return !S.once<workItemUse>().Computed; }},
       {"a get_global_id or get_global_size comes from a macro",
        [](const Site &S) {
          return all_of(S.once<workItemUse>().Calls, [&](const auto &Each) {
            return isPlainText(Each.Expression->getSourceRange(), S.Context);
          });
        }},
       {"it declares a constant array, which a kernel alone may do",
        declaresOnlyPrivate},
       {"the kernel is called by other code or declared more than once",
        [](const Site &S) { return isOnlyForHost(S.Function, S.Context); }}},
      alternatives,
      /*Phase=*/1,
      /*AmdOnly=*/false,
      /*Separable=*/false,
      isLaunched};
  return R;
}

} // namespace clrewrite::rewrite
