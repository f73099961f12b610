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
#include <string>
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
  unsigned Operations = 0;    ///< sums, products, quotients and calls
  bool CallsOrCounts = false; ///< there is a call, or an integer

  /// It rounds once, and its literals are numbers that a float holds: LLVM
  /// computes it in float by itself, since that gives the same result.
  bool isNarrowedByCompilers() const;
};

/// Those in the body of \p Function, in order. Double is meant, and nothing is
/// told, where a variable, a cast or a function's own type is one; of == and
/// !=, which ask whether a float is a number that may be none; and where the 24
/// binary digits of a float are no answer: a number of 2^24 or more that
/// becomes an integer, integers of 32 bits or more that are scaled by such a
/// number or by its reciprocal, a sum of literals of which one is lost in the
/// other, and a sum or product that is compared with a tolerance below 1e-6.
/// What Clang evaluates costs nothing.
std::vector<PromotedFloats> promotedFloats(const clang::FunctionDecl &Function);

/// The statement that \p P stands in, a part of \p Function, has the same types
/// in every build, so that no build means it to be double.
bool isFloatInEachBuild(const PromotedFloats &P,
                        const clang::FunctionDecl &Function,
                        clang::ASTContext &Context);

/// How the program writes a literal, and what it writes for a float.
struct LiteralText {
  /// "0.5", or the name of the macro that holds the literal.
  std::string Own;
  /// "0.5f", "(float)EPS", "M_PI_F"; empty where the macro holds more than the
  /// literal.
  std::string AsFloat;
  clang::SourceRange
      Where; ///< in the main file; invalid where AsFloat is empty
};
LiteralText textOf(const clang::FloatingLiteral &Literal,
                   const clang::ASTContext &Context);

/// \p Literal is a number in float: it is not too large, and no zero or
/// subnormal number there where it is not zero.
bool fitsFloat(const clang::FloatingLiteral &Literal);

} // namespace clrewrite::rewrite
