// Integer expressions as sums, for conditions that become bounds of a loop.
#pragma once

#include "rewrite/ast/Conditions.h"
#include "llvm/ADT/SmallVector.h"

namespace clrewrite::rewrite {

/// `Constant + sum of Factor * Term`, a sum in integers without limits. Where
/// the program evaluates the expression without overflow, it has that value.
struct LinearForm {
  struct Part {
    const clang::Expr *Term;
    int64_t Factor;
  };
  int64_t Constant = 0;
  llvm::SmallVector<Part, 4> Parts;

  /// Adds \p Factor times \p Other; false where a number grows too large.
  bool add(const LinearForm &Other, int64_t Factor,
           const clang::ASTContext &Context);
};

/// What a form is made of.
struct LinearWays {
  const clang::ASTContext &Context;
  /// What a variable stands for: the initialiser of one that never changes, or
  /// null.
  llvm::function_ref<const clang::Expr *(const clang::VarDecl *)> Meaning;
  /// May stand as a term.
  llvm::function_ref<bool(const clang::Expr *)> IsTerm;
};

/// \p E, whose values an int holds, as a sum. None where a part of it is
/// neither a sum in int, nor a product with a constant, nor a term.
std::optional<LinearForm> linearForm(const clang::Expr *E,
                                     const LinearWays &Ways);

/// \p F as an int, set to the nearest int where it is outside: exact for every
/// value of the terms. The terms are spelled where they stand.
std::string saturatedText(const LinearForm &F,
                          const clang::ASTContext &Context);

/// \p E as an operand of the type int.
std::string asInt(const clang::Expr *E, const clang::ASTContext &Context);

} // namespace clrewrite::rewrite
