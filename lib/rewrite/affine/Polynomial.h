// Polynomials: integer expressions as sums of products, such as `(y + 1) * w +
// x` as `w * y + w + x`. Two indices can be subtracted in this form, and a
// factor of an induction variable is a stride.
#pragma once

#include "rewrite/affine/IntegerRange.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/Constants.h"
#include "llvm/ADT/SmallVector.h"

namespace clrewrite::rewrite {

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

/// What stands as a leaf of an index: \p IsLeaf, and pure.
struct IndexWays {
  const clang::ASTContext &Context;
  llvm::function_ref<bool(const clang::Expr *)> IsLeaf;
  /// Numbers may come from macros.
  bool FromMacros = false;
};

/// \p E modulo 2^64, where offsets are computed: it has that value where the
/// program evaluates it without overflow. None where it is anything else.
std::optional<Polynomial> indexPolynomial(const clang::Expr *E,
                                          const IndexWays &Ways);

/// \p P in ulong, where it wraps as indices do: exact for every value of the
/// leaves. "0" where it is empty.
std::string ulongText(const Polynomial &P, const clang::ASTContext &Context);

} // namespace clrewrite::rewrite
