// narrow-double: what a literal without a suffix makes double is computed in
// float.
//
// `0.5` is a double, so that `x * 0.5` converts the float x, multiplies in
// double, and converts the product back where it is assigned to a float. GPUs
// compute in double at a half to a 64th of the rate, and a double takes two
// registers. With `0.5f` nothing is converted.
//
// The edit is an f behind each literal of an expression of type double, all of
// whose other operands are floats and integers, and whose value becomes a float
// or an integer again, or is compared. Its operators and the built-in functions
// that it calls then have the types that C gives them.
//
// It rounds otherwise, and so it is approximate. Where it would not, LLVM does
// it by itself: a single operation on floats whose result becomes a float, and
// a comparison with a number that a float holds.
#include "rewrite/Rewrite.h"
#include "rewrite/ast/PromotedFloats.h"
#include "rewrite/text/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::narrow_double {
namespace {

std::vector<PromotedFloats> find(const Site &S) {
  return promotedFloats(S.Function);
}

std::vector<PromotedFloats> written(const Site &S) {
  std::vector<PromotedFloats> List = S.once<find>();
  erase_if(List, [&](const PromotedFloats &N) {
    return any_of(N.Literals, [&](const FloatingLiteral *L) {
      return textOf(*L, S.Context).AsFloat.empty();
    });
  });
  return List;
}

std::vector<PromotedFloats> inRange(const Site &S) {
  std::vector<PromotedFloats> List = S.once<written>();
  erase_if(List, [](const PromotedFloats &N) {
    return any_of(N.Literals,
                  [](const FloatingLiteral *L) { return !fitsFloat(*L); });
  });
  return List;
}

std::vector<PromotedFloats> steady(const Site &S) {
  std::vector<PromotedFloats> List = S.once<inRange>();
  erase_if(List, [&](const PromotedFloats &N) {
    return !isFloatInEachBuild(N, S.Function, S.Context);
  });
  return List;
}

SourceRange firstOf(const std::vector<PromotedFloats> &List) {
  return List.front().Whole->getSourceRange();
}

bool someIsWritten(const Site &S) {
  return !S.once<written>().empty() || S.brokenBy(firstOf(S.once<find>()));
}
bool someIsInRange(const Site &S) {
  return !S.once<inRange>().empty() || S.brokenBy(firstOf(S.once<written>()));
}
bool someIsSteady(const Site &S) {
  return !S.once<steady>().empty() || S.brokenBy(firstOf(S.once<inRange>()));
}

bool computesInDouble(const FunctionDecl &Node, ASTContext &) {
  return Node.doesThisDeclarationHaveABody() && !Node.isDependentContext() &&
         !all_of(promotedFloats(Node), [](const PromotedFloats &P) {
           return P.isNarrowedByCompilers();
         });
}

std::vector<Alternative> alternatives(const Site &S) {
  Alternative Out;
  Out.Label = "all";
  Out.Class = Safety::Approximate;
  std::map<unsigned, Edit> Changes; // a macro may write several literals
  for (const PromotedFloats &N : S.once<steady>())
    for (const FloatingLiteral *L : N.Literals) {
      LiteralText Text = textOf(*L, S.Context);
      Edit E = replacement(Text.Where, std::move(Text.AsFloat), S.Context);
      Changes.emplace(E.Offset, std::move(E));
    }
  for (auto &[Offset, E] : Changes)
    Out.Changes.push_back(std::move(E));
  return {std::move(Out)};
}

} // namespace

const Rewrite &rewriteNarrowDouble() {
  static const Rewrite R{
      "narrow-double",
      "compute in float what literals of type double make double",
      Safety::Approximate,
      sitesOf<FunctionDecl, computesInDouble>,
      {{"every expression of doubles has a literal that a macro writes, "
        "together with other code",
        someIsWritten, "write `1.0f`, or a cast to float, in the macro"},
       {"a literal is no number in float: it is too large, or too near to zero",
        someIsInRange},
       {"with other build options the operands may have other types, or the "
        "code be other code",
        someIsSteady, "write an f behind the literal"}},
      alternatives,
      /*Phase=*/0,
      HoldsElsewhere}; // as each expression does: steady()
  return R;
}

} // namespace clrewrite::rewrite::narrow_double
