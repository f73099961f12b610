// Vector loads of a row that overlap, in one run of statements or in one loop,
// so that one wider load could serve all of them.
#pragma once

#include "rewrite/ast/WholeAccess.h"

namespace clrewrite::rewrite::share_window {

/// The induction variable of a loop whose bounds are numbers.
struct LoopNumbers {
  const clang::VarDecl *Variable = nullptr;
  int64_t First = 0, Last = 0;
  bool Written = false; ///< the bounds stand in the file's own text
};

/// Loads by vloadN, of one N, with fewer than N elements from the first address
/// to the last, so that one vector and the elements beside it hold all that
/// they read. They stand in one run of statements, or all in one loop.
struct Window {
  struct Load {
    VectorAccess Access;
    /// In elements from the window's first load.
    int64_t Offset = 0;
  };
  /// The loop moves each load by Step elements in each iteration, so that
  /// Offset is meant for its first one. Null variable: no loop.
  LoopNumbers Numbers;
  int64_t Step = 0;
  /// The loads in the order of the text.
  std::vector<Load> Loads;
  int64_t Lowest = 0, Highest = 0;
  /// The statement that holds the first load, or the loop, and where its text
  /// begins.
  const clang::Stmt *Statement = nullptr;
  clang::SourceLocation Begin;
  /// The statement is a child of a block { }, and not of an if, a for, ...
  bool InBlock = true;

  unsigned lanes() const { return Loads.front().Access.Lanes; }
};

/// The windows of \p Function whose loads can be replaced by what was loaded
/// before their first statement.
std::vector<Window> windowsOf(const clang::FunctionDecl &Function,
                              clang::ASTContext &Context);

/// The obstacles to replacing a load.
enum class LoadObstacle {
  None,
  Text,    ///< a part comes from a macro
  Memory,  ///< no vector of its size, volatile, or private memory
  Address, ///< the address has side effects, or depends on memory
};

/// \p Function has two overlapping loads, both free of obstacles up to \p Last.
bool hasOverlap(const clang::FunctionDecl &Function, LoadObstacle Last,
                clang::ASTContext &Context);

} // namespace clrewrite::rewrite::share_window
