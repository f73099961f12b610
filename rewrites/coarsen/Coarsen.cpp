// coarsen: a work-item does the work of several.
//
//     kernel void blur(global const float *in, global float *out, int w, int h)
//     {
//       int x = get_global_id(0), y = get_global_id(1);
//       if (x >= w || y >= h)
//         return;
//       BODY
//     }
//
// becomes, for two neighbours in dimension 1,
//
//     kernel void blur(global const float *in, global float *out, int w, int h)
//     {
//       void blur_item(global const float *in, global float *out, int w, int h,
//                      size_t id_1, bool inside);
//       // Each work-item does the work of 2 in dimension 1.
//       if ((long)get_global_id(0) < w && (long)(2 * get_global_id(1) + 1) < h)
//         __attribute__((opencl_unroll_hint(2)))
//         for (uint item = 0; item < 2; ++item)
//           blur_item(in, out, w, h, 2 * get_global_id(1) + item, true);
//       else
//         __attribute__((opencl_unroll_hint(1)))
//         for (uint item = 0; item < 2; ++item)
//           blur_item(in, out, w, h, 2 * get_global_id(1) + item, false);
//     }
//     __attribute__((always_inline))
//     void blur_item(global const float *in, global float *out, int w, int h,
//                    size_t id_1, bool inside) {
//       int x = get_global_id(0), y = id_1;
//       if (!inside && (x >= w || y >= h))
//         return;
//       BODY
//     }
//
// and the host launches it with half of the global size in that dimension. The
// compiler inlines the calls: what neighbours load alike is loaded once, and
// what does not depend on the id is computed once. Compilers for GPUs share
// nothing between two bodies that stand behind a condition each, even where it
// is the same one, so that the kernel's guard is asked once for all items. An
// early return ends one item's work.
//
// Work-items of one launch run in no order that a program may rely on, unless
// they wait for each other, so that one may also do the work of several one
// after the other; kernels in which they do wait are declined.
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/ast/PointsTo.h"
#include "rewrite/ast/WorkItemUse.h"
#include "rewrite/text/BodyFunction.h"
#include "rewrite/text/FreshLocal.h"
#include "rewrite/text/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::coarsen {
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
  if (!Head || !Head->isSingleDecl() ||
      !isa<FunctionDecl>(Head->getSingleDecl()))
    return false;
  const auto *If = dyn_cast<IfStmt>(Body->body_back());
  return isa<AttributedStmt>(If ? If->getThen() : Body->body_back());
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

/// The kernel's first statement that does something leaves out the work-items
/// that find no data: `if (x >= w || y >= h) return;`, or `if (x < w && y < h)`
/// around all that follows.
struct Guard {
  const IfStmt *If = nullptr;
  bool Returns = false;
  /// An id must be below an argument.
  struct Limit {
    unsigned Dimension;
    const ParmVarDecl *Below;
  };
  std::vector<Limit> Limits;

  const ParmVarDecl *limit(unsigned Dimension) const {
    auto It = find_if(
        Limits, [&](const Limit &Each) { return Each.Dimension == Dimension; });
    return It == Limits.end() ? nullptr : It->Below;
  }
};

/// The dimension of which \p E is the id, perhaps by way of variables that
/// always hold it, in integers of \p Bits or more.
std::optional<unsigned> dimensionOf(const Expr *E, uint64_t Bits,
                                    const Site &S) {
  E = E->IgnoreParens();
  if (!E->getType()->isIntegerType() ||
      S.Context.getTypeSize(E->getType()) < Bits)
    return std::nullopt;
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return dimensionOf(Cast->getSubExpr(), Bits, S);
  if (const auto *Name = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(Name->getDecl());
    return V && V->hasInit() && !V->getType().isVolatileQualified() &&
                   !changesOf(V, S.Function).Any
               ? dimensionOf(V->getInit(), Bits, S)
               : std::nullopt;
  }
  for (const WorkItemUse::Call &Each : S.once<workItemUse>().Calls)
    if (Each.Expression == E && !Each.Size)
      return Each.Dimension;
  return std::nullopt;
}

/// Adds what \p E, a part of the condition of \p Into, asks; false where it is
/// anything but an id and an argument.
bool addLimits(const Expr *E, const Site &S, Guard &Into) {
  const auto *B = dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts());
  if (!B)
    return false;
  if (B->getOpcode() == (Into.Returns ? BO_LOr : BO_LAnd))
    return addLimits(B->getLHS(), S, Into) && addLimits(B->getRHS(), S, Into);
  if (!B->isRelationalOp())
    return false;
  BinaryOperatorKind Compares = B->getOpcode();
  const Expr *Id = B->getLHS(), *Below = B->getRHS();
  if (Compares == BO_GT || Compares == BO_LE) {
    Compares = BinaryOperator::reverseComparisonOp(Compares);
    std::swap(Id, Below);
  }
  const auto *P = dyn_cast_or_null<ParmVarDecl>(namedVariable(Below));
  // Where the argument has more bits than the id, this one might have wrapped.
  if (Compares != (Into.Returns ? BO_GE : BO_LT) || !P ||
      !P->getType()->isIntegerType() || changesOf(P, S.Function).Any)
    return false;
  std::optional<unsigned> D = dimensionOf(
      Id, std::max<uint64_t>(32, S.Context.getTypeSize(P->getType())), S);
  if (D)
    Into.Limits.push_back({*D, P});
  return D.has_value();
}

bool onlyDeclares(const Stmt *Each) {
  const auto *D = dyn_cast<DeclStmt>(Each);
  return D && all_of(D->decls(), [](const Decl *One) {
           const auto *V = dyn_cast<VarDecl>(One);
           return V && (!V->hasInit() ||
                        (isPure(V->getInit()) && !readsMemory(V->getInit())));
         });
}

std::optional<Guard> guardOf(const Site &S) {
  const auto *Body = cast<CompoundStmt>(S.Function.getBody());
  const auto *First = find_if_not(Body->body(), onlyDeclares);
  Guard Out;
  Out.If = First == Body->body_end() ? nullptr : dyn_cast<IfStmt>(*First);
  if (!Out.If || Out.If->getElse() || Out.If->hasVarStorage() ||
      !isPlainText({Out.If->getLParenLoc(), Out.If->getRParenLoc()}, S.Context))
    return std::nullopt;
  const Stmt *Then = Out.If->getThen();
  if (const auto *Block = dyn_cast<CompoundStmt>(Then);
      Block && Block->size() == 1)
    Then = Block->body_front();
  Out.Returns = isa<ReturnStmt>(Then);
  if (!Out.Returns && Out.If != Body->body_back())
    return std::nullopt;
  return addLimits(Out.If->getCond(), S, Out) ? std::optional(Out)
                                              : std::nullopt;
}

/// Writes one alternative: \p Factor work-items' work in \p Dimension becomes
/// that of one. They are neighbours, or, where \p Apart, a new global size
/// apart.
class Writer {
public:
  Writer(const Site &S, unsigned Dimension, unsigned Factor, bool Apart)
      : S(S), Use(S.once<workItemUse>()), TheGuard(S.once<guardOf>()),
        Dimension(Dimension), Factor(Factor), Apart(Apart), Names(S),
        F(utostr(Factor)), Own("get_global_id(" + utostr(Dimension) + ")"),
        Size("get_global_size(" + utostr(Dimension) + ")"),
        Id(Names.named("id_" + utostr(Dimension))), Number(Names.named("item")),
        Inside(Names.named("inside")), Item(S, "_item") {}

  Alternative write() {
    Alternative A;
    A.Label =
        "dimension-" + utostr(Dimension) + "-by-" + F + (Apart ? "-apart" : "");
    A.Class = Safety::Contract;
    setLaunch(A);
    Item.add("size_t " + Id);
    if (TheGuard) {
      Item.add("bool " + Inside);
      A.Changes.push_back(
          replacement(TheGuard->If->getLParenLoc(),
                      (TheGuard->Returns ? "(!" + Inside + " && ("
                                         : "(" + Inside + " || ("),
                      S.Context));
      A.Changes.push_back(
          replacement(TheGuard->If->getRParenLoc(), "))", S.Context));
    }
    A.Changes.push_back(
        Item.edit("", "  // Each work-item does the work of " + F +
                          " in dimension " + utostr(Dimension) + ".\n" +
                          (TheGuard ? "  if (" + allInside() + ")\n" +
                                          loop("    ", F, "true") + "  else\n" +
                                          loop("    ", "1", "false")
                                    : loop("  ", F, ""))));
    for (const WorkItemUse::Call &Each : Use.Calls)
      if (Each.Dimension == Dimension)
        A.Changes.push_back(replacement(
            Each.Expression->getSourceRange(),
            Each.Size ? "(" + F + " * " + Size + ")" : Id, S.Context));
    return A;
  }

private:
  const Site &S;
  const WorkItemUse &Use;
  const std::optional<Guard> &TheGuard;
  unsigned Dimension, Factor;
  bool Apart;
  FreshNames Names;
  std::string F, Own, Size, Id, Number, Inside;
  BodyFunction Item;

  void setLaunch(Alternative &A) const {
    launch::LaunchChange L;
    L.Factors.assign(Dimension + 1, 1);
    L.Factors.back() = Factor;
    const ParmVarDecl *Below = TheGuard ? TheGuard->limit(Dimension) : nullptr;
    bool AsksForSize = any_of(Use.Calls, [&](const WorkItemUse::Call &Each) {
      return Each.Size && Each.Dimension == Dimension;
    });
    L.RoundUp = Below && !AsksForSize;
    A.Note = L.sentence(S.Function.getName());
    if (L.RoundUp)
      A.Note += "; " + Below->getNameAsString() +
                " must not be above the global size that it had";
    A.Launch = std::move(L);
  }

  /// The id that the item number \p Which has.
  std::string idOf(const std::string &Which) const {
    return Apart ? Own + " + " + (Which == "1" ? "" : Which + " * ") + Size
                 : F + " * " + Own + " + " + Which;
  }

  /// The guard lets all items through: none has a larger id than the last.
  std::string allInside() const {
    std::vector<std::string> Parts;
    for (const Guard::Limit &Each : TheGuard->Limits)
      Parts.push_back("(long)" +
                      (Each.Dimension == Dimension
                           ? "(" + idOf(utostr(Factor - 1)) + ")"
                           : "get_global_id(" + utostr(Each.Dimension) + ")") +
                      " < " + Each.Below->getNameAsString());
    return join(Parts, " && ");
  }

  std::string loop(const std::string &Indent, const std::string &Unroll,
                   const std::string &IsInside) const {
    std::vector<std::string> Arguments = Item.arguments();
    Arguments.push_back(idOf(Number));
    if (!IsInside.empty())
      Arguments.push_back(IsInside);
    return Indent + "__attribute__((opencl_unroll_hint(" + Unroll + ")))\n" +
           Indent + "for (uint " + Number + " = 0; " + Number + " < " + F +
           "; ++" + Number + ")\n" + Indent + "  " + Item.call(Arguments) +
           "\n";
  }
};

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
          Out.push_back(Writer(S, D, F, Apart).write());
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
       AsksItself,
       CallsWhatIsDefined,
       NumbersDimensions,
       {"a get_global_id or get_global_size comes from a macro",
        [](const Site &S) {
          return all_of(S.once<workItemUse>().Calls, [&](const auto &Each) {
            return isPlainText(Each.Expression->getSourceRange(), S);
          });
        },
        WriteItOut},
       {"it declares a constant array, which a kernel alone may do",
        declaresOnlyPrivate, "declare the array outside the kernel"},
       IsOnlyForHost},
      alternatives,
      /*Phase=*/1,
      /*Traits=*/0,
      isLaunched};
  return R;
}

} // namespace clrewrite::rewrite::coarsen
