// Counted loops whose iterations have no effect unless a guard holds, such as
// `for (j = 0; j < n; ++j) if (j >= a && j < b) sum += in[j];`
#pragma once

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace clrewrite::rewrite {

/// What must hold, or where Negated must not, for an iteration to do anything.
struct GuardLeaf {
  const clang::Expr *Condition = nullptr;
  bool Negated = false;
};

/// `if (leaves) ...` around all that follows, or `if (not all) continue;`.
struct Guard {
  const clang::IfStmt *If = nullptr;
  bool Continues = false;
  std::vector<GuardLeaf> Leaves;
};

/// What an iteration consists of up to its guards.
struct GuardedBody {
  std::vector<Guard> Guards;
  /// The variables that are declared on the way.
  llvm::SmallVector<const clang::VarDecl *, 8> Locals;
};

/// The guards of \p Loop, those of loops within it too: where one of them does
/// not hold, the iteration of the loop around it has no effect.
GuardedBody guardedBody(const clang::ForStmt &Loop);

/// Where work-items may wait for each other in \p S: the first barrier,
/// function of a work-group or sub-group, assembler, or call of what can't be
/// looked into; with \p OrOrders also the first atomic operation or fence, by
/// which another one may be told to go on. Null where there is none.
const clang::Stmt *asksOthers(const clang::Stmt *S, bool OrOrders = false);

/// The first break, return or goto by which a loop may be left whose body is
/// \p Body, or null: what loops and switches within it break is their own.
const clang::Stmt *mayLeave(const clang::Stmt *Body);

/// The first statement that ends a turn of a loop whose body is \p Body, or the
/// loop, early: those that mayLeave() tells, and a continue. Null where there
/// is none, so that what stands behind \p Body is reached next.
const clang::Stmt *mayEndTurn(const clang::Stmt *Body);

/// The first label in \p S, or case of a switch around it, or null.
const clang::Stmt *mayBeEntered(const clang::Stmt *S);

} // namespace clrewrite::rewrite
