// double-literal: literals without a suffix, which make sums of floats double.
#include "advice/AdviceSort.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/PromotedFloats.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace clrewrite::advice {
namespace {

/// What \p L is in the text, and what a float is instead.
std::pair<std::string, std::string> namesOf(const FloatingLiteral &L,
                                            const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Loc = L.getLocation();
  if (Loc.isMacroID() && !SM.isMacroArgExpansion(Loc)) {
    std::string Macro =
        Lexer::getImmediateMacroName(Loc, SM, Context.getLangOpts()).str();
    bool IsOpenCL = rewrite::isMacro(Macro + "_F", Context);
    return {Macro, IsOpenCL ? Macro + "_F" : "(float)" + Macro};
  }
  std::string Text = Lexer::getSourceText(
                         CharSourceRange::getTokenRange(SM.getSpellingLoc(Loc)),
                         SM, Context.getLangOpts())
                         .str();
  return {Text, Text + "f"};
}

void find(const Adviser &To) {
  for (const auto &[Canonical, F] : To.Code.Functions) {
    std::vector<rewrite::PromotedFloats> List = rewrite::promotedFloats(*F);
    llvm::erase_if(List, [](const rewrite::PromotedFloats &P) {
      return P.isNarrowedByCompilers();
    });
    if (List.empty())
      continue;
    const auto [Name, Narrow] =
        namesOf(*List.front().Literals.front(), To.Context);
    std::string Message =
        Name +
        " is a double, so that the floats beside it are converted and "
        "computed in double, at a half to a 64th of the rate; " +
        Narrow + " is a float";
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

} // namespace clrewrite::advice
