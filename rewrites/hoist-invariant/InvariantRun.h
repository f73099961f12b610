// The statements of a loop's body that do the same in every round, and may be
// done once, before the loop.
//
// A statement is one of them where
//   - what it reads, nothing else in the loop writes but statements of the run,
//     and
//   - what it writes are private variables, which no other statement writes,
//   and
//     none reads before it.
// Then the first round leaves the same in these variables as each later one. A
// variable from outside of the loop, which keeps its value from round to round,
// must in addition not be read by the run before the run has written it.
//
// A structure of the loop that later statements change, too, can be one of these
// variables where each round gets a copy of what the run left in it: what has been
// hashed of a message up to where the messages differ.
#pragma once

#include "rewrite/Rewrite.h"
#include "rewrite/ast/Effects.h"

namespace clrewrite::rewrite::hoist_invariant {

/// A loop, taken apart.
struct LoopParts {
  const clang::Stmt *Loop = nullptr;
  const clang::Stmt *Init = nullptr; ///< of a for loop; may be null
  const clang::Expr *Condition = nullptr, *Increment = nullptr; ///< or null
  const clang::CompoundStmt *Body = nullptr;
  /// The condition is asked before each round.
  bool AsksFirst = true;
};

/// None where \p S is no loop, or has no block for a body.
std::optional<LoopParts> loopParts(const clang::Stmt &S);

/// What keeps statements in the loop whose values no round changes.
enum class Stays {
  Exit,   ///< a round, or the loop, may end before them
  Order,  ///< they read what other work-items may write in between
  Memory, ///< they read memory that the loop may write
  Text,   ///< they can't be copied
};

struct InvariantRun {
  /// Direct children of the body, in order.
  std::vector<const clang::Stmt *> Statements;
  /// Where there are none, though they do the same in every round: why, and the
  /// code that is the reason.
  std::optional<Stays> Because;
  clang::SourceRange By;

  /// The structures of which each round gets a copy. The run declares them.
  std::vector<const clang::VarDecl *> Copied;

  /// The other variables that they declare.
  std::vector<const clang::VarDecl *> declared() const;
};

/// The run is what compilers leave in the loop: it has a statement with a loop,
/// or with a call that gets a pointer and does much, and else what such a
/// statement needs, or what is computed from it alone. Structures are copied
/// where \p Copies.
InvariantRun invariantRun(const LoopParts &Parts, bool Copies,
                          const clang::FunctionDecl &Function,
                          const clang::ASTContext &Context);

} // namespace clrewrite::rewrite::hoist_invariant
