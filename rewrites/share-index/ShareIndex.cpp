// share-index: one index is computed once, and its neighbours are reached from
// it by steps.
//
//   s = in[(z * ny + y) * nx + x - 1] + in[((z - 1) * ny + y) * nx + x];
// becomes
//   size_t at_a = (z * ny + y) * nx + x - 1;
//   s = in[at_a] + in[at_a - (size_t)ny * nx + 1];
//
// Compilers compute equal parts once, but (z - 1) * ny is no part of the other
// index, and they do not write it out as z * ny - ny. SharedIndex.h finds the
// indices of a block that one step leads to, and SharedIndex.cpp says in which
// type the step is exact.
#include "SharedIndex.h"
#include "rewrite/Rewrite.h"
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/text/FreshLocal.h"
#include "rewrite/text/Text.h"
#include "llvm/ADT/MapVector.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::share_index {
namespace {

bool repeatsIndices(const CompoundStmt &Node, ASTContext &Context) {
  const FunctionDecl *Function =
      enclosingFunction(DynTypedNode::create(Node), Context);
  return Function && Function->getBody() &&
         !sharedIndices(Node, *Function, Context, Asked::Nothing).empty();
}

const CompoundStmt &blockOf(const Site &S) { return *S.get<CompoundStmt>(); }

template <Asked Of> bool someGroup(const Site &S) {
  return !sharedIndices(blockOf(S), S.Function, S.Context, Of).empty();
}

bool isNotEntered(const Site &S) {
  return S.unlessBroken(mayBeEntered(&blockOf(S)));
}

std::vector<Alternative> alternatives(const Site &S) {
  Alternative A;
  A.Label = "index";
  std::string Stem = "at_a";
  MapVector<const Stmt *, std::string> Declarations;
  for (const IndexGroup &G :
       sharedIndices(blockOf(S), S.Function, S.Context, Asked::IsExact)) {
    std::string Name;
    if (G.Holder) {
      Name = G.Holder->getNameAsString();
    } else {
      Name = freshLocal(Stem, S);
      if (Stem.back() == 'z')
        Stem += 'a';
      else
        ++Stem.back();
      Declarations[G.First] += indexType(G.Base, S.Context) + " " + Name +
                               " = " + spelled(G.Base, S.Context) + ";\n" +
                               indentation(G.First->getBeginLoc(), S.Context);
    }
    for (const Neighbour &N : G.Members)
      A.Changes.push_back(
          replacement(N.Index->getSourceRange(),
                      steppedText(Name, N.Step, G.Base, S.Context), S.Context));
  }
  for (const auto &[First, Text] : Declarations)
    A.Changes.push_back(insertion(First->getBeginLoc(), Text, S.Context));
  return {A};
}

} // namespace

const Rewrite &rewriteShareIndex() {
  static const Rewrite R{
      "share-index",
      "compute one index and reach its neighbours by steps",
      Safety::Exact,
      sitesOf<CompoundStmt, repeatsIndices>,
      {{"the indices or steps have something of a macro's body in them that "
        "can't be written, or hold a comment",
        someGroup<Asked::IsText>,
        "write the indices out, without macros and comments"},
       {"a preprocessor directive stands between the indices, or right before "
        "them",
        someGroup<Asked::IsInPlace>, MoveDirective},
       {"a jump leads into the block", isNotEntered,
        "put the block into braces of its own behind the label"},
       {"the index to start from may be undefined where the program does not "
        "compute it",
        someGroup<Asked::IsDefined>},
       {"a step may overflow where the index does not",
        someGroup<Asked::IsExact>}},
      alternatives,
      /*Phase=*/1};
  return R;
}

} // namespace clrewrite::rewrite::share_index
