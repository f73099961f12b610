// The places in memory that a counted loop accesses, turn by turn.
//
// In
//   for (int j = 0; j < n; j++)
//     y[i] += a[i * n + j] * x[j];
// each turn accesses y[i], whose address stays the same, and the elements
// behind those that the turn before read of a and of x.
#pragma once

#include "rewrite/affine/CountedLoop.h"
#include "rewrite/affine/IntegerRange.h"
#include "rewrite/affine/Polynomial.h"
#include "rewrite/ast/Effects.h"
#include "rewrite/ast/Invariance.h"
#include <map>
#include <optional>
#include <tuple>

namespace clrewrite::rewrite {

/// The place that \p A names, without the lanes of a vector that it picks
/// there. Null where a call or another statement accesses memory.
const clang::Expr *accessedPlace(const Access &A);

/// The initialiser that \p V stands for in each turn of \p Loop: V is a
/// variable of its body that is not changed, of the type of its initialiser.
/// Null for others.
const clang::Expr *meaningInTurn(const clang::VarDecl *V,
                                 const clang::ForStmt &Loop,
                                 const clang::FunctionDecl &Function,
                                 const clang::ASTContext &Context);

/// Elements of which each turn of a loop accesses the one behind that of the
/// turn before.
struct ElementRun {
  /// What is added to Base, as a sum modulo 2^64; modulo 2^32 where Index is a
  /// sum in uint.
  Polynomial Offset;
  /// What they are elements of: a pointer, or an array. It stays the same.
  const clang::Expr *Base = nullptr;
  /// What is added to Base, where that is one expression.
  const clang::Expr *Index = nullptr;
  /// The index wraps at 2^32.
  bool Wraps = false;
};

class LoopPlaces {
public:
  LoopPlaces(const clang::ForStmt &Loop, const clang::FunctionDecl &Function,
             clang::ASTContext &Context);

  /// The loop counts up by one, in its variable's type, to an end that stays
  /// the same, and nothing else changes the variable. None elsewhere.
  const std::optional<CountedLoop> &head() const { return Head; }

  /// Each turn evaluates \p S, a part of the loop, once or more.
  bool isInEachTurn(const clang::Stmt *S) const;

  /// The address of \p Place is a sum of what stays the same and, unless
  /// \p Steady, a multiple of the loop's variable.
  bool isAffine(const clang::Expr *Place, bool Steady) const;

  /// \p Place as an element of a run; none where it is not known to be one.
  std::optional<ElementRun> runOf(const clang::Expr *Place) const;

private:
  const clang::ForStmt &Loop;
  const clang::FunctionDecl &Function;
  clang::ASTContext &Context;
  Invariance InLoop;
  std::optional<CountedLoop> Head;
  /// What variables of the body stand for, as read() has it: each variable of a
  /// chain may use the one before twice. By the variable, the ring, and whether
  /// macros count.
  mutable std::map<std::tuple<const clang::VarDecl *, unsigned, bool, bool>,
                   std::optional<Polynomial>>
      Known;

  const clang::Expr *meaning(const clang::VarDecl *V) const;
  bool isAffinePointer(const clang::Expr *E, bool Steady) const;
  bool isAffineIndex(const clang::Expr *Index, bool Steady) const;
  std::optional<Polynomial> read(const clang::Expr *E, IntType Ring,
                                 bool FromMacros) const;
  std::optional<ElementRun> runBehind(const clang::Expr *Base,
                                      const clang::Expr *Index) const;
};

} // namespace clrewrite::rewrite
