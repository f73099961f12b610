// Counted loops whose iterations have no effect unless a guard holds, such as
// `for (j = 0; j < n; ++j) if (j >= a && j < b) sum += in[j];`
#pragma once

#include "rewrite/affine/LinearForm.h"
#include "rewrite/ast/Conditions.h"
#include "clang/AST/Stmt.h"

namespace clrewrite::rewrite {

/// `for (T Variable = Start; Variable < End; ++Variable)`, or <= where
/// Inclusive. Every value is one of an int, and of T.
struct CountedHead {
  const clang::VarDecl *Variable = nullptr;
  const clang::Expr *Start = nullptr, *End = nullptr;
  bool Inclusive = false;
  /// T is narrower than int. Then both bounds are constants in order, and T
  /// holds the first value that is not reached.
  bool Narrow = false;
};
std::optional<CountedHead> countedHead(const clang::ForStmt &Loop,
                                       const clang::ASTContext &Context);

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

/// \p S holds a barrier, a function of a work-group or sub-group, assembler, or
/// a call of what can't be looked into.
bool asksOthers(const clang::Stmt *S);

/// \p S holds a break, a return or a goto.
bool mayLeave(const clang::Stmt *S);

/// \p S holds a label, or a case of a switch around it.
bool mayBeEntered(const clang::Stmt *S);

} // namespace clrewrite::rewrite
