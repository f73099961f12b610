// The elements of buffers that a loop reads and writes in each of its turns,
// and what else it accesses that may be the same memory.
//
// In
//   for (int j = 0; j < n; j++)
//     x[i] += a[j * n + i] * y[j];
// x[i] is such an element. Each turn accesses a[j * n + i] and y[j], too, whose
// addresses are affine in j: the first turn and the last one have the lowest
// and the highest of them, in one order or the other.
//
// That holds whatever the width that the index is computed in, since each turn
// evaluates it: the steps from one turn to the next are equal modulo 2^64, and
// no two of the elements are further apart than a buffer is large.
#pragma once

#include "rewrite/affine/CountedLoop.h"
#include "rewrite/ast/Effects.h"
#include "clang/AST/Expr.h"
#include <memory>
#include <vector>

namespace clrewrite::rewrite::promote_element {

/// An element whose address is the same in each turn, and which each turn
/// reads.
struct LoopElement {
  const clang::Expr *Place = nullptr; ///< where it is named first
  /// All places in the loop that name it, this one too.
  std::vector<const clang::Expr *> Names;
  Memory Where;
};

struct LoopElements {
  /// The loop counts up by one, in its variable's type, to an end that stays
  /// the same, and nothing else changes the variable. None elsewhere.
  std::optional<CountedLoop> Head;

  std::vector<LoopElement> Elements;
  /// What is accessed beside them and may be the memory of one, each place
  /// once.
  std::vector<const clang::Expr *> Others;
  /// By elements, then others: the two may be the same memory.
  std::vector<std::pair<const clang::Expr *, const clang::Expr *>> Pairs;

  /// The first code that the analysis can't cope with, each null for none: an
  /// address that is not affine, an access that is not made in each turn, a
  /// name of an element of which the address is taken.
  const clang::Stmt *NotAffine = nullptr, *NotAlways = nullptr,
                    *Addressed = nullptr;
  /// As in Effects, of the whole loop, or what asks other work-items.
  const clang::Stmt *More = nullptr;
};

/// Without elements where \p Loop has none, or where nothing else that it
/// accesses may be their memory, so that compilers keep them by themselves.
LoopElements loopElements(const clang::ForStmt &Loop,
                          const clang::FunctionDecl &Function,
                          clang::ASTContext &Context);

} // namespace clrewrite::rewrite::promote_element
