// Runs of statements that repeat a group of statements: the taps of a filter,
// the rounds of a hash.
#pragma once

#include "rewrite/text/Unify.h"
#include "clang/AST/Decl.h"
#include <map>

namespace clrewrite::rewrite::reroll {

/// Why a run can't become a loop.
enum class RepeatProblem {
  Text,    ///< what must change comes from a macro, or a directive stands there
  Escapes, ///< a variable of one group is used outside it
  Effects, ///< a barrier, a fence, or something unknown
  Rounds,  ///< a constant that differs may be divided by, or the like
  Choice,  ///< too much to choose from
};

/// Count groups of Period statements each, one after another.
struct Repeat {
  /// The statements of all groups in order.
  std::vector<const clang::Stmt *> Statements;
  size_t Period = 0, Count = 0;
  Similarity Groups;
  /// Bytes of the run, and of its first group, with the last semicolon.
  unsigned Begin = 0, End = 0, FirstEnd = 0;
  /// With the code that makes the first of each; invalid where none does.
  std::map<RepeatProblem, clang::SourceRange> Problems;
};

/// The runs of \p Block that repeat most, none of which share a statement, in
/// order.
std::vector<Repeat> repeatsOf(const clang::CompoundStmt &Block,
                              const clang::ASTContext &Context);

/// The run that begins with \p First, whose second group begins with \p Next,
/// and that ends with \p Last. This is quicker than asking repeatsOf().
std::optional<Repeat> repeatAt(const clang::CompoundStmt &Block,
                               const clang::Stmt *First,
                               const clang::Stmt *Next, const clang::Stmt *Last,
                               const clang::ASTContext &Context);

} // namespace clrewrite::rewrite::reroll
