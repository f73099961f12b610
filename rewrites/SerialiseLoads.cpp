// serialise-loads: an expression that combines three or more values from memory
// or images becomes a chain that loads and combines one at a time.
//
// serialise-vload does this for vloadN; here it is for elements of buffers,
// `in[i - 1] + in[i] + in[i + 1]`, and pixels of images. LoadChain.h has what
// both share.
#include "rewrite/Conditions.h"
#include "rewrite/LoadChain.h"

using namespace llvm;
using namespace clang;
using namespace clang::ast_matchers;

namespace clrewrite {
namespace {

AST_MATCHER(BinaryOperator, combinesSeveralLoads) {
  ASTContext &Context = Finder->getASTContext();
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

bool isText(const Site &S) { return chainIsText(S, isSharedLoad); }
bool mayBeTakenApart(const Site &S) {
  return chainMayBeTakenApart(S, isSharedLoad);
}

std::vector<Alternative> alternatives(const Site &S) {
  return serialised(S, isSharedLoad);
}

} // namespace

const Rewrite &rewriteSerialiseLoads() {
  static const Rewrite R{
      "serialise-loads",
      "load and combine values from memory one at a time",
      Safety::Exact,
      binaryOperator(combinesSeveralLoads()).bind("site"),
      {{"the expression, or a part of its statement, comes from a macro or "
        "holds a preprocessor directive",
        isText},
       {"the loads are evaluated on some paths only (?:, &&, ||), or not in a "
        "statement of their own",
        chainAlwaysRuns},
       {"an operand has side effects", chainIsPure},
       {"the rest of the statement has side effects or declares several "
        "variables",
        restOfStatementIsPure},
       {"a float product and the sum that it feeds are left whole, because the "
        "compiler may contract them",
        mayBeTakenApart}},
      alternatives};
  return R;
}

} // namespace clrewrite
