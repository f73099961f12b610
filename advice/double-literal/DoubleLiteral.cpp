// double-literal: literals without a suffix, which make sums of floats double.
#include "advice/AdviceSort.h"
#include "rewrite/ast/PromotedFloats.h"

using namespace clang;

namespace clrewrite::advice::double_literal {
namespace {

void find(const Adviser &To) {
  for (const auto &Each : To.Code.Functions) {
    const FunctionDecl *F = Each.second;
    std::vector<rewrite::PromotedFloats> List = rewrite::promotedFloats(*F);
    llvm::erase_if(List, [&](const rewrite::PromotedFloats &P) {
      return P.isNarrowedByCompilers() ||
             !rewrite::isFloatInEachBuild(P, *F, To.Context);
    });
    if (List.empty())
      continue;
    const rewrite::LiteralText Text =
        rewrite::textOf(*List.front().Literals.front(), To.Context);
    const bool IsWhole = !Text.AsFloat.empty();
    std::string Message =
        (IsWhole ? "" : "a literal in ") + Text.Own +
        " is a double, so that the floats beside it are converted and computed "
        "in double, at a half to a 64th of the rate; " +
        (IsWhole ? Text.AsFloat : "with an f behind it, it") + " is a float";
    if (List.size() > 1)
      Message += " (" + std::to_string(List.size()) + " such expressions in " +
                 F->getNameAsString() + ")";
    To.Tell(List.front().Whole->getBeginLoc(), *F, Message);
  }
}

} // namespace

const AdviceSort &adviceDoubleLiteral() {
  static const AdviceSort S{"double-literal",
                            "literals without a suffix that make floats double",
                            find};
  return S;
}

} // namespace clrewrite::advice::double_literal
