// The bounds that the guards of a counted loop put on its induction variable:
// `if (x + j < w)` bounds j by w - x.
#pragma once

#include "rewrite/affine/CountedLoop.h"
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/affine/LinearForm.h"
#include "rewrite/ast/Invariance.h"

namespace clrewrite::rewrite {

/// A condition on the variable: it is at least Limit (Lower), or below Limit.
struct Bound {
  bool Lower = false;
  LinearForm Limit;
};

class LoopBounds {
public:
  LoopBounds(const clang::ForStmt &Loop, const clang::FunctionDecl &Function,
             const clang::ASTContext &Context);

  const clang::ForStmt &Loop;
  const clang::FunctionDecl &Function;
  const clang::ASTContext &Context;
  GuardedBody Body;
  Invariance InLoop; ///< in its head and body
  /// None where it does not count in int (countsInInt).
  std::optional<CountedLoop> Head;

  /// \p L as a bound of the loop; none where it isn't exactly one.
  std::optional<Bound> boundOf(const GuardLeaf &L) const;

  /// Some guard holds a bound.
  bool hasBound() const;

  /// The same value in every iteration, wherever in the loop it stands, and
  /// before it: what it names has one.
  bool isSteady(const clang::Expr *E) const;

  /// \p E as a sum of the loop's variable and of what stays the same; the
  /// body's own variables stand for their initialisers.
  std::optional<LinearForm> formOf(const clang::Expr *E) const;

private:
  std::optional<Bound> solved(LinearForm F, clang::BinaryOperatorKind Op) const;
};

} // namespace clrewrite::rewrite
