// roll-terms: a sum of variables that were loaded ahead becomes a loop that
// loads and adds one at a time.
//
// `a = vload16(0, p); b = vload16(0, p + w); c = ...; d = ...; s = a + b + c +
// d` names what it loads, so that all of it is loaded before the sum. Where the
// variables serve the sum alone, the loads can wait for it, and then it is a
// chain as serialise-vload's. LoadedAhead.h finds it, Serialise.cpp writes it.
#include "LoadedAhead.h"
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/text/Text.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::roll_terms {
namespace {

bool sumsLoadedVariables(const BinaryOperator &Node, ASTContext &Context) {
  return loadedSum(Node, isSharedLoad, Context).has_value();
}

const BinaryOperator &rootOf(const Site &S) { return *S.get<BinaryOperator>(); }

LoadedSum sumOf(const Site &S) {
  return *loadedSum(rootOf(S), isSharedLoad, S.Context);
}

const Stmt *statementOf(const Site &S) {
  return placeOf(&rootOf(S), S.Context).Statement;
}

bool isText(const Site &S) {
  const LoadedSum &L = S.once<sumOf>();
  const Stmt *Statement = statementOf(S);
  auto plain = [&](const Stmt *E) {
    return isPlainText(E->getSourceRange(), S);
  };
  return plain(&rootOf(S)) && (!Statement || plain(Statement)) &&
         withoutDeclarations(L, S.Context) &&
         all_of(L.Variables,
                [&](const VarDecl *V) { return plain(V->getInit()); });
}

bool isUsedOnce(const Site &S) {
  const VarDecl *V = usedElsewhere(S.once<sumOf>(), S.Function);
  return !V || S.brokenBy(SourceRange(V->getLocation()));
}

bool loadsMayWait(const Site &S) {
  const LoadedSum &L = S.once<sumOf>();
  return all_of(L.Variables,
                [&](const VarDecl *V) {
                  return isPure(V->getInit()) || S.brokenBy(V->getInit());
                }) &&
         mayWait(L, statementOf(S), S.Function, S.Context);
}

/// A product in a statement of its own is not contracted with the sum.
bool holdsNoProduct(const Site &S) {
  return !rootOf(S).getType()->hasFloatingRepresentation() ||
         none_of(S.once<sumOf>().Variables, [&](const VarDecl *V) {
           return isFloatProduct(V->getInit()) && !S.brokenBy(V->getInit());
         });
}

bool loadsAreSimilar(const Site &S) {
  return !rolledTails(S, S.once<sumOf>().Values).empty();
}

std::vector<Alternative> alternatives(const Site &S) {
  const LoadedSum &L = S.once<sumOf>();
  std::vector<Alternative> Out = rolledTails(S, L.Values);
  Edits Gone = *withoutDeclarations(L, S.Context);
  for (Alternative &A : Out)
    A.Changes.insert(A.Changes.end(), Gone.begin(), Gone.end());
  return Out;
}

} // namespace

const Rewrite &rewriteRollTerms() {
  static const Rewrite R{
      "roll-terms",
      "sum variables that were loaded ahead in a loop over their loads",
      Safety::Exact,
      sitesOf<BinaryOperator, sumsLoadedVariables>,
      {{"the sum, or a declaration of what it sums, comes from a macro, holds "
        "a "
        "preprocessor directive, or declares a pointer or an array too",
        isText, "write them out, and declare each variable alone"},
       {"the sum is evaluated on some paths only (?:, &&, ||), or not in a "
        "statement of its own",
        chainAlwaysRuns, "give the sum a statement of its own"},
       {"the rest of the sum's statement has side effects or declares several "
        "variables",
        restOfStatementIsPure},
       {"a variable of the sum is used elsewhere too", isUsedOnce},
       {"a load has side effects, is in another block than the sum, or reads "
        "what may be changed before the sum, or a directive stands between "
        "them",
        loadsMayWait, "move the loads right before the sum"},
       {"a variable holds a float product, which the compiler could contract "
        "with the sum",
        holdsNoProduct},
       {"the loads at the end of the sum differ in more than numbers and "
        "variables that are scalars",
        loadsAreSimilar}},
      alternatives};
  return R;
}

} // namespace clrewrite::rewrite::roll_terms
