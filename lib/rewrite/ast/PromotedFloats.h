// Where literals of type double make an expression of floats double.
//
// In
//   y = (1.0 - x) * 0.5;
// with floats x and y the difference and the product are doubles, since 1.0
// and 0.5 are, and the product becomes a float again. With 1.0f and 0.5f all
// are floats.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <optional>
#include <vector>

namespace clrewrite::rewrite {

/// An expression that is computed in double, and would be in float if its
/// literals were.
struct PromotedFloats {
  /// What converts it to a float or an integer, or compares it.
  const clang::Expr *Whole = nullptr;
  std::vector<const clang::FloatingLiteral *> Literals;
  /// Other operands: floats, halfs and integers, which are converted.
  unsigned Others = 0;
  unsigned Operations = 0; ///< sums, products, quotients and calls

  /// It rounds once, and its literals are numbers that a float holds: LLVM
  /// computes it in float by itself, since that gives the same result.
  bool isNarrowedByCompilers() const;
};

/// Those in the body of \p Function, in order. Where a variable, a cast or a
/// function's own type is double, that is meant to be one, and nothing is told;
/// nor of == and !=, which ask whether a float is a number that may be none.
std::vector<PromotedFloats> promotedFloats(const clang::FunctionDecl &Function);

/// \p Literal as a float; none where that is no number, or is zero or subnormal
/// where \p Literal is not zero.
std::optional<llvm::APFloat> asFloat(const clang::FloatingLiteral &Literal);

} // namespace clrewrite::rewrite
