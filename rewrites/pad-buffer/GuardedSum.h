// Loops that add elements of a buffer where a guard says that there are some.
#pragma once

#include "rewrite/affine/LoopBounds.h"

namespace clrewrite::rewrite {

/// `Sum += Element * Factor`, or without the factor; Element is one of a
/// pointer that is a parameter.
struct GuardedTerm {
  const clang::CompoundAssignOperator *Sum = nullptr;
  const clang::ArraySubscriptExpr *Element = nullptr;
  const clang::Expr *Factor = nullptr;
};

/// The guards of \p Body stand one in the other, at the end of \p Loop, and the
/// last holds nothing but a sum: the ways to read it as a term.
std::vector<GuardedTerm> guardedTerms(const clang::ForStmt &Loop,
                                      const GuardedBody &Body);

/// `for (j ...) if (k >= 0 && k < n) sum += in[k] * taps[j]`, taken apart. What
/// counts() to sumIsPlain() promise, in this order, those after them rely on.
class GuardedSum {
public:
  /// guardedTerms() of \p Loop is not empty.
  GuardedSum(const clang::ForStmt &Loop, const clang::FunctionDecl &Function,
             const clang::ASTContext &Context);

  const clang::FunctionDecl &Function;
  const clang::ASTContext &Context;
  LoopBounds A;
  GuardedTerm The;

  /// The parameter whose element is added.
  const clang::ParmVarDecl *buffer() const;

  /// The loop counts up by one, and its variable is changed by nothing else.
  bool counts() const;

  /// The guard says that the index is at least 0 and below length(), and no
  /// more.
  bool isGuarded() const { return guardedLength(The).has_value(); }
  LinearForm length() const { return *guardedLength(The); }

  /// The index is id() + the loop's variable - what all work-items share, which
  /// is before(), less where the loop starts.
  bool followsId() const;
  const clang::VarDecl *id() const;

  /// How many elements there must be before the first: what leads from the
  /// smallest index, where the id is 0, to the first.
  std::optional<LinearForm> before() const;
  std::optional<LinearForm> iterations() const;

  /// before() may be 0 or more.
  bool startsBefore() const;

  /// The sum is a private number that keeps its value when 0 is added, apart
  /// from the sign of a zero.
  bool sumIsPlain() const;

  /// The factor may be evaluated in every iteration, where it exists.
  bool factorIsSafe() const;

  /// Nothing else in the kernel uses the buffer, which is one of numbers.
  bool bufferIsPlain() const;

private:
  VariableSet Assigned;

  bool isFixed(const clang::VarDecl *V) const;
  std::optional<LinearForm> offset(const GuardedTerm &Way) const;
  std::optional<LinearForm> guardedLength(const GuardedTerm &Way) const;
  const clang::VarDecl *globalId(const clang::Expr *E) const;
  bool isShared(const clang::Expr *E) const;
  bool isTap(const clang::Expr *Index) const;
  bool isConstantElement(const clang::ArraySubscriptExpr *E) const;
  bool isVisible() const;
};

} // namespace clrewrite::rewrite
