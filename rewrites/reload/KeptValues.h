// Values that are loaded before a loop, and used after it but not in it, or in
// it.
#pragma once

#include "source/Edit.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

namespace clrewrite::rewrite {

/// A variable, or a private array that a loop fills element by element.
struct KeptValue {
  /// The first thing that stands against loading it again where it is used.
  enum Obstacle { None, Hidden, Changed, Shadowed, Waits, Written } Against;
  /// The argument that must overlap no buffer that is written; empty where the
  /// language says that what is loaded does not change.
  std::string Assumed;
  /// Each use after the loop becomes the load.
  Edits Changes;
  /// For use in the loop: a declaration of the same name that loads again.
  std::string Again;
};

/// The values that live over \p Loop only to be used after it.
std::vector<KeptValue> keptOver(const clang::Stmt &Loop,
                                clang::ASTContext &Context);

/// The variables that are loaded before \p Loop and read in it; empty unless
/// its body is a block, and it declares a counter.
std::vector<KeptValue> keptInto(const clang::Stmt &Loop,
                                clang::ASTContext &Context);

} // namespace clrewrite::rewrite
