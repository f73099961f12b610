// Integer expressions as sums of products.
#pragma once

#include "rewrite/Conditions.h"
#include "rewrite/IntegerRange.h"
#include "llvm/ADT/SmallVector.h"

namespace clrewrite {

/// `Factor * product of Leaves`.
struct Monomial {
  int64_t Factor = 1;
  llvm::SmallVector<const clang::Expr *, 4> Leaves;
};
using Polynomial = std::vector<Monomial>;

/// The product; none where it grows too large.
std::optional<Polynomial> productOf(const Polynomial &A, const Polynomial &B,
                                    const clang::ASTContext &Context);

/// Adds \p Factor times \p B; false where a number grows too large.
bool addTo(Polynomial &A, const Polynomial &B, int64_t Factor,
           const clang::ASTContext &Context);

/// What a polynomial is made of.
struct PolynomialWays {
  const clang::ASTContext &Context;
  /// The type that sums and products are taken in: modulo 2^32 or 2^64 where it
  /// is unsigned, without limits where it is signed.
  IntType Ring;
  /// The value of a number that may become a factor.
  llvm::function_ref<std::optional<int64_t>(const clang::Expr *)> Number;
  /// What any other expression stands for; none where it may not occur.
  llvm::function_ref<std::optional<Polynomial>(const clang::Expr *)> Leaf;
  /// Conversions that the text spells out are looked into like others.
  bool IntoCasts = false;
};

/// \p E, whose value an operator of the type Ring takes, as a sum of products:
/// it has that value wherever the program computes it.
std::optional<Polynomial> polynomial(const clang::Expr *E,
                                     const PolynomialWays &Ways);

} // namespace clrewrite
