// Integer expressions as sums of products, modulo 2^64.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace clrewrite {

/// `Factor * product of Leaves`, modulo 2^64.
struct Monomial {
  int64_t Factor = 1;
  llvm::SmallVector<const clang::Expr *, 4> Leaves;
};
using Polynomial = std::vector<Monomial>;

/// What a polynomial is made of.
struct PolynomialWays {
  const clang::ASTContext &Context;
  /// May stand as a leaf: a pure expression of an integer type.
  llvm::function_ref<bool(const clang::Expr *)> IsLeaf;
  /// Numbers may come from macros.
  bool FromMacros = false;
};

/// \p E as sums and products of leaves: it has that value modulo 2^64 where
/// the program evaluates it without overflow. None where it is anything else.
std::optional<Polynomial> polynomialOf(const clang::Expr *E,
                                       const PolynomialWays &Ways);

/// The product; none where it grows too large.
std::optional<Polynomial> productOf(const Polynomial &A, const Polynomial &B,
                                    const clang::ASTContext &Context);

/// Adds \p Factor times \p B; false where a number grows too large.
bool addTo(Polynomial &A, const Polynomial &B, int64_t Factor,
           const clang::ASTContext &Context);

/// \p P in ulong, where it wraps as indices do: exact for every value of the
/// leaves. "0" where it is empty.
std::string ulongText(const Polynomial &P, const clang::ASTContext &Context);

/// The value of a number that stands in the text, at most 2^24. Not a macro's,
/// unless \p FromMacros: that may be another one with other options.
std::optional<int64_t> numberIn(const clang::Expr *E, bool FromMacros);

} // namespace clrewrite
