// Guarded loads: loads that run on one path of a branch only, such as `if (c) x
// = p[i];`
#pragma once

#include "rewrite/text/Assignments.h"

namespace clrewrite::rewrite::speculate_load {

/// A scalar or vector element of a buffer: `p[i]`, p being a parameter or a
/// local variable.
const clang::ArraySubscriptExpr *elementOf(const clang::Expr *E);

/// The value that \p St assigns to a variable, or initialises one with.
const clang::Expr *valueIn(const clang::Stmt *St);

/// `if (Condition) x = Value; else x = Other;`, or x op= Value without an
/// else, or a statement that assigns or declares `Condition ? Value : Other`.
struct Guarded {
  const clang::Stmt *Whole = nullptr;
  const clang::Expr *Condition = nullptr, *Value = nullptr;
  /// The elements that Value always reads, but for those that the address of
  /// another one depends on.
  std::vector<const clang::ArraySubscriptExpr *> Loads;
  /// The assignments of an if; Else may be null.
  const Assignment *Then = nullptr, *Else = nullptr;
};

/// A guarded load, and the tree of the if that it points into.
struct GuardedLoads {
  Branch Tree;
  Guarded G;
};

/// The loads that \p St makes on one path only; none where there are none.
std::optional<GuardedLoads> guardedLoads(const clang::Stmt *St,
                                         const clang::ASTContext &Context);

} // namespace clrewrite::rewrite::speculate_load
