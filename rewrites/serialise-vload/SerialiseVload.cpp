// serialise-vload: an expression that combines several vloadN results becomes
// a chain that loads and combines one at a time.
//
// `sum = vload8(x, p) + vload8(x, q) - vload8(x, r)` lets a compiler issue all
// loads at once and hold every result until it is used. The alternatives keep
// the same operations in the same order but give the scheduler less freedom:
//   comma          sum = vload8(x, p), sum += vload8(x, q), sum -= ...
//   fence          the same as statements, with mem_fence between
//   roll-last-K    the last K terms in a loop that is kept rolled
// LLVM turns the first into the same code as the original; other compilers may
// not. The rolled loop is what lowers registers today, at the price of the
// loop's own instructions. Which one pays is for the measurement to say.
#include "rewrite/ast/Conditions.h"
#include "rewrite/text/LoadChain.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::serialise_vload {
namespace {

bool combinesSeveralVloads(const BinaryOperator &Node, ASTContext &Context) {
  return isWholeChain(Node, isVload, Context);
}

} // namespace

const Rewrite &rewriteSerialiseVload() {
  static const Rewrite R = serialising<isVload>(
      "serialise-vload", "load and combine vloadN results one at a time",
      sitesOf<BinaryOperator, combinesSeveralVloads>);
  return R;
}

} // namespace clrewrite::rewrite::serialise_vload
