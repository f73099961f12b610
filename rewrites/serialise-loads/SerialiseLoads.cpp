// serialise-loads: an expression that combines three or more values from memory
// or images becomes a chain that loads and combines one at a time.
//
// serialise-vload does this for vloadN; here it is for elements of buffers,
// `in[i - 1] + in[i] + in[i + 1]`, and pixels of images. LoadChain.h has what
// both share.
#include "rewrite/ast/Conditions.h"
#include "rewrite/text/LoadChain.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::serialise_loads {
namespace {

bool combinesSeveralLoads(const BinaryOperator &Node, ASTContext &Context) {
  // With several vloadN it is serialise-vload's.
  if (!isWholeChain(Node, isSharedLoad, Context) ||
      isWholeChain(Node, isVload, Context))
    return false;
  // Two loads are held at once in any order.
  Chain C = chainOf(&Node, isSharedLoad, Context);
  return count_if(C.Steps, [](const ChainStep &S) {
           return containsLoad(S.Term, isSharedLoad);
         }) >= 2;
}

} // namespace

const Rewrite &rewriteSerialiseLoads() {
  static const Rewrite R = serialising<isSharedLoad>(
      "serialise-loads", "load and combine values from memory one at a time",
      sitesOf<BinaryOperator, combinesSeveralLoads>);
  return R;
}

} // namespace clrewrite::rewrite::serialise_loads
