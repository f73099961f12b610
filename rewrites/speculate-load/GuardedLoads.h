// Loads that a branch keeps from being made.
#pragma once

#include "rewrite/text/Assignments.h"

namespace clrewrite::rewrite {

/// A scalar or vector element of a buffer: `p[i]`, p being a parameter or a
/// local variable.
const clang::ArraySubscriptExpr *elementOf(const clang::Expr *E);

/// p of such an element.
const clang::VarDecl *bufferOf(const clang::ArraySubscriptExpr *A);

/// The value that an assignment or a declaration of one variable gives.
const clang::Expr *valueIn(const clang::Stmt *St);

/// `if (Condition) x = Value; else x = Other;`, or x op= Value without an
/// else, or a statement that assigns or declares `Condition ? Value : Other`.
struct Guarded {
  const clang::Stmt *Whole = nullptr;
  const clang::Expr *Condition = nullptr, *Value = nullptr;
  /// The elements that Value always reads, without those that another one
  /// needs.
  std::vector<const clang::ArraySubscriptExpr *> Loads;
  /// Of an if; Else may be null.
  const Assignment *Then = nullptr, *Else = nullptr;
};

/// The tree of an if keeps what a Guarded points to.
struct GuardedLoads {
  Branch Tree;
  Guarded G;
};

/// What \p St loads on one path only.
std::optional<GuardedLoads> guardedLoads(const clang::Stmt *St,
                                         const clang::ASTContext &Context);

} // namespace clrewrite::rewrite
