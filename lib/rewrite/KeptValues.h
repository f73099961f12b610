// Values that are loaded before a loop and used after it, but not in it.
#pragma once

#include "source/Edit.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

namespace clrewrite {

/// A variable, or a private array that a loop fills element by element.
struct KeptValue {
  /// The first thing that stands against loading it again where it is used.
  enum Obstacle { None, Hidden, Changed, Shadowed, Waits, Written } Against;
  /// The argument that must overlap no buffer that is written; empty where the
  /// language says that what is loaded does not change.
  std::string Assumed;
  /// Each use after the loop becomes the load.
  Edits Changes;
};

/// The values that live over \p Loop only to be used after it.
std::vector<KeptValue> keptOver(const clang::Stmt &Loop,
                                clang::ASTContext &Context);

} // namespace clrewrite
