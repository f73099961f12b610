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
#include "rewrite/KeptValues.h"
#include "rewrite/Rewrite.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;
using namespace clang::ast_matchers;

namespace clrewrite {
namespace {

AST_MATCHER(Stmt, isCrossedByValues) {
  return isa<ForStmt, WhileStmt, DoStmt>(Node) &&
         !keptOver(Node, Finder->getASTContext()).empty();
}

std::vector<KeptValue> keptAt(const Site &S) {
  return keptOver(*S.get<Stmt>("site"), S.Context);
}

/// Some value has nothing as early as \p O against it.
template <KeptValue::Obstacle O> bool someIsFreeOf(const Site &S) {
  return any_of(keptAt(S), [](const KeptValue &K) {
    return K.Against == KeptValue::None || K.Against > O;
  });
}

Alternative alternative(StringRef Label, const std::vector<KeptValue> &Kept) {
  Alternative A;
  A.Label = Label.str();
  for (const KeptValue &K : Kept)
    append_range(A.Changes, K.Changes);
  return A;
}

std::vector<Alternative> alternatives(const Site &S) {
  std::vector<KeptValue> All = keptAt(S), Exact;
  erase_if(All,
           [](const KeptValue &K) { return K.Against != KeptValue::None; });
  copy_if(All, std::back_inserter(Exact),
          [](const KeptValue &K) { return K.Assumed.empty(); });
  std::vector<Alternative> Out;
  if (!Exact.empty())
    Out.push_back(alternative("read-only", Exact));
  if (Exact.size() == All.size())
    return Out;
  Alternative A = alternative("no-overlap", All);
  A.Class = Safety::Assumes;
  std::vector<std::string> Names;
  for (const KeptValue &K : All)
    if (!K.Assumed.empty() && !is_contained(Names, K.Assumed))
      Names.push_back(K.Assumed);
  A.Note = "no buffer that the kernel writes overlaps " + join(Names, ", ");
  Out.push_back(std::move(A));
  return Out;
}

} // namespace

const Rewrite &rewriteReload() {
  static const Rewrite R{
      "reload",
      "load values again after a loop instead of keeping them over it",
      Safety::Exact,
      stmt(isCrossedByValues()).bind("site"),
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
      /*Turn=*/1};
  return R;
}

} // namespace clrewrite
