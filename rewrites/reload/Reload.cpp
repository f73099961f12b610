// reload: values that were loaded before a loop, and are used after it, are
// loaded again instead of being kept in registers over the loop.
//
//   uint s0 = state[4 * g];             uint s0 = state[4 * g];
//   ...                                 ...
//   for (...) { ... }          becomes  for (...) { ... }
//   out[4 * g] = x0 + s0;               out[4 * g] = x0 + state[4 * g];
//
// Hashes and ciphers add the state that they started with; in the rounds it
// only takes up registers. LiveAcrossLoop.h finds such values, also in arrays
// that a loop fills, and the obstacles to reading them twice. Nothing makes a
// compiler read twice what it knows to be the same: LLVM looks for the first
// load through 100 instructions, so it does so after long loops.
//
// Values that are used in the loop can be loaded again in each iteration, at an
// index that no compiler knows to be the same. That costs time in most kernels,
// and gains the most registers.
#include "LiveAcrossLoop.h"
#include "rewrite/Rewrite.h"
#include "rewrite/text/Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::reload {
namespace {

bool isCrossedByValues(const Stmt &Node, ASTContext &Context) {
  return isa<ForStmt, WhileStmt, DoStmt>(Node) &&
         (!liveAcross(Node, Context).empty() ||
          !usedWithin(Node, Context).empty());
}

std::vector<LiveValue> valuesAt(const Site &S) {
  std::vector<LiveValue> Out = liveAcross(*S.get<Stmt>(), S.Context);
  append_range(Out, usedWithin(*S.get<Stmt>(), S.Context));
  return Out;
}

/// For some value the obstacle \p O, and those that are asked before it, do not
/// exist.
template <LiveValue::Obstacle O> bool someIsFreeOf(const Site &S) {
  const std::vector<LiveValue> &All = S.once<valuesAt>();
  return any_of(All,
                [](const LiveValue &K) {
                  return K.Against == LiveValue::None || K.Against > O;
                }) ||
         S.brokenBy(All.front().Load);
}

using Values = std::vector<LiveValue>;

/// Each use after the loop becomes the load.
Edits after(const Values &List) {
  Edits Out;
  for (const LiveValue &K : List)
    append_range(Out, K.Changes);
  return Out;
}

/// The loop's body begins with the loads.
Edits inside(const Values &List, const ForStmt &Loop, ASTContext &Context) {
  const auto *Body = cast<CompoundStmt>(Loop.getBody());
  const SourceManager &SM = Context.getSourceManager();
  std::string Indent = indentation(
      SM.getExpansionLoc(Body->body_front()->getBeginLoc()), Context);
  std::string Text;
  for (const LiveValue &K : List)
    Text += "\n" + Indent + K.Again;
  return {{SM.getFileOffset(Body->getLBracLoc()) + 1, 0, Text}};
}

/// Adds the alternatives for the values without an obstacle: one for those
/// whose memory can't change, and one for all.
void add(std::vector<Alternative> &Out, Values All, StringRef Exactly,
         StringRef Assuming, function_ref<Edits(const Values &)> Written) {
  erase_if(All,
           [](const LiveValue &K) { return K.Against != LiveValue::None; });
  Values Exact;
  copy_if(All, std::back_inserter(Exact),
          [](const LiveValue &K) { return K.Assumed.empty(); });
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
  for (const LiveValue &K : All)
    if (!K.Assumed.empty() && !is_contained(Names, K.Assumed))
      Names.push_back(K.Assumed);
  A.Note = "no buffer that the kernel writes overlaps " + join(Names, ", ");
  Out.push_back(std::move(A));
}

std::vector<Alternative> alternatives(const Site &S) {
  const Stmt &Loop = *S.get<Stmt>();
  std::vector<Alternative> Out;
  add(Out, liveAcross(Loop, S.Context), "read-only", "no-overlap", after);
  add(Out, usedWithin(Loop, S.Context), "inside", "inside-no-overlap",
      [&](const Values &List) {
        return inside(List, cast<ForStmt>(Loop), S.Context);
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
        someIsFreeOf<LiveValue::Hidden>, WriteItOut},
       {"a jump may pass over the load or come back before it, or a directive "
        "stands between the load and its use",
        someIsFreeOf<LiveValue::Jumped>},
       {"a variable that the load depends on is changed in the function",
        someIsFreeOf<LiveValue::Changed>},
       {"a name in the load means something else in another place",
        someIsFreeOf<LiveValue::Shadowed>, "give one of the two another name"},
       {"the function may wait for other work-items, or calls something that "
        "may write memory",
        someIsFreeOf<LiveValue::Waits>},
       {"the memory is neither constant nor only read: the pointer is no "
        "argument that points to const, or const is cast away",
        someIsFreeOf<LiveValue::Written>,
        "where the kernel only reads it, make the argument a pointer to "
        "const"}},
      alternatives,
      /*Phase=*/1};
  return R;
}

} // namespace clrewrite::rewrite::reload
