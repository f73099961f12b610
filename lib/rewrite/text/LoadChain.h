// Expressions that combine several loads, seen as chains that can be written
// one load at a time.
#pragma once

#include "rewrite/Rewrite.h"

namespace clrewrite::rewrite {

/// Which expressions count as loads.
using LoadTest = bool (*)(const clang::Expr *);

/// The expression as a chain: First, then each op term in order.
struct ChainStep {
  clang::BinaryOperatorKind Op;
  const clang::Expr *Term;
};
struct Chain {
  const clang::Expr *First = nullptr;
  std::vector<ChainStep> Steps;
};

bool containsLoad(const clang::Stmt *S, LoadTest IsLoad);

/// \p Root taken apart, as far down its left operands as the type stays the
/// same.
Chain chainOf(const clang::BinaryOperator *Root, LoadTest IsLoad,
              const clang::ASTContext &Context);

/// \p B combines loads, and no chain around it holds it.
bool isWholeChain(const clang::BinaryOperator &B, LoadTest IsLoad,
                  clang::ASTContext &Context);

/// \p E is a product of floats, or may be one for a compiler that contracts
/// products: with a sign, a conversion, behind a comma, in an arm of a choice.
bool isFloatProduct(const clang::Expr *E);

/// \p Value is an operand of a sum, through what isFloatProduct() sees through:
/// a product there may be contracted with it, and on its own could not be.
bool feedsASum(const clang::Expr *Value, clang::ASTContext &Context);

/// The statement that evaluates an expression, and the way down to it.
struct Place {
  const clang::Stmt *Statement = nullptr; ///< null: not a plain statement
  bool InBlock = false;     ///< a child of { }, or else of if/for/...
  bool Conditional = false; ///< below ?:, && or ||
};
Place placeOf(const clang::Expr *E, clang::ASTContext &Context);

// The conditions for writing the chain whose root is bound to "site" as
// statements of its own. Each rewrite gives its loads.
bool chainIsText(const Site &S, LoadTest IsLoad);
bool chainAlwaysRuns(const Site &S);
bool chainIsPure(const Site &S);
/// What surrounds the chain in its statement must not act before it, since the
/// chain moves in front: only the root of the statement may have an effect.
bool restOfStatementIsPure(const Site &S);
bool chainMayBeTakenApart(const Site &S, LoadTest IsLoad);

/// A value from memory that other work-items may see, or from an image.
bool isSharedLoad(const clang::Expr *E);

/// The ways to write the chain: comma, fence, roll-last-K.
std::vector<Alternative> serialised(const Site &S, LoadTest IsLoad);

/// roll-last-K of \p C, which gives the value of "site" in other words.
std::vector<Alternative> rolledTails(const Site &S, Chain C);

/// The rewrite that writes the chains of \p IsLoad, at those of \p Sites, as
/// statements of their own.
template <LoadTest IsLoad>
Rewrite serialising(const char *Name, const char *Summary, SiteSearch Sites) {
  return {
      Name,
      Summary,
      Safety::Exact,
      Sites,
      {{"the expression, or a part of its statement, comes from a macro or "
        "holds a preprocessor directive",
        [](const Site &S) { return chainIsText(S, IsLoad); }, WriteItOut},
       {"the loads are evaluated on some paths only (?:, &&, ||), or not in "
        "a statement of their own",
        chainAlwaysRuns, "give the expression a statement of its own"},
       {"an operand has side effects", chainIsPure,
        "compute it in a statement before"},
       {"the rest of the statement has side effects or declares several "
        "variables",
        restOfStatementIsPure, "give the expression a statement of its own"},
       {"a compiler may contract a float product with the sum that it feeds; "
        "taken apart, another product might be contracted, and the last bit "
        "could differ",
        [](const Site &S) { return chainMayBeTakenApart(S, IsLoad); }}},
      [](const Site &S) { return serialised(S, IsLoad); }};
}

} // namespace clrewrite::rewrite
