// reload: values that were loaded before a loop, and are used after it, are
// loaded again instead of being kept in registers over the loop.
//
//   uint s0 = state[4 * g];             uint s0 = state[4 * g];
//   ...                                 ...
//   for (...) { ... }          becomes  for (...) { ... }
//   out[4 * g] = x0 + s0;               out[4 * g] = x0 + state[4 * g];
//
// Hashes and ciphers add the state that they started with; in the rounds it
// only takes up registers. KeptValues.h finds such values, also in arrays that
// a loop fills, and says what stands against reading them twice. Nothing makes
// a compiler read twice what it knows to be the same: LLVM looks for the first
// load through 100 instructions, so it does so behind long loops.
//
// Values that are used in the loop can be loaded again in each iteration, at an
// index that no compiler knows to be the same. That costs time in most kernels,
// and gains the most registers.
#include "KeptValues.h"
#include "rewrite/Rewrite.h"
#include "rewrite/text/Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

bool isCrossedByValues(const Stmt &Node, ASTContext &Context) {
  return isa<ForStmt, WhileStmt, DoStmt>(Node) &&
         (!keptOver(Node, Context).empty() || !keptInto(Node, Context).empty());
}

std::vector<KeptValue> keptAt(const Site &S) {
  std::vector<KeptValue> Out = keptOver(*S.get<Stmt>(), S.Context);
  append_range(Out, keptInto(*S.get<Stmt>(), S.Context));
  return Out;
}

/// Some value has nothing as early as \p O against it.
template <KeptValue::Obstacle O> bool someIsFreeOf(const Site &S) {
  return any_of(keptAt(S), [](const KeptValue &K) {
    return K.Against == KeptValue::None || K.Against > O;
  });
}

using Values = std::vector<KeptValue>;

/// Each use behind the loop becomes the load.
Edits behind(const Values &Kept) {
  Edits Out;
  for (const KeptValue &K : Kept)
    append_range(Out, K.Changes);
  return Out;
}

/// The loop's body begins with the loads.
Edits inside(const Values &Kept, const ForStmt &Loop, ASTContext &Context) {
  const auto *Body = cast<CompoundStmt>(Loop.getBody());
  const SourceManager &SM = Context.getSourceManager();
  std::string Indent = indentation(
      SM.getExpansionLoc(Body->body_front()->getBeginLoc()), Context);
  std::string Text;
  for (const KeptValue &K : Kept)
    Text += "\n" + Indent + K.Again;
  return {{SM.getFileOffset(Body->getLBracLoc()) + 1, 0, Text}};
}

/// Adds the alternatives for the values that nothing stands against: those that
/// can't change, and all.
void add(std::vector<Alternative> &Out, Values All, StringRef Exactly,
         StringRef Assuming, function_ref<Edits(const Values &)> Written) {
  erase_if(All,
           [](const KeptValue &K) { return K.Against != KeptValue::None; });
  Values Exact;
  copy_if(All, std::back_inserter(Exact),
          [](const KeptValue &K) { return K.Assumed.empty(); });
  Alternative A;
  if (!Exact.empty()) {
    A.Label = Exactly.str();
    A.Changes = Written(Exact);
    Out.push_back(A);
  }
  if (Exact.size() == All.size())
    return;
  A.Label = Assuming.str();
  A.Changes = Written(All);
  A.Class = Safety::Assumes;
  std::vector<std::string> Names;
  for (const KeptValue &K : All)
    if (!K.Assumed.empty() && !is_contained(Names, K.Assumed))
      Names.push_back(K.Assumed);
  A.Note = "no buffer that the kernel writes overlaps " + join(Names, ", ");
  Out.push_back(std::move(A));
}

std::vector<Alternative> alternatives(const Site &S) {
  const Stmt &Loop = *S.get<Stmt>();
  std::vector<Alternative> Out;
  add(Out, keptOver(Loop, S.Context), "read-only", "no-overlap", behind);
  add(Out, keptInto(Loop, S.Context), "inside", "inside-no-overlap",
      [&](const Values &Kept) {
        return inside(Kept, cast<ForStmt>(Loop), S.Context);
      });
  return Out;
}

} // namespace

const Rewrite &rewriteReload() {
  static const Rewrite R{
      "reload",
      "load values again after or in a loop instead of keeping them over it",
      Safety::Exact,
      sitesOf<Stmt, isCrossedByValues>,
      {{"the load or a later use of it comes from a macro or holds a "
        "directive, "
        "or a name in it is a macro somewhere",
        someIsFreeOf<KeptValue::Hidden>},
       {"a variable that the load depends on is changed in the function",
        someIsFreeOf<KeptValue::Changed>},
       {"a name in the load means something else in another place",
        someIsFreeOf<KeptValue::Shadowed>},
       {"the function may wait for other work-items, or calls something that "
        "may write memory",
        someIsFreeOf<KeptValue::Waits>},
       {"the memory is neither constant nor only read: the pointer is no "
        "argument that points to const, or const is cast away",
        someIsFreeOf<KeptValue::Written>}},
      alternatives,
      /*Phase=*/1};
  return R;
}

} // namespace clrewrite::rewrite
