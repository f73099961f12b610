// Values that are loaded before a loop and stay alive across it: those that are
// used only after the loop, and those that are used within it.
#pragma once

#include "source/Edit.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

namespace clrewrite::rewrite::reload {

/// A variable, or a private array that a loop fills element by element.
struct LiveValue {
  /// The first obstacle to loading the value again where it is used.
  enum Obstacle {
    None,
    Hidden,
    Jumped,
    Changed,
    Shadowed,
    Waits,
    Written
  } Against;
  /// The load itself.
  clang::SourceRange Load;
  /// The argument that must not alias any buffer that is written; empty where
  /// the language says that the memory does not change.
  std::string Assumed;
  /// The edits that replace each use after the loop by the load.
  Edits Changes;
  /// For uses within the loop: a declaration of the same name that loads again.
  std::string Again;
};

/// The values that are alive across \p Loop only because they are used after
/// it.
std::vector<LiveValue> liveAcross(const clang::Stmt &Loop,
                                  clang::ASTContext &Context);

/// The variables that are loaded before \p Loop and read within it; empty
/// unless its body is a block and it declares a counter.
std::vector<LiveValue> usedWithin(const clang::Stmt &Loop,
                                  clang::ASTContext &Context);

} // namespace clrewrite::rewrite::reload
