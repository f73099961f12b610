// Overlapping vectors of a row that are loaded in one run of statements.
#pragma once

#include "rewrite/ast/WholeAccess.h"

namespace clrewrite::rewrite {

/// The variable of a loop that runs through numbers.
struct LoopNumbers {
  const clang::VarDecl *Variable = nullptr;
  int64_t First = 0, Last = 0;
  bool Written = false; ///< in the file's own text
};

/// vloadN of one N, fewer than N elements from the first to the last, so that
/// one vector and the elements beside it hold all that they read. They stand in
/// one run of statements, or all in a loop.
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
  /// In the order of the text.
  std::vector<Load> Loads;
  int64_t Lowest = 0, Highest = 0;
  /// The statement that holds the first load, or the loop, and where its text
  /// begins.
  const clang::Stmt *Statement = nullptr;
  clang::SourceLocation Begin;
  /// A child of { }, or else of if, for, ...
  bool InBlock = true;

  unsigned lanes() const { return Loads.front().Access.Lanes; }
};

/// The windows of \p Function whose loads can be replaced by what was loaded
/// before their first statement.
std::vector<Window> windowsOf(const clang::FunctionDecl &Function,
                              clang::ASTContext &Context);

/// What may stand against replacing a load.
enum class LoadObstacle {
  None,
  Text,    ///< a part comes from a macro
  Memory,  ///< no vector of its size, volatile, or private memory
  Address, ///< the address has side effects, or depends on memory
};

/// \p Function has two overlapping loads, both free of obstacles up to \p Last.
bool hasOverlap(const clang::FunctionDecl &Function, LoadObstacle Last,
                clang::ASTContext &Context);

} // namespace clrewrite::rewrite
