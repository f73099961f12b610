// The text of a select: a choice between values as ?:, as select(), or as min,
// max or clamp.
#pragma once

#include "rewrite/text/Assignments.h"

namespace clrewrite::rewrite::branch_to_select {

/// Writes the text of one value, and notes which parts of the user's text were
/// copied into it.
class SelectWriter {
public:
  SelectWriter(const Branch &Tree, const clang::ASTContext &Context)
      : Tree(Tree), Context(Context) {}

  /// The value of \p T after the branch, as a conditional expression.
  /// Conditions that Names holds are written as those names.
  std::string ternary(const Target &T);

  /// The value as a call of select(); none where no overload of select fits the
  /// type, or where evaluating the value that is not chosen may be undefined.
  std::optional<std::string> selection(const Target &T);

  /// The whole branch as min, max or clamp of integers; none where it is not
  /// exactly that. \p T is the only target.
  std::optional<std::string> bounded(const Target &T);

  /// A condition as a bool: `c`, or for an inner branch that must not be
  /// evaluated elsewhere `outer && c`.
  std::string condition(const Branch &B);

  /// The names of the variables that hold conditions.
  std::vector<std::pair<const Branch *, std::string>> Names;

  /// The ranges that were copied, comments in them included.
  std::vector<clang::SourceRange> Copied;

private:
  const Branch &Tree;
  const clang::ASTContext &Context;

  std::string copy(const clang::Expr *E);
  std::string value(const Assignment &A);
  std::string chosen(const Branch &B);
  std::string inArm(const Arm &A, const Target &T);
  std::string inBranch(const Branch &B, const Target &T);
  std::string selectIn(const Arm &A, const Target &T);
  std::string mask(const Branch &B, clang::QualType T);
  bool assigns(const Branch &B, const Target &T) const;
};

/// The type that \p E has before it is converted to what it is assigned to.
clang::QualType typeBeforeConversion(const clang::Expr *E);

} // namespace clrewrite::rewrite::branch_to_select
