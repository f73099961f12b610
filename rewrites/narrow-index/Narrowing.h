// Narrowing: what happens to a function when its 64-bit indices become 32-bit
// ones.
#pragma once

#include "IndexVariables.h"
#include "rewrite/affine/IntegerRange.h"

namespace clrewrite::rewrite::narrow_index {

/// Why the indices can't be narrowed, or at what price.
struct Narrowing {
  enum Obstacle {
    None,
    TypeShows, ///< sizeof, &, an overloaded function, a variadic one, ...
    Negative,  ///< a value that may be negative was divided or shifted as
               ///< unsigned
    Shift,     ///< a shift count of 32 or more
    Wraps,     ///< a result below zero, computed in an unsigned 32-bit type
  } Against = None;
  /// The code that is against it; null for a declaration.
  const clang::Expr *At = nullptr;
  /// Some index, sum or product is not known to fit.
  bool Assumed = false;
  /// Indices, sums and products must stay below 2^31, not 2^32, for uint too.
  bool Half = false;
  /// The operands that must be converted to an unsigned type, inner ones first.
  std::vector<std::pair<const clang::Expr *, IntType>> Unsigned;
  /// The calls of get_global_id and its like that must be converted.
  std::vector<const clang::Expr *> Conversions;
};

/// Follows the indices of \p V through \p Function as if they were of the
/// 32-bit type \p To.
Narrowing narrowed(const IndexVariables &V, const clang::FunctionDecl &Function,
                   IntType To, const clang::ASTContext &Context);

} // namespace clrewrite::rewrite::narrow_index
