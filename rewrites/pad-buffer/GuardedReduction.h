// Guarded reductions: loops that add up elements of a buffer, where a guard
// makes sure that the element exists.
#pragma once

#include "rewrite/affine/LoopBounds.h"

namespace clrewrite::rewrite::pad_buffer {

/// `Sum += Element * Factor`, or without the factor; Element is one of a
/// pointer that is a parameter.
struct GuardedTerm {
  const clang::CompoundAssignOperator *Sum = nullptr;
  const clang::ArraySubscriptExpr *Element = nullptr;
  const clang::Expr *Factor = nullptr;
};

/// The ways to read the sum as a term, where the guards of \p Body are nested
/// at the end of \p Loop and the innermost holds nothing but the sum; else
/// empty.
std::vector<GuardedTerm> guardedTerms(const clang::ForStmt &Loop,
                                      const GuardedBody &Body);

/// `for (j ...) if (k >= 0 && k < n) sum += in[k] * taps[j]`, taken apart. Each
/// of the questions from counts() to sumIsPlain() relies on those before it.
class GuardedReduction {
public:
  /// guardedTerms() of \p Loop is not empty.
  GuardedReduction(const clang::ForStmt &Loop,
                   const clang::FunctionDecl &Function,
                   const clang::ASTContext &Context);

  const clang::FunctionDecl &Function;
  const clang::ASTContext &Context;
  LoopBounds A;
  GuardedTerm The;

  /// The parameter whose element is added.
  const clang::ParmVarDecl *buffer() const;

  /// The loop counts up by one, and its variable is changed by nothing else.
  bool counts() const;

  /// The guard says that the index is at least 0 and below length(), and
  /// nothing else.
  bool isGuarded() const { return guardedLength(The).has_value(); }
  LinearForm length() const { return *guardedLength(The); }

  /// The index is id() plus the loop's variable, less a value that is the same
  /// for all work-items: before(), less the loop's first number.
  bool followsId() const;
  const clang::VarDecl *id() const;

  /// The number of elements that padding must put before the first: the
  /// smallest index, where the id is 0, lies so far below 0.
  std::optional<LinearForm> before() const;
  std::optional<LinearForm> iterations() const;

  /// before() may be 0 or more.
  bool startsBefore() const;

  /// The sum is a private number, whose value stays the same when 0 is added,
  /// apart from the sign of a zero.
  bool sumIsPlain() const;

  /// The factor may be evaluated in every iteration, where it exists.
  bool factorIsSafe() const;

  /// Nothing else in the kernel uses the buffer, and its elements are numbers.
  bool bufferIsPlain() const;

private:
  Invariance InFunction;

  std::optional<LinearForm> offset(const GuardedTerm &Reading) const;
  std::optional<LinearForm> guardedLength(const GuardedTerm &Reading) const;
  const clang::VarDecl *globalId(const clang::Expr *E) const;
  bool isShared(const clang::Expr *E) const;
  bool isTap(const clang::Expr *Index) const;
  bool isConstantElement(const clang::ArraySubscriptExpr *E) const;
  bool isVisible() const;
};

} // namespace clrewrite::rewrite::pad_buffer
