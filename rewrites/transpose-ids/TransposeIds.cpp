// transpose-ids: neighbouring work-items are neighbours in dimension 1.
//
//   x = get_global_id(0), y = get_global_id(1);
//   out[x * h + y] = in[x * h + y];
//
// The lanes of a wave have ids of dimension 0 side by side, so that each of
// these accesses takes a line of memory for itself. Where the ids are dealt the
// other way, they lie side by side:
//
//   x = k_transposed_id(0), y = k_transposed_id(1);
//
// Two ways to deal them are written, each one to one for every launch.
//
// - In the launch: the work-items of dimensions 0 and 1 are numbered in the
//   order of the lanes, wave after wave and group after group, and the number
//   is divided by the size of dimension 1. With G for the global sizes, L for
//   those of the own group, l for the id in the group and s for where the group
//   starts, the number is s1 * G0 + s0 * L1 + l1 * L0 + l0: s1 rows of groups
//   are complete before the own one, whose groups are all L1 high, and s0
//   columns of it. The last groups of a dimension may be smaller than others.
// - In the work-group: the same within each group, whose tile stays where it
//   is. That divides small numbers only, and does nothing for a group that is
//   one row.
//
// Which work-item has which ids is not seen by a kernel in which they neither
// wait for each other nor ask for more than their ids.
#include "OtherBuilds.h"
#include "lanes/Accesses.h"
#include "lanes/Program.h"
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Builtins.h"
#include "rewrite/ast/Effects.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/PointerUses.h"
#include "rewrite/ast/WorkItemUse.h"
#include "rewrite/text/Directives.h"
#include "rewrite/text/Head.h"
#include "rewrite/text/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::transpose_ids {
namespace {

/// The calls of get_global_id for dimensions 0 and 1.
std::vector<const CallExpr *> idsOf(const Site &S) {
  std::vector<const CallExpr *> Out;
  for (const WorkItemUse::Call &Each : S.once<workItemUse>().Calls)
    if (!Each.Size && Each.Dimension < 2)
      Out.push_back(Each.Expression);
  return Out;
}

bool asksForBoth(const Site &S) {
  auto asksFor = [&](unsigned Dimension) {
    return any_of(S.once<workItemUse>().Calls,
                  [&](const WorkItemUse::Call &Each) {
                    return !Each.Size && Each.Dimension == Dimension;
                  });
  };
  return asksFor(0) && asksFor(1);
}

/// How the kernel's work-items access global memory.
struct Directions {
  /// Somewhere those that are neighbours in dimension 1 access neighbouring
  /// elements, and those that are neighbours in dimension 0 do not.
  bool HasColumns = false;
  /// The first store that neighbours in dimension 0 make side by side, and
  /// neighbours in dimension 1 do not; null for none.
  const Expr *RowStore = nullptr;
};

/// \p Moves leads no further than a line of memory.
bool isNear(const std::optional<lanes::Stride> &Moves) {
  constexpr int64_t LineBytes = 64;
  return Moves && Moves->isNumber() && Moves->Constant != 0 &&
         std::abs(Moves->Constant) <= LineBytes;
}

Directions directionsOf(const Site &S) {
  Directions Out;
  if (!asksForBoth(S))
    return Out;
  lanes::Program Code(S.Context);
  for (const auto &Each : Code.Functions) {
    const FunctionDecl &F = *Each.second;
    if (!is_contained(Code.kernelsOf(F), S.Function.getName()))
      continue;
    std::vector<const lanes::Frame *> Ways = Code.waysTo(F);
    for (const lanes::Access &A :
         lanes::accessesOf(F, LangAS::opencl_global, S.Context))
      for (const lanes::Frame *In : Ways) {
        std::optional<lanes::Stride> Lane = lanes::strideOf(
                                         A, Code, {lanes::Mover::Lane}, In),
                                     Row = lanes::strideOf(
                                         A, Code, {lanes::Mover::Row}, In);
        if (!Lane || !Row || Lane->isZero() || Row->isZero())
          continue;
        Out.HasColumns |= !lanes::isStepOf(Lane, A) && lanes::isStepOf(Row, A);
        if (A.Writes && !Out.RowStore && isNear(Lane) && !isNear(Row))
          Out.RowStore = A.At;
      }
  }
  return Out;
}

bool accessesColumns(const Site &S) {
  return S.once<directionsOf>().HasColumns;
}

/// What does more than to read and write memory, in which the order of
/// work-items may show.
const Stmt *orderSeen(const Site &S) {
  return EffectsOf(S.Function).of(S.Function.getBody()).More;
}

/// In each build no word of the kernel but the calls that are replaced tells
/// work-items apart.
bool hidesNothing(const Site &S) {
  std::set<const char *> Known;
  for (const WorkItemUse::Call &Each : S.once<workItemUse>().Calls)
    Known.insert(S.Context.getSourceManager().getCharacterData(
        Each.Expression->getCallee()->getBeginLoc()));
  StringRef Found = tellsApartSomewhere(S.Function, Known, S.Context);
  return Found.empty() || S.brokenBy(locationOf(Found, S.Context));
}

bool dimensionsAreStable(const Site &S) {
  for (const WorkItemUse::Call &Each : S.once<workItemUse>().Calls)
    if (const Expr *D = Each.Expression->getArg(0);
        !isa<IntegerLiteral>(D->IgnoreParenImpCasts()) ||
        !isStableText(D, S.Context))
      return S.brokenBy(Each.Expression);
  return true;
}

/// \p Call is the file's own text, and stands in no arm of an #if within the
/// function: a build that has another arm may be for another language.
bool isInEachBuild(const Expr *Call, const Site &S) {
  int Open = 0;
  StringRef Before =
      text({S.Function.getBeginLoc(), Call->getBeginLoc()}, S.Context)
          .value_or("");
  for (StringRef Line : split(Before, '\n'))
    if (std::optional<StringRef> D = directive(Line))
      Open += armsOpenedBy(*D);
  return Open == 0 && isPlainText(Call->getSourceRange(), S.Context);
}

bool idsAreText(const Site &S) {
  return S.each(idsOf(S),
                [&](const Expr *Each) { return isInEachBuild(Each, S); });
}

/// The functions that the edits call.
constexpr StringRef Called[] = {"get_global_id", "get_global_size",
                                "get_global_offset", "get_local_id",
                                "get_local_size"};

bool namesAreFree(const Site &S) {
  return !isMacro("size_t", S.Context) && all_of(Called, [&](StringRef Name) {
    return meansBuiltin(Name, S.Context);
  }) && !declaresSomewhere(Called, S.Context);
}

/// The text of the function that deals the ids. A name that is a macro is
/// another one there.
class DealingFunction {
public:
  explicit DealingFunction(const Site &S)
      : S(S), Dimension(name("dimension")), Item(name("item")),
        Height(name("height")), Start(name("start")) {}

  std::string inLaunch() const {
    return "  // Where the work-group starts, and the work-item's number in "
           "lane order.\n" +
           start("0") + start("1") + "  size_t " + Item + " = " + Start +
           "_1 * get_global_size(0) + " + Start +
           "_0 * get_local_size(1) +\n"
           "                get_local_id(1) * get_local_size(0) + "
           "get_local_id(0);\n"
           "  size_t " +
           Height + " = get_global_size(1);\n" +
           dealt("get_global_offset(" + Dimension + ")");
  }

  std::string inGroup() const {
    return "  uint " + Item +
           " = get_local_id(1) * get_local_size(0) + get_local_id(0);\n"
           "  uint " +
           Height + " = get_local_size(1);\n" +
           dealt("get_global_id(" + Dimension + ") - get_local_id(" +
                 Dimension + ")");
  }

  std::string text(const std::string &Name, const std::string &Body) const {
    return "// As get_global_id, but neighbouring work-items are neighbours in "
           "dimension 1,\n// where the elements lie side by side.\n" +
           specifiersFor(S.Function) + "size_t " + Name + "(uint " + Dimension +
           ") {\n" + Body + "}\n";
  }

private:
  const Site &S;
  std::string Dimension, Item, Height, Start;

  std::string name(StringRef Stem) const {
    auto isTaken = [&](const Twine &Name) {
      return isMacro(Name.str(), S.Context);
    };
    return isTaken(Stem) || isTaken(Stem + "_0") || isTaken(Stem + "_1")
               ? freshName(Stem, S.Context)
               : Stem.str();
  }

  std::string start(const std::string &D) const {
    return "  size_t " + Start + "_" + D + " = get_global_id(" + D +
           ") - get_global_offset(" + D + ") - get_local_id(" + D + ");\n";
  }

  std::string dealt(const std::string &First) const {
    return "  return " + First + " +\n         (" + Dimension + " == 0 ? " +
           Item + " / " + Height + " : " + Item + " % " + Height + ");\n";
  }
};

Alternative with(const char *Label, const std::string &Body, const Site &S) {
  std::string Name =
      freshName((S.Function.getName() + "_transposed_id").str(), S.Context);
  Alternative A;
  A.Label = Label;
  A.ForTime = true;
  A.Changes.push_back(definitionsBefore(
      S.Function, {{Name, DealingFunction(S).text(Name, Body)}}, S.Context));
  for (const CallExpr *Each : idsOf(S))
    A.Changes.push_back(
        replacement(Each->getCallee()->getSourceRange(), Name, S.Context));
  return A;
}

/// Work-groups have as many work-items in dimension 1 as make a short row.
bool groupsAreHigh(const Site &S) {
  constexpr uint64_t ShortRow = 8;
  auto isHigh = [&](ArrayRef<uint64_t> Sizes) {
    return Sizes.size() > 1 && Sizes[1] >= ShortRow;
  };
  return isHigh(stableGroup(S.Function)) ||
         (!S.Launches.empty() && all_of(S.Launches, [&](const KnownLaunch &L) {
           return isHigh(L.Sizes.Local);
         }));
}

std::vector<Alternative> alternatives(const Site &S) {
  std::vector<Alternative> Out = {
      with("in-launch", DealingFunction(S).inLaunch(), S)};
  if (groupsAreHigh(S))
    Out.push_back(with("in-group", DealingFunction(S).inGroup(), S));
  return Out;
}

} // namespace

const Rewrite &rewriteTransposeIds() {
  static const Rewrite R{
      "transpose-ids",
      "make neighbouring work-items neighbours in dimension 1",
      Safety::Exact,
      sitesOf<FunctionDecl, isKernelDefinition>,
      {{"neighbouring work-items store side by side as it stands",
        [](const Site &S) {
          return S.unlessBroken(S.once<directionsOf>().RowStore);
        }},
       AsksForNoGroup,
       WorksAlone,
       UsesNoLocalMemory,
       AsksItself,
       CallsWhatIsDefined,
       NumbersDimensions,
       {"a get_global_id comes from a macro, or stands in an arm of an #if",
        idsAreText, WriteItOut},
       {"the dimension of a get_global_id may be another one with other build "
        "options",
        dimensionsAreStable, "write the number 0, 1 or 2"},
       {"atomic functions, output, assembler or volatile accesses may show the "
        "order of work-items",
        [](const Site &S) { return S.unlessBroken(orderSeen(S)); }},
       {"it is C++ for OpenCL, where other code may run unseen",
        [](const Site &S) { return !S.Context.getLangOpts().OpenCLCPlusPlus; }},
       {"with other build options it may ask for ids, or work-items may wait "
        "for each other or share memory",
        hidesNothing},
       {"the program gives another meaning to size_t, get_global_id or its "
        "like",
        namesAreFree, RenameOwn},
       IsOnlyForHost,
       HeadIsPlain},
      alternatives,
      /*Phase=*/0,
      HoldsElsewhere,
      accessesColumns};
  return R;
}

} // namespace clrewrite::rewrite::transpose_ids
